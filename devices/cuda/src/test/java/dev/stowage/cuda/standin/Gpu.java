package dev.stowage.cuda.standin;

import java.lang.foreign.MemorySegment;

/** A device: its memory, and the users of its primary context. */
final class Gpu {

  private static final long FIRST_CONTEXT = 0x1000;

  private final int ordinal;
  private final long totalBytes;
  private final WorkStream defaultStream;
  private long usedBytes;
  private int contextCount;

  Gpu(int ordinal, long totalBytes, FailurePlan failures) {
    this.ordinal = ordinal;
    this.totalBytes = totalBytes;
    this.defaultStream = new WorkStream(this, failures);
  }

  int ordinal() {
    return ordinal;
  }

  String name() {
    return "Stand-in " + (char) ('A' + ordinal);
  }

  /** {@return 7.x for the first device, 8.x for the second} */
  int computeCapabilityMajor() {
    return 7 + ordinal;
  }

  WorkStream defaultStream() {
    return defaultStream;
  }

  // Memory.

  long totalBytes() {
    return totalBytes;
  }

  long usedBytes() {
    return usedBytes;
  }

  long availableBytes() {
    return Math.max(0, totalBytes - usedBytes);
  }

  /**
   * {@return new memory of the device, or its share of the host's}
   *
   * @throws CallFailure if more than {@code limitBytes} would be used
   */
  MemorySegment allocate(long bytes, long limitBytes) {
    Result.OUT_OF_MEMORY.unless(bytes >= 0 && bytes <= limitBytes - usedBytes);
    MemorySegment memory = CLibrary.allocate(bytes);
    usedBytes += bytes;
    return memory;
  }

  void free(MemorySegment memory) {
    usedBytes -= memory.byteSize();
    CLibrary.free(memory);
  }

  // The primary context.

  /** {@return the handle of the context, whether it is retained or not} */
  long context() {
    return FIRST_CONTEXT + ordinal;
  }

  int contextCount() {
    return contextCount;
  }

  void retainContext() {
    contextCount++;
  }

  void releaseContext() {
    Result.INVALID_CONTEXT.unless(contextCount > 0);
    contextCount--;
  }
}
