package dev.stowage.cuda;

import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;

/**
 * Immediate copies between the host and the device through pinned memory: of heap segments, and of
 * small native segments to the device.
 *
 * <p>Safe for use by many threads.
 */
final class StagedCopies implements AutoCloseable {

  /*
   * The thread fills one half of the pinned memory while the device copies from the other one:
   *
   *   thread   | fill A | fill B | fill A | fill B |
   *   device            | copy A | copy B | copy A | copy B |
   *
   * and the reverse to the host. A copy of one piece is one call of the driver.
   *
   * The driver's copy from pageable memory can return before the device has the bytes. Small copies
   * therefore go through pinned memory, from which the driver's copy is complete when it returns: the
   * thread copies 64 KiB faster than it waits for the stream.
   *
   * Copies use the default stream, as the driver's immediate copies do.
   */

  /** The largest copy of native memory that goes through pinned memory. */
  static final long SMALL_BYTES = 64 << 10;

  private static final long HALF_BYTES = 2 << 20;

  /** The smallest piece of a copy that is divided. */
  private static final long MIN_PIECE_BYTES = 256 << 10;

  /** How many threads can copy at the same time. Others wait. */
  private static final int MAX_THREADS = 4;

  private static final long DEFAULT_STREAM = 0;

  private final CudaContext context;
  private final CudaDriver driver;
  private final Semaphore permits = new Semaphore(MAX_THREADS);
  private final ConcurrentLinkedDeque<Halves> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  /** Creates copies, which allocate pinned memory when they first need it. */
  StagedCopies(CudaContext context) {
    this.context = context;
    this.driver = context.driver();
  }

  /**
   * Two halves of memory, of one thread at a time.
   *
   * @param isPinned false if the driver refused pinned memory
   */
  private record Halves(Arena arena, MemorySegment memory, boolean isPinned) {

    static Halves allocate(CudaContext context) {
      if (!context.tryHold()) {
        throw new AssertionError("a device with a region holds its context");
      }
      Arena arena = Arena.ofShared();
      try {
        return new Halves(arena, PinnedMemory.allocate(context, 2 * HALF_BYTES, arena), true);
      } catch (DeviceException refused) {
        if (refused.code() == CudaDriver.OUT_OF_MEMORY) {
          return new Halves(arena, arena.allocate(2 * HALF_BYTES), false);
        }
        throw refused;
      }
    }

    /** {@return the memory of a piece} */
    MemorySegment half(long piece, long bytes) {
      return memory.asSlice((piece & 1) * HALF_BYTES, bytes);
    }
  }

  /** A copy of a thread. */
  private interface Body {
    void copy(Halves halves);
  }

  /** Copies a segment of at least one byte to the device. */
  void copyFromHost(MemorySegment source, long address) {
    withHalves(halves -> {
      long bytes = source.byteSize();
      long pieceBytes = pieceBytes(bytes);
      if (bytes == pieceBytes) {
        copyPieceFromHost(halves, source, address);
        return;
      }
      for (long start = 0; start < bytes; start += pieceBytes) {
        boolean isFirst = start == 0;
        long to = address + start;
        MemorySegment half = halves.half(start / pieceBytes, Math.min(pieceBytes, bytes - start));
        half.copyFrom(source.asSlice(start, half.byteSize()));
        context.call(
            () -> what("cuMemcpyHtoDAsync", half, "to", to),
            _ -> {
              int code = isFirst ? CudaDriver.SUCCESS : driver.streamSynchronize(DEFAULT_STREAM);
              return code == CudaDriver.SUCCESS
                  ? driver.memcpyHtoDAsync(to, half, half.byteSize(), DEFAULT_STREAM)
                  : code;
            });
      }
      await();
    });
  }

  private void copyPieceFromHost(Halves halves, MemorySegment source, long address) {
    MemorySegment half = halves.half(0, source.byteSize());
    half.copyFrom(source);
    context.call(
        () -> what("cuMemcpyHtoD", half, "to", address),
        _ -> driver.memcpyHtoD(address, half, half.byteSize()));
    if (!halves.isPinned) {
      await();
    }
  }

  /** Copies to a segment of at least one byte. */
  void copyToHost(long address, MemorySegment target) {
    withHalves(halves -> {
      long bytes = target.byteSize();
      long pieceBytes = pieceBytes(bytes);
      if (bytes == pieceBytes) {
        MemorySegment half = halves.half(0, bytes);
        context.call(
            () -> what("cuMemcpyDtoH", half, "from", address),
            _ -> driver.memcpyDtoH(half, address, bytes));
        target.copyFrom(half);
        return;
      }
      long pieceCount = (bytes + pieceBytes - 1) / pieceBytes;
      enqueueToHost(halves, address, bytes, pieceBytes, 0);
      for (long piece = 0; piece < pieceCount; piece++) {
        await();
        if (piece + 1 < pieceCount) {
          enqueueToHost(halves, address, bytes, pieceBytes, piece + 1);
        }
        long start = piece * pieceBytes;
        MemorySegment half = halves.half(piece, Math.min(pieceBytes, bytes - start));
        target.asSlice(start, half.byteSize()).copyFrom(half);
      }
    });
  }

  private void enqueueToHost(Halves halves, long address, long bytes, long pieceBytes, long piece) {
    long start = piece * pieceBytes;
    MemorySegment half = halves.half(piece, Math.min(pieceBytes, bytes - start));
    context.call(
        () -> what("cuMemcpyDtoHAsync", half, "from", address + start),
        _ -> driver.memcpyDtoHAsync(half, address + start, half.byteSize(), DEFAULT_STREAM));
  }

  private static long pieceBytes(long bytes) {
    return Math.min(bytes, Math.clamp(bytes / 4, MIN_PIECE_BYTES, HALF_BYTES));
  }

  private static String what(String function, MemorySegment half, String direction, long address) {
    return String.format(
        Locale.ROOT, "%s of %d bytes %s 0x%x", function, half.byteSize(), direction, address);
  }

  private void await() {
    context.call(() -> "cuStreamSynchronize", _ -> driver.streamSynchronize(DEFAULT_STREAM));
  }

  /** Copies with halves of its own, which end if the copy fails and may have queued work. */
  private void withHalves(Body body) {
    permits.acquireUninterruptibly();
    try {
      Halves halves = Optional.ofNullable(idle.poll()).orElseGet(() -> Halves.allocate(context));
      try {
        body.copy(halves);
      } catch (RuntimeException | Error failed) {
        end(halves, failed);
        throw failed;
      }
      idle.push(halves);
      if (closed) {
        close();
      }
    } finally {
      permits.release();
    }
  }

  private void end(Halves halves, Throwable failed) {
    for (Runnable step : new Runnable[] {this::await, halves.arena::close}) {
      try {
        step.run();
      } catch (DeviceException alsoFailed) {
        failed.addSuppressed(alsoFailed);
      }
    }
  }

  /** Frees the memory when no thread copies. */
  @Override
  public void close() {
    closed = true;
    for (Halves halves = idle.poll(); halves != null; halves = idle.poll()) {
      halves.arena.close();
    }
  }
}
