package dev.stowage.cuda.standin;

import java.lang.foreign.MemorySegment;

/** The source or the target of a copy. */
sealed interface Place {

  /** {@return true if work can access the bytes from here on} */
  boolean canAccess(long bytes);

  /**
   * {@return some accessible bytes, at most {@code bytes}, that are contiguous}
   *
   * @param offset their distance from this place
   */
  MemorySegment part(long offset, long bytes);

  /** Memory of the host, which the caller keeps until the work is done. */
  record OfHost(MemorySegment pointer) implements Place {

    @Override
    public boolean canAccess(long bytes) {
      return true;
    }

    @Override
    public MemorySegment part(long offset, long bytes) {
      return pointer.asSlice(offset, bytes);
    }
  }

  /** Memory of a device. */
  record OfDevice(AddressSpace addresses, Gpu gpu, long address) implements Place {

    @Override
    public boolean canAccess(long bytes) {
      return addresses.canAccess(gpu, address, bytes);
    }

    @Override
    public MemorySegment part(long offset, long bytes) {
      return addresses.start(gpu, address + offset, bytes);
    }
  }
}
