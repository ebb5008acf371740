package dev.stowage.memory.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Copies between two devices through host memory. */
final class CopyThroughHost {

  private static final long PIECE_BYTES = 4 << 20;

  private CopyThroughHost() {}

  static void copy(Device from, long source, Device to, long target, long bytes) {
    if (!from.hasRange(source, bytes)) {
      throw DeviceChecks.noSuchRange(from, source, bytes);
    }
    if (!to.hasRange(target, bytes)) {
      throw DeviceChecks.noSuchRange(to, target, bytes);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment piece = to.allocateStaging(Math.min(bytes, PIECE_BYTES), arena);
      for (long offset = 0; offset < bytes; offset += piece.byteSize()) {
        MemorySegment copied = piece.asSlice(0, Math.min(piece.byteSize(), bytes - offset));
        from.copyToHost(source + offset, copied);
        to.copyFromHost(copied, target + offset);
      }
    }
  }
}
