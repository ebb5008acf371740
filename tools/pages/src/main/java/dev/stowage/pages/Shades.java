package dev.stowage.pages;

import dev.stowage.plan.explain.LoadPeak.TaskRange;
import java.util.List;

/** The colours of tensors: orange and hatched if live at a peak, else blue, in shades by size. */
final class Shades {

  /* A shade is an equal part of the logarithms between the smallest and the largest tensor. */

  static final int COUNT = 5;

  private final boolean[] atPeak;
  private final double least;
  private final double span;

  private Shades(boolean[] atPeak, double least, double span) {
    this.atPeak = atPeak;
    this.least = least;
    this.span = span;
  }

  /** {@return the colours of all records} */
  static Shades of(PlanPicture picture, List<Part> parts, List<TaskRange> peaks) {
    boolean[] atPeak = new boolean[picture.problem().records().size()];
    double least = Double.MAX_VALUE;
    double most = 0;
    for (Part part : parts) {
      double bytes = (double) picture.problem().records().get(part.record()).bytes();
      least = Math.min(least, bytes);
      most = Math.max(most, bytes);
      atPeak[part.record()] |= isLiveAtOneOf(peaks, part);
    }
    return new Shades(atPeak, least, most <= least ? 0 : Math.log(most / least));
  }

  /** {@return true if the tasks of a part contain a peak; the peaks are ascending} */
  private static boolean isLiveAtOneOf(List<TaskRange> peaks, Part part) {
    int from = 0;
    int to = peaks.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (peaks.get(middle).lastTask() < part.firstTask()) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from < peaks.size() && peaks.get(from).firstTask() <= part.lastTask();
  }

  /** {@return 0 for the smallest records to 4 for the largest} */
  int shade(long bytes) {
    return span == 0
        ? COUNT / 2
        : Math.min(COUNT - 1, (int) (COUNT * Math.log(bytes / least) / span));
  }

  /** {@return the class in the style sheet} */
  String cssClass(int record, long bytes) {
    return (atPeak[record] ? "o" : "b") + shade(bytes);
  }
}
