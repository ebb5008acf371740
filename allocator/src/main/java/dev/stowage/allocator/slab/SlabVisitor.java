package dev.stowage.allocator.slab;

/** A visitor of new slabs. */
@FunctionalInterface
public interface SlabVisitor {

  /**
   * Called before the first slot of a slab is used.
   *
   * @param address the address of the slab
   * @param bytes the bytes of its slots
   */
  void added(long address, long bytes);

  /** {@return a visitor that does nothing} */
  static SlabVisitor none() {
    return (_, _) -> {};
  }
}
