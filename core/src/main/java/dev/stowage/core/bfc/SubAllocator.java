package dev.stowage.core.bfc;

import java.util.OptionalLong;

/** What gives regions of memory, and takes them back: a device, or a simulation of one. */
public interface SubAllocator {

  /**
   * {@return the address of a new region, or empty if it is refused}
   *
   * <p>Being refused is an answer, not an error: the caller asks for less, or fails.
   *
   * @param bytes how many bytes; a positive multiple of 256
   */
  OptionalLong allocate(long bytes);

  /**
   * Takes back a region.
   *
   * @param address its address
   * @param bytes its size, as it was asked for
   */
  void free(long address, long bytes);
}
