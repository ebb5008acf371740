package dev.stowage.cuda;

import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Two halves of pinned memory, each with a stream. One thread at a time copies through them. */
final class PinnedHalves implements AutoCloseable {

  /*
   * The thread fills one half while the device copies from the other one, and the reverse to the host:
   *
   *   thread   | fill A | fill B | fill A | fill B |
   *   device            | copy A | copy B | copy A | copy B |
   *
   * The thread waits for the stream of a half before it uses the half again. A copy of one piece is one
   * call of the driver, which is complete when it returns, because the memory is pinned.
   *
   * On processors with AVX-512, the JVM copies past the caches from about 2.5 MiB on. This is up to
   * three times as fast if no cache has the target. Hence the size of a half.
   */

  /** The largest copy of one piece. */
  static final long MIN_PIECE_BYTES = 256 << 10;

  private static final long HALF_BYTES = 4 << 20;

  private static final long LINE_BYTES = 64;

  private static final long DEFAULT_STREAM = 0;

  private final CudaContext context;
  private final CudaDriver driver;
  private final Arena arena = Arena.ofShared();
  private final List<Long> streams = new ArrayList<>();
  private MemorySegment memory = MemorySegment.NULL;
  private boolean isPinned;

  private PinnedHalves(CudaContext context) {
    this.context = context;
    this.driver = context.driver();
  }

  /**
   * {@return new halves; of pageable memory if the driver refuses pinned memory}
   *
   * @param context a context that a region holds
   * @throws DeviceException if a call of the driver fails
   */
  static PinnedHalves allocate(CudaContext context) {
    PinnedHalves halves = new PinnedHalves(context);
    try {
      halves.allocateMemory();
      halves.openStream();
      halves.openStream();
      return halves;
    } catch (RuntimeException | Error failed) {
      halves.closeAfter(failed);
      throw failed;
    }
  }

  private void allocateMemory() {
    if (!context.tryHold()) {
      throw new AssertionError("a device with a region holds its context");
    }
    try {
      memory = PinnedMemory.allocate(context, 2 * HALF_BYTES, arena);
      isPinned = true;
    } catch (DeviceException refused) {
      if (refused.code() != CudaDriver.OUT_OF_MEMORY) {
        throw refused;
      }
      memory = arena.allocate(2 * HALF_BYTES);
    }
  }

  private void openStream() {
    streams.add(
        context.result(
            () -> "cuStreamCreate",
            results -> driver.streamCreate(results, CudaStream.NON_BLOCKING)));
  }

  private static long pieceBytes(long bytes) {
    long quarter = (Math.ceilDiv(bytes, 4) + LINE_BYTES - 1) & -LINE_BYTES;
    return Math.min(bytes, Math.clamp(quarter, MIN_PIECE_BYTES, HALF_BYTES));
  }

  /** {@return the memory of a piece} */
  private MemorySegment half(long piece, long bytes) {
    return memory.asSlice((piece & 1) * HALF_BYTES, bytes);
  }

  /** {@return the stream of a piece} */
  private long stream(long piece) {
    return streams.get((int) (piece & 1));
  }

  /** Copies a segment of at least one byte to the device. */
  void copyFromHost(MemorySegment source, long address) {
    long bytes = source.byteSize();
    long pieceBytes = pieceBytes(bytes);
    if (bytes == pieceBytes) {
      copyPieceFromHost(source, address);
      return;
    }
    for (long start = 0; start < bytes; start += pieceBytes) {
      long piece = start / pieceBytes;
      long target = address + start;
      MemorySegment half = half(piece, Math.min(pieceBytes, bytes - start));
      if (piece > 1) {
        await(stream(piece));
      }
      half.copyFrom(source.asSlice(start, half.byteSize()));
      context.call(
          () -> what("cuMemcpyHtoDAsync", half, "to", target),
          _ -> driver.memcpyHtoDAsync(target, half, half.byteSize(), stream(piece)));
    }
    await(stream(0));
    await(stream(1));
  }

  private void copyPieceFromHost(MemorySegment source, long address) {
    MemorySegment half = half(0, source.byteSize());
    half.copyFrom(source);
    context.call(
        () -> what("cuMemcpyHtoD", half, "to", address),
        _ -> driver.memcpyHtoD(address, half, half.byteSize()));
    if (!isPinned) {
      await(DEFAULT_STREAM);
    }
  }

  /** Copies to a segment of at least one byte. */
  void copyToHost(long address, MemorySegment target) {
    long bytes = target.byteSize();
    long pieceBytes = pieceBytes(bytes);
    if (bytes == pieceBytes) {
      MemorySegment half = half(0, bytes);
      context.call(
          () -> what("cuMemcpyDtoH", half, "from", address),
          _ -> driver.memcpyDtoH(half, address, bytes));
      target.copyFrom(half);
      return;
    }
    enqueueToHost(address, bytes, pieceBytes, 0);
    enqueueToHost(address, bytes, pieceBytes, 1);
    for (long start = 0; start < bytes; start += pieceBytes) {
      long piece = start / pieceBytes;
      MemorySegment half = half(piece, Math.min(pieceBytes, bytes - start));
      await(stream(piece));
      target.asSlice(start, half.byteSize()).copyFrom(half);
      enqueueToHost(address, bytes, pieceBytes, piece + 2);
    }
  }

  private void enqueueToHost(long address, long bytes, long pieceBytes, long piece) {
    long start = piece * pieceBytes;
    if (start < bytes) {
      MemorySegment half = half(piece, Math.min(pieceBytes, bytes - start));
      context.call(
          () -> what("cuMemcpyDtoHAsync", half, "from", address + start),
          _ -> driver.memcpyDtoHAsync(half, address + start, half.byteSize(), stream(piece)));
    }
  }

  private static String what(String function, MemorySegment half, String direction, long address) {
    return String.format(
        Locale.ROOT, "%s of %d bytes %s 0x%x", function, half.byteSize(), direction, address);
  }

  private void await(long stream) {
    context.call(() -> "cuStreamSynchronize", _ -> driver.streamSynchronize(stream));
  }

  /** Closes the halves after a failure, and adds further failures to it. */
  void closeAfter(Throwable failed) {
    try {
      close();
    } catch (DeviceException alsoFailed) {
      failed.addSuppressed(alsoFailed);
    }
  }

  /** Waits for the copies and frees all memory, also after a failure; throws the first failure. */
  @Override
  public void close() {
    Optional<DeviceException> failure = Optional.empty();
    List<Runnable> steps = new ArrayList<>();
    streams.forEach(stream -> steps.add(() -> finishAndDestroy(stream)));
    steps.add(arena::close);
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (DeviceException failed) {
        failure = failure.or(() -> Optional.of(failed));
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private void finishAndDestroy(long stream) {
    context.call(
        () -> "cuStreamSynchronize or cuStreamDestroy",
        _ -> {
          int code = driver.streamSynchronize(stream);
          int ended = driver.streamDestroy(stream);
          return code == CudaDriver.SUCCESS ? ended : code;
        });
  }
}
