package dev.stowage.process;

import java.util.List;
import java.util.OptionalLong;

/** A line through samples that resists outliers. */
final class ResistantLine {

  /*
   * Tukey's resistant line (Exploratory Data Analysis, 1977) without its repetitions:
   *
   *   bytes |              R         L, M, R: the medians of the three thirds of the samples
   *         |       M                slope: from L to R
   *         |  L                     course: (M - L) / (R - L)
   *         +----------------> time
   *
   * A peak or a collection changes a median only if it lasts for half a third of the samples. It
   * costs one sort of the samples. A slope between all pairs (Theil and Sen) resists more, but
   * costs n² for n samples, and has no course.
   */

  private static final int LEAST_FOR_COURSE = 6;

  /** In a shorter time, one batch or one collection decides the growth. */
  private static final long LEAST_MILLIS_FOR_RATE = 60_000;

  private static final double HOUR_MILLIS = 3_600_000;

  private ResistantLine() {}

  /**
   * {@return the growth of values}
   *
   * @param bytes the values, at least two
   * @param millis the time of each in milliseconds; empty if they are not known
   */
  static ByteGrowth growth(List<Long> bytes, List<Long> millis) {
    int outer = (bytes.size() + 1) / 3;
    int right = bytes.size() - outer;
    long first = median(bytes.subList(0, outer));
    long last = median(bytes.subList(right, bytes.size()));
    OptionalLong perHour = OptionalLong.empty();
    if (!millis.isEmpty() && millis.getLast() - millis.getFirst() >= LEAST_MILLIS_FOR_RATE) {
      long time = median(millis.subList(right, millis.size())) - median(millis.subList(0, outer));
      if (time > 0) {
        perHour = OptionalLong.of(Math.round((last - first) * HOUR_MILLIS / time));
      }
    }
    ByteGrowth.Course course =
        bytes.size() < LEAST_FOR_COURSE
            ? ByteGrowth.Course.FEW_SAMPLES
            : course(first, median(bytes.subList(outer, right)), last);
    return new ByteGrowth(bytes.getFirst(), bytes.getLast(), last - first, perHour, course);
  }

  private static ByteGrowth.Course course(long first, long middle, long last) {
    double share = last == first ? 0.5 : (middle - first) / (double) (last - first);
    if (share > 0.75) {
      return ByteGrowth.Course.SLOWING;
    }
    return share < 0.25 ? ByteGrowth.Course.LATE : ByteGrowth.Course.STEADY;
  }

  private static long median(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    long low = sorted.get((sorted.size() - 1) / 2);
    return low + (sorted.get(sorted.size() / 2) - low) / 2;
  }
}
