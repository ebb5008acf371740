package dev.stowage.trace.netty;

import java.util.Optional;

/** A part of a group that allocates from one chunk until it is used up. */
final class Magazine<C extends AdaptiveChunk> {

  /** The least free bytes of a chunk that is worth to be the next one. */
  private static final int LEAST_REST = 256;

  private final ChunkSizes<C> sizes;
  private final ChunkReuse<C> reuse;
  private Optional<C> current = Optional.empty();
  private Optional<C> next = Optional.empty();

  Magazine(ChunkSizes<C> sizes, ChunkReuse<C> reuse) {
    this.sizes = sizes;
    this.reuse = reuse;
  }

  /** {@return a buffer; empty if the chosen chunk has no contiguous memory for it} */
  Optional<NettyBuffer> allocate(int bytes) {
    int rounded = sizes.rounded(bytes);
    if (current.isPresent()) {
      C chunk = current.get();
      Optional<NettyBuffer> buffer = chunk.take(rounded);
      if (chunk.remainingBytes() == 0) {
        current = Optional.empty();
        reuse.offer(chunk);
      } else if (buffer.isEmpty()) {
        current = Optional.empty();
        keepOrOffer(chunk);
      }
      if (buffer.isPresent()) {
        return buffer;
      }
    }
    return next.isPresent() ? fromNext(bytes, rounded) : fromReuse(bytes, rounded);
  }

  private Optional<NettyBuffer> fromNext(int bytes, int rounded) {
    C chunk = next.orElseThrow();
    next = Optional.empty();
    int rest = chunk.remainingBytes();
    if (rest > rounded) {
      Optional<NettyBuffer> buffer = chunk.take(rounded);
      if (buffer.isPresent()) {
        current = Optional.of(chunk);
        return buffer;
      }
    }
    if (rest >= bytes) {
      Optional<NettyBuffer> buffer = chunk.take(rest);
      reuse.offer(chunk);
      return buffer;
    }
    reuse.offer(chunk);
    return fromReuse(bytes, rounded);
  }

  private Optional<NettyBuffer> fromReuse(int bytes, int rounded) {
    Optional<C> reused = reuse.poll(bytes);
    if (reused.isPresent() && reused.get().remainingBytes() < Math.max(1, bytes)) {
      C tooFull = reused.get();
      reused = Optional.empty();
      if (tooFull.remainingBytes() < LEAST_REST) {
        reuse.offer(tooFull);
      } else {
        keepOrOffer(tooFull);
      }
    }
    C chunk = reused.isPresent() ? reused.get() : sizes.newChunk(bytes);
    int rest = chunk.remainingBytes();
    if (rest > rounded) {
      current = Optional.of(chunk);
      return chunk.take(rounded);
    }
    Optional<NettyBuffer> buffer = chunk.take(rest);
    reuse.offer(chunk);
    return buffer;
  }

  /** Keeps a chunk as the next one if it has more free bytes than that, or offers it to others. */
  private void keepOrOffer(C chunk) {
    if (next.isEmpty()) {
      next = Optional.of(chunk);
    } else if (chunk.remainingBytes() > next.get().remainingBytes()) {
      C smaller = next.get();
      next = Optional.of(chunk);
      reuse.offer(smaller);
    } else {
      reuse.offer(chunk);
    }
  }

  /** Offers the chunks of this magazine to others. */
  void close() {
    next.ifPresent(reuse::offer);
    next = Optional.empty();
    current.ifPresent(reuse::offer);
    current = Optional.empty();
  }
}
