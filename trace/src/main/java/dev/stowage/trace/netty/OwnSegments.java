package dev.stowage.trace.netty;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The chunks of a size class of one thread that its magazine does not hold. */
final class OwnSegments implements ChunkReuse<SegmentChunk> {

  /*
   * A purge after a number of requests divides the chunks:
   *
   *   | used in part | unused for some purges | unused for long | all in use |
   *   |<------------------- ready ----------------------------->|
   *
   * Requests take the first ready one. If none is left, they search the others from the left.
   */

  private final int most;
  private final int leastKept;
  private final long pollsOfPurge;
  private final int purgeThreshold;
  private final List<SegmentChunk> chunks = new ArrayList<>();
  private int readyCount;
  private long polls;

  OwnSegments(NettySettings settings, int chunkBytes) {
    most = Math.max(1, settings.threadLocalChunkCacheMaxBytes() / chunkBytes);
    leastKept = Math.min(most, Math.max(1, settings.threadLocalChunkCacheMinBytes() / chunkBytes));
    pollsOfPurge = settings.chunkPurgePollsThreadLocal();
    purgeThreshold = settings.chunkPurgeThreshold();
  }

  @Override
  public Optional<SegmentChunk> poll(int bytes) {
    if (++polls == pollsOfPurge) {
      purge();
      polls = 0;
    }
    if (readyCount > 0) {
      readyCount--;
      return Optional.of(used(chunks.removeFirst()));
    }
    for (int i = 0; i < chunks.size(); i++) {
      if (chunks.get(i).hasFree()) {
        Collections.swap(chunks, i, chunks.size() - 1);
        return Optional.of(used(chunks.removeLast()));
      }
    }
    return Optional.empty();
  }

  private static SegmentChunk used(SegmentChunk chunk) {
    chunk.idlePurges = 0;
    return chunk;
  }

  private void purge() {
    List<SegmentChunk> kept = new ArrayList<>();
    int count = chunks.size();
    for (SegmentChunk chunk : chunks) {
      if (chunk.idlePurges > 0 || chunk.isUnused()) {
        chunk.idlePurges++;
      }
      if (chunk.idlePurges > purgeThreshold && count > leastKept) {
        chunk.retire();
        count--;
      } else {
        kept.add(chunk);
      }
    }
    chunks.clear();
    chunks.addAll(kept);
    divide();
  }

  private void divide() {
    int ready = 0;
    int end = chunks.size() - 1;
    while (ready <= end) {
      if (chunks.get(ready).hasFree()) {
        ready++;
      } else {
        Collections.swap(chunks, ready, end--);
      }
    }
    readyCount = ready;
    int low = 0;
    int next = 0;
    int high = ready - 1;
    while (next <= high) {
      int idle = chunks.get(next).idlePurges;
      if (idle == 0) {
        Collections.swap(chunks, low++, next++);
      } else if (idle < purgeThreshold) {
        next++;
      } else {
        Collections.swap(chunks, next, high--);
      }
    }
  }

  @Override
  public void offer(SegmentChunk chunk) {
    if (chunks.size() < most) {
      chunks.add(chunk);
    } else {
      chunk.retire();
    }
  }
}
