package dev.stowage.process;

import java.util.List;

/**
 * The growth of the resident memory of an owner.
 *
 * @param owner the owner
 * @param isEstimate true if the owner of some mappings was derived from their shape in a sample
 * @param bytes the growth
 * @param figures the figures that decide why the part grows, if all samples have them
 */
public record OwnerGrowth(
    MemoryOwner owner, boolean isEstimate, ByteGrowth bytes, List<Figure> figures) {

  /** Copies the figures. */
  public OwnerGrowth {
    figures = List.copyOf(figures);
  }

  /**
   * A figure of a part, such as the free bytes of a heap.
   *
   * @param name its name
   * @param bytes its growth; the bytes may not be resident
   */
  public record Figure(String name, ByteGrowth bytes) {}
}
