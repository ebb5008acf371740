package dev.stowage.cuda.standin;

import java.lang.foreign.MemorySegment;

/** Memory of cuMemCreate. It ends when neither its handle nor a mapping holds it. */
final class Physical {

  private final Gpu gpu;
  private final MemorySegment memory;
  private int mappingCount;
  private boolean released;

  /**
   * Allocates memory of a device.
   *
   * @throws CallFailure if the device has too little
   */
  Physical(Gpu gpu, long bytes) {
    this.gpu = gpu;
    this.memory = gpu.allocate(bytes, gpu.totalBytes());
  }

  MemorySegment memory() {
    return memory;
  }

  long bytes() {
    return memory.byteSize();
  }

  /** {@return true if the handle has ended} */
  boolean isReleased() {
    return released;
  }

  void addMapping() {
    mappingCount++;
  }

  /** Removes a mapping and {@return true if the memory has ended} */
  boolean removeMapping() {
    mappingCount--;
    return endIfUnused();
  }

  /** Ends the handle and {@return true if the memory has ended} */
  boolean release() {
    released = true;
    return endIfUnused();
  }

  private boolean endIfUnused() {
    boolean ends = released && mappingCount == 0;
    if (ends) {
      gpu.free(memory);
    }
    return ends;
  }
}
