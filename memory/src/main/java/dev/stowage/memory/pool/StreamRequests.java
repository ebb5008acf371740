package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationSource;
import dev.stowage.memory.device.DeviceStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The requests of streams for chunks of a {@link DevicePool}. */
final class StreamRequests {

  /*
   * A request first frees the chunks of completed work. Then it takes the smallest fitting chunk
   * that only its own stream used (D2), of at most twice the size. If there is none, it takes a new
   * chunk. If there is no room, it waits for queued work, without the lock of the chunks.
   */

  private static final long QUANTUM_BYTES = 256;

  private final StreamChunks chunks;
  private final QueuedFrees frees;

  StreamRequests(StreamChunks chunks) {
    this.chunks = chunks;
    frees = chunks.frees();
  }

  /** {@return the address of a chunk, waiting for queued work if there is no room} */
  long allocate(PoolRequest request, Optional<DeviceStream> stream) {
    check(request, stream);
    while (true) {
      List<QueuedFrees.End> awaited;
      synchronized (chunks.lock().inOrder()) {
        OptionalLong address = allocateOrFail(request, stream);
        if (address.isPresent()) {
          return address.getAsLong();
        }
        awaited = frees.holdOldest();
      }
      chunks.waits().await(awaited);
    }
  }

  /** {@return the address of a chunk, or empty if queued work has to complete first} */
  private OptionalLong allocateOrFail(PoolRequest request, Optional<DeviceStream> stream) {
    OptionalLong reused = reuse(request, stream);
    if (reused.isPresent()) {
      return reused;
    }
    return frees.isEmpty()
        ? OptionalLong.of(source(request).allocate(request.bytes(), alignment(request)))
        : chunks.listener().attempt(() -> tryAllocateNew(request));
  }

  /** {@return the address of a chunk, or empty if there is none without a wait} */
  OptionalLong tryAllocate(PoolRequest request, Optional<DeviceStream> stream) {
    check(request, stream);
    synchronized (chunks.lock().inOrder()) {
      OptionalLong reused = reuse(request, stream);
      return reused.isPresent() ? reused : tryAllocateNew(request);
    }
  }

  /** {@return the address of a chunk, waiting for queued work and for frees of other threads} */
  long allocateOrWait(PoolRequest request, Optional<DeviceStream> stream, Duration timeout)
      throws InterruptedException {
    check(request, stream);
    synchronized (chunks.lock().inOrder()) {
      OptionalLong reused = reuse(request, stream);
      if (reused.isPresent()) {
        return reused.getAsLong();
      }
    }
    try {
      return source(request)
          .allocateOrWait(request.bytes(), alignment(request), timeout, this::pause);
    } finally {
      chunks.waits().endPauses();
    }
  }

  /** Frees the chunks of completed work, and waits until others may be freed. */
  private void pause(long nanos) {
    chunks.waits().pause(nanos, chunks::freeCompleted);
  }

  private void check(PoolRequest request, Optional<DeviceStream> stream) {
    stream.ifPresent(chunks::checkDevice);
    PoolRequest.checkBudget(request.budget(), chunks.name(), chunks.allocator());
    chunks.checkNotCalledBack();
  }

  private OptionalLong tryAllocateNew(PoolRequest request) {
    return source(request).tryAllocate(request.bytes(), alignment(request));
  }

  private AllocationSource source(PoolRequest request) {
    return request.budget().isPresent() ? request.budget().get().charged() : chunks.allocator();
  }

  private long alignment(PoolRequest request) {
    return Math.max(request.alignment(), chunks.device().kernelAlignmentBytes());
  }

  /** {@return the address of a queued chunk that the stream can use at once} */
  private OptionalLong reuse(PoolRequest request, Optional<DeviceStream> stream) {
    chunks.checkNotClosing();
    chunks.freeCompleted();
    Optional<QueuedFrees.Use> own = reusable(request, stream);
    if (own.isEmpty()) {
      return OptionalLong.empty();
    }
    long address = own.get().address();
    if (request.budget().isPresent()) {
      if (!request.budget().get().charged().tryReuse(address, request.bytes())) {
        return OptionalLong.empty();
      }
    } else {
      chunks.allocator().reuse(address, request.bytes());
    }
    frees.takeOver(own.get());
    return OptionalLong.of(address);
  }

  /**
   * {@return the smallest chunk for a request, at most twice as large, that only one stream uses}
   */
  private Optional<QueuedFrees.Use> reusable(PoolRequest request, Optional<DeviceStream> stream) {
    long bytes = request.bytes();
    return stream
        .flatMap(own -> frees.smallestOf(own, bytes))
        .filter(use -> bytes > 0 && use.bytes() / 2 <= roundedBytes(bytes))
        .filter(use -> (use.address() & (alignment(request) - 1)) == 0);
  }

  /** {@return the bytes of the smallest chunk for a request} */
  private static long roundedBytes(long bytes) {
    return bytes > Long.MAX_VALUE - QUANTUM_BYTES
        ? Long.MAX_VALUE
        : (bytes + QUANTUM_BYTES - 1) / QUANTUM_BYTES * QUANTUM_BYTES;
  }
}
