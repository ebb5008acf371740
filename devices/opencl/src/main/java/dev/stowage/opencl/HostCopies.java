package dev.stowage.opencl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Immediate copies between the host and buffers.
 *
 * @param api the library
 * @param queue the queue of the commands
 * @param isOnCpu true if buffers are in the memory of the process, as for devices that compute on
 *     the CPU
 */
record HostCopies(OpenCl api, long queue, boolean isOnCpu) {

  /*
   * There are three kinds of copies. The driver copies native memory. Heap memory is copied in
   * pieces through native memory. If a device computes on the CPU, mapping a buffer only returns
   * its address in the process; then the JDK copies large ranges, which is faster than PoCL and
   * supports heap memory. For a small copy, the two commands for the mapping would take longer than
   * the copy.
   *
   * OpenCL does not define kernels that use one part of a buffer while another part is mapped. On a
   * CPU, where mapping moves nothing, they work.
   */

  private static final long PIECE_BYTES = 1 << 20;

  void copy(MemorySegment source, BufferRange target) {
    if (isOnCpu && target.bytes() >= PIECE_BYTES) {
      withMapped(target, BufferFunctions.MAP_WRITE_INVALIDATE, mapped -> mapped.copyFrom(source));
    } else if (source.isNative()) {
      api.buffers().write(queue, source, target);
    } else {
      forEachPiece(
          target,
          (part, start, piece) -> {
            MemorySegment.copy(source, start, piece, 0, part.bytes());
            api.buffers().write(queue, piece, part);
          });
    }
  }

  void copy(BufferRange source, MemorySegment target) {
    if (isOnCpu && source.bytes() >= PIECE_BYTES) {
      withMapped(source, BufferFunctions.MAP_READ, target::copyFrom);
    } else if (target.isNative()) {
      api.buffers().read(queue, source, target);
    } else {
      forEachPiece(
          source,
          (part, start, piece) -> {
            api.buffers().read(queue, part, piece);
            MemorySegment.copy(piece, 0, target, start, part.bytes());
          });
    }
  }

  /** A copy of a piece of a range. */
  private interface PieceCopy {
    void copy(BufferRange part, long start, MemorySegment piece);
  }

  private static void forEachPiece(BufferRange range, PieceCopy copy) {
    long maxBytes = Math.min(PIECE_BYTES, range.bytes());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment piece = arena.allocate(maxBytes);
      for (long start = 0; start < range.bytes(); start += maxBytes) {
        long bytes = Math.min(maxBytes, range.bytes() - start);
        copy.copy(range.part(start, bytes), start, piece);
      }
    }
  }

  /** A copy of a mapped range. */
  private interface MappedCopy {
    void copy(MemorySegment mapped);
  }

  @SuppressWarnings("restricted") // memory of the driver, used only within this method
  private void withMapped(BufferRange range, long rights, MappedCopy copy) {
    MemorySegment mapped = api.buffers().map(queue, range, rights);
    try {
      copy.copy(mapped.reinterpret(range.bytes()));
    } finally {
      api.queues().awaitSuccess("unmapping", api.buffers().unmap(queue, range.memory(), mapped));
    }
  }
}
