package dev.stowage.opencl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Copies between host and buffers, done when they return.
 *
 * @param api the library
 * @param queue what the driver's commands go to
 * @param onCpu whether buffers lie in the memory of the process, as those of a device that computes
 *     on the CPU do
 */
record HostCopies(OpenCl api, long queue, boolean onCpu) {

  /*
   * There are three ways. The driver copies native memory itself. Heap memory, which it cannot be
   * given, goes by way of native memory, in pieces. And where a buffer lies in the process's own
   * memory, mapping one only tells where: then it is one copy of the JDK's, which is faster than
   * PoCL's own and takes the heap as well. The two commands for that cost more than a small copy.
   *
   * OpenCL promises nothing for a kernel that works on one part of a buffer while another part is
   * mapped; on a CPU, where mapping moves nothing, there is nothing that could go wrong.
   */

  private static final long PIECE_BYTES = 1 << 20;

  void copy(MemorySegment source, BufferRange target) {
    if (onCpu && target.bytes() >= PIECE_BYTES) {
      withMapped(target, BufferFunctions.MAP_WRITE_INVALIDATE, mapped -> mapped.copyFrom(source));
    } else if (source.isNative()) {
      api.buffers().write(queue, source, target);
    } else {
      inPieces(
          target,
          (part, start, piece) -> {
            MemorySegment.copy(source, start, piece, 0, part.bytes());
            api.buffers().write(queue, piece, part);
          });
    }
  }

  void copy(BufferRange source, MemorySegment target) {
    if (onCpu && source.bytes() >= PIECE_BYTES) {
      withMapped(source, BufferFunctions.MAP_READ, target::copyFrom);
    } else if (target.isNative()) {
      api.buffers().read(queue, source, target);
    } else {
      inPieces(
          source,
          (part, start, piece) -> {
            api.buffers().read(queue, part, piece);
            MemorySegment.copy(piece, 0, target, start, part.bytes());
          });
    }
  }

  /** What is done with a piece of a range. */
  private interface PieceCopy {
    void copy(BufferRange part, long start, MemorySegment piece);
  }

  private static void inPieces(BufferRange range, PieceCopy copy) {
    long most = Math.min(PIECE_BYTES, range.bytes());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment piece = arena.allocate(most);
      for (long start = 0; start < range.bytes(); start += most) {
        long bytes = Math.min(most, range.bytes() - start);
        copy.copy(range.part(start, bytes), start, piece);
      }
    }
  }

  /** What is done with a range that is mapped. */
  private interface MappedCopy {
    void copy(MemorySegment mapped);
  }

  @SuppressWarnings("restricted") // the driver's memory, of which nothing stays after this method
  private void withMapped(BufferRange range, long rights, MappedCopy copy) {
    MemorySegment mapped = api.buffers().map(queue, range, rights);
    try {
      copy.copy(mapped.reinterpret(range.bytes()));
    } finally {
      api.queues().awaitSuccess("unmapping", api.buffers().unmap(queue, range.memory(), mapped));
    }
  }
}
