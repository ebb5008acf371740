package dev.stowage.trace.replay;

import java.util.Collection;
import java.util.Optional;
import java.util.TreeMap;

/** The free blocks of the small or of the large requests of a memory pool. */
final class BlockPool {

  /** The number of the memory pool. */
  final long number;

  final boolean isSmall;

  /** The number of searches, if it matters to the garbage collection. */
  long searches;

  private final TreeMap<Long, StreamBlocks> streams = new TreeMap<>(Long::compareUnsigned);

  /** The stream of the last request; most requests have the stream of the one before. */
  private StreamBlocks last;

  BlockPool(long number, boolean isSmall) {
    this.number = number;
    this.isSmall = isSmall;
    last = new StreamBlocks(this, 0);
    streams.put(0L, last);
  }

  StreamBlocks of(long stream) {
    if (last.stream != stream) {
      last = streams.computeIfAbsent(stream, number -> new StreamBlocks(this, number));
    }
    return last;
  }

  /** {@return the bytes of the largest free block} */
  long largestBytes() {
    long most = 0;
    for (StreamBlocks blocks : streams.values()) {
      most = Math.max(most, blocks.largestBytes());
    }
    return most;
  }

  /** {@return the bytes of the free blocks} */
  long freeBytes() {
    long sum = 0;
    for (StreamBlocks blocks : streams.values()) {
      sum += blocks.freeBytes();
    }
    return sum;
  }

  /** {@return the free blocks of a stream, if it has had some} */
  Optional<StreamBlocks> existing(long stream) {
    return Optional.ofNullable(streams.get(stream));
  }

  Collection<StreamBlocks> streams() {
    return streams.values();
  }
}
