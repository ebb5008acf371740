package dev.stowage.trace.netty;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The chunks of a size class of all threads that no magazine holds, as a bounded queue. */
final class SharedSegments implements ChunkReuse<SegmentChunk> {

  /*
   * Each request for a chunk takes the first one of the queue that has a free segment and that was
   * not unused at the last purge; then the first one that was. Chunks that it passes go to the end.
   * After a number of requests, a purge counts how often it found a chunk unused.
   */

  private static final int LEAST_CAPACITY = 16;

  private final int capacity;
  private final int keptUnused;
  private final long pollsOfPurge;
  private final int purgeThreshold;
  private final Deque<SegmentChunk> queue = new ArrayDeque<>();
  private long polls;

  SharedSegments(NettySettings settings) {
    keptUnused = settings.chunkReuseQueueCapacity();
    int least = Math.max(LEAST_CAPACITY, 2 * keptUnused);
    capacity = NettyChunks.powerOfTwo(least);
    pollsOfPurge = settings.chunkPurgePollsShared();
    purgeThreshold = settings.chunkPurgeThreshold();
  }

  @Override
  public Optional<SegmentChunk> poll(int bytes) {
    if (++polls == pollsOfPurge) {
      purge();
      polls = 0;
    }
    SegmentChunk unused = null;
    for (int known = queue.size(); known > 0; known--) {
      SegmentChunk chunk = queue.removeFirst();
      if (chunk.hasFree() && chunk.idlePurges == 0) {
        if (unused != null) {
          offer(unused);
        }
        return Optional.of(chunk);
      }
      if (chunk.hasFree() && unused == null) {
        unused = chunk;
      } else {
        queue.addLast(chunk);
      }
    }
    rotate();
    if (unused == null) {
      return Optional.empty();
    }
    unused.idlePurges = 0;
    return Optional.of(unused);
  }

  private void purge() {
    int count = queue.size();
    List<SegmentChunk> later = new ArrayList<>();
    for (int known = queue.size(); known > 0; known--) {
      SegmentChunk chunk = queue.removeFirst();
      chunk.idlePurges = chunk.isUnused() ? chunk.idlePurges + 1 : 0;
      if (chunk.idlePurges > purgeThreshold || !chunk.hasFree()) {
        later.add(chunk);
      } else {
        queue.addLast(chunk);
      }
    }
    rotate();
    for (SegmentChunk chunk : later) {
      if (chunk.idlePurges > purgeThreshold && count > keptUnused) {
        chunk.retire();
        count--;
      } else {
        queue.addLast(chunk);
      }
    }
  }

  /** Moves the first chunk to the end: a complete walk stops after it has seen that one again. */
  private void rotate() {
    if (!queue.isEmpty()) {
      queue.addLast(queue.removeFirst());
    }
  }

  @Override
  public void offer(SegmentChunk chunk) {
    if (queue.size() < capacity) {
      queue.addLast(chunk);
    } else {
      chunk.retire();
    }
  }
}
