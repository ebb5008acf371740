package dev.stowage.core.bfc;

import java.util.OptionalLong;

/**
 * What gives regions of memory, and takes them back: a device, or a simulation of one.
 *
 * <p>An allocator calls it while it is locked. It must not call the allocator back to allocate,
 * free, trim or close, which is an {@link IllegalStateException} that changes nothing, and must not
 * wait for a thread that uses the allocator.
 */
public interface SubAllocator {

  /**
   * {@return the address of a new region, or empty if it is refused}
   *
   * <p>Being refused is an answer, not an error: the caller asks for less, or fails.
   *
   * @param bytes how many bytes; a positive multiple of {@link #granularityBytes()}
   */
  OptionalLong allocate(long bytes);

  /**
   * Takes back a region.
   *
   * <p>What throws takes nothing back: the region stays as large as it was, may be used on, and can
   * be given back another time.
   *
   * @param address its address
   * @param bytes its size
   */
  void free(long address, long bytes);

  /**
   * Moves the end of a region and {@return whether it did}
   *
   * <p>What is refused, or throws, changes nothing. One that cannot do it at all refuses always.
   *
   * @param address the region's address
   * @param bytes its size
   * @param newBytes its size from now on; a positive multiple of {@link #granularityBytes()}
   */
  default boolean resize(long address, long bytes, long newBytes) {
    return false;
  }

  /**
   * {@return true if {@link #resize} may make a region longer than it was given; false if it never
   * does, so that an allocator does not ask}
   *
   * <p>Without this an allocator learns it from the first refusal, after two regions of the size of
   * a request each.
   */
  default boolean lengthens() {
    return true;
  }

  /** {@return what sizes of regions are multiples of: a power of two, at least 256} */
  default long granularityBytes() {
    return Quantum.BYTES;
  }

  /** {@return what addresses of regions are multiples of: a power of two, at least 256} */
  default long alignmentBytes() {
    return Quantum.BYTES;
  }

  /**
   * {@return this sub-allocator, with someone who sees all memory come and go}
   *
   * <p>Of several, the last one added sees memory come last and go first.
   *
   * @param visitor who registers memory with a driver or a network card, or counts it
   */
  default SubAllocator withVisitor(RegionVisitor visitor) {
    return new VisitedSubAllocator(this, visitor);
  }
}
