package dev.stowage.memory.synced;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Copies of memory, to compare. */
final class Bytes {

  private Bytes() {}

  static byte[] of(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  static byte[] of(DeviceData data) {
    MemorySegment host = MemorySegment.ofArray(new byte[(int) data.byteSize()]);
    data.copyTo(host);
    return of(host);
  }
}
