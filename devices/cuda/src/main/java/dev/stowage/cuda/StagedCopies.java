package dev.stowage.cuda;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.stream.LongStream;

/**
 * Immediate copies between heap segments and the device, through pinned memory.
 *
 * <p>Large segments are copied in parts by threads of the common pool, because one thread copies
 * less than the bus. Safe for use by many threads.
 */
final class StagedCopies implements AutoCloseable {

  /** The most threads that copy at the same time, with 8 MiB of pinned memory each; others wait. */
  private static final int MAX_THREADS = 4;

  /** The smallest part of a copy that several threads share. */
  private static final long MIN_PART_BYTES = 2 << 20;

  private static final long PAGE_BYTES = 4096;

  private static final long DEFAULT_STREAM = 0;

  private final CudaContext context;
  private final Semaphore permits = new Semaphore(MAX_THREADS);
  private final ConcurrentLinkedDeque<PinnedHalves> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  /** Creates copies, which allocate pinned memory when they first need it. */
  StagedCopies(CudaContext context) {
    this.context = context;
  }

  /** A copy of a part. */
  private interface Part {
    void copy(PinnedHalves halves, long start, long bytes);
  }

  /** Copies a segment of at least one byte to the device. */
  void copyFromHost(MemorySegment source, long address) {
    copy(
        source.byteSize(),
        (halves, start, bytes) ->
            halves.copyFromHost(source.asSlice(start, bytes), address + start));
  }

  /** Copies to a segment of at least one byte. */
  void copyToHost(long address, MemorySegment target) {
    copy(
        target.byteSize(),
        (halves, start, bytes) -> halves.copyToHost(address + start, target.asSlice(start, bytes)));
  }

  private void copy(long bytes, Part part) {
    if (bytes > PinnedHalves.MIN_PIECE_BYTES) {
      // The copies have streams of their own. The driver's immediate copies follow the default
      // stream.
      context.call(
          () -> "cuStreamSynchronize", _ -> context.driver().streamSynchronize(DEFAULT_STREAM));
    }
    long partCount = Math.clamp(bytes / MIN_PART_BYTES, 1, MAX_THREADS);
    if (partCount == 1) {
      copyPart(part, 0, bytes);
      return;
    }
    long partBytes = (Math.ceilDiv(bytes, partCount) + PAGE_BYTES - 1) & -PAGE_BYTES;
    List<RuntimeException> failures =
        LongStream.range(0, partCount)
            .parallel()
            .map(index -> index * partBytes)
            .mapToObj(start -> failure(part, start, Math.min(partBytes, bytes - start)))
            .flatMap(Optional::stream)
            .toList(); // after all parts have stopped using the memory of the caller
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  private Optional<RuntimeException> failure(Part part, long start, long bytes) {
    try {
      copyPart(part, start, bytes);
      return Optional.empty();
    } catch (RuntimeException failed) {
      return Optional.of(failed);
    }
  }

  /** Copies a part through two halves of pinned memory, which are freed if the copy fails. */
  private void copyPart(Part part, long start, long bytes) {
    permits.acquireUninterruptibly();
    try {
      PinnedHalves halves =
          Optional.ofNullable(idle.poll()).orElseGet(() -> PinnedHalves.allocate(context));
      try {
        part.copy(halves, start, bytes);
      } catch (RuntimeException | Error failed) {
        halves.closeAfter(failed);
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

  /** Frees the memory when no thread copies. */
  @Override
  public void close() {
    closed = true;
    for (PinnedHalves halves = idle.poll(); halves != null; halves = idle.poll()) {
      halves.close();
    }
  }
}
