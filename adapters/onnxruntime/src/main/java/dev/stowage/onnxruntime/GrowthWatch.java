package dev.stowage.onnxruntime;

import java.util.ArrayDeque;
import java.util.Deque;

/** The growth of memory outside the allocator over many runs. Guarded by its caller. */
final class GrowthWatch {

  /*
   * Samples vary, for example when the collector or the compiler works. The growth is therefore
   * between the largest of the first samples and the smallest of the latest ones: memory that all of
   * the latest samples have, and none of the first had.
   */

  /** The number of runs between two samples. */
  static final int RUNS_PER_SAMPLE = 50;

  /** The number of first samples, and of latest samples. */
  static final int SAMPLES = 5;

  private final Deque<Long> latest = new ArrayDeque<>();
  private int count;
  private long baseline = Long.MIN_VALUE;

  /** Adds a sample of the bytes outside the allocator, which may be negative. */
  void add(long bytes) {
    if (count < SAMPLES) {
      baseline = Math.max(baseline, bytes);
    } else {
      latest.add(bytes);
      if (latest.size() > SAMPLES) {
        latest.remove();
      }
    }
    count++;
  }

  /** {@return the growth; 0 until there are enough samples} */
  long growthBytes() {
    return latest.size() < SAMPLES
        ? 0
        : Math.max(0, latest.stream().mapToLong(Long::longValue).min().orElseThrow() - baseline);
  }

  /** {@return the number of runs over which the growth is measured} */
  long runs() {
    return (long) Math.max(0, count - SAMPLES) * RUNS_PER_SAMPLE;
  }
}
