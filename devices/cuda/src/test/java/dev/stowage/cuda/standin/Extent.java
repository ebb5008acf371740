package dev.stowage.cuda.standin;

import java.lang.foreign.MemorySegment;

/** A range of addresses of a device that has memory. */
sealed interface Extent {

  Gpu gpu();

  long address();

  long bytes();

  /** {@return the contents, which have as many bytes} */
  MemorySegment memory();

  /** {@return true if copies and fills can use the memory} */
  boolean isAccessible();

  /** {@return true if a range can start in this extent and continue in the next one} */
  boolean canContinueIn(Extent next);

  /** Memory of cuMemAlloc or cuMemAllocManaged. */
  record Allocation(Gpu gpu, long address, long bytes, MemorySegment memory) implements Extent {

    @Override
    public boolean isAccessible() {
      return true;
    }

    @Override
    public boolean canContinueIn(Extent next) {
      return false;
    }
  }

  /** Physical memory at virtual addresses. */
  record Mapping(Gpu gpu, long address, Physical physical, boolean isAccessible) implements Extent {

    @Override
    public long bytes() {
      return physical.bytes();
    }

    @Override
    public MemorySegment memory() {
      return physical.memory();
    }

    @Override
    public boolean canContinueIn(Extent next) {
      return next instanceof Mapping;
    }

    Mapping accessible() {
      return new Mapping(gpu, address, physical, true);
    }
  }
}
