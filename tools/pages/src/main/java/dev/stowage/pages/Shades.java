package dev.stowage.pages;

import dev.stowage.plan.explain.LoadPeak.TaskRange;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;

/** The colours of tensors: orange and hatched if marked, else blue, in shades by size. */
final class Shades {

  /* A shade is an equal part of the logarithms between the smallest and the largest tensor. */

  static final int COUNT = 5;

  private final BitSet marked;
  private final double least;
  private final double span;

  private Shades(BitSet marked, double least, double span) {
    this.marked = marked;
    this.least = least;
    this.span = span;
  }

  /** {@return the colours of all records, of which those that are live at a peak are marked} */
  static Shades of(PlanPicture picture, List<Part> parts, List<TaskRange> peaks) {
    BitSet atPeak = new BitSet();
    parts.stream()
        .filter(part -> isLiveAtOneOf(peaks, part))
        .forEach(part -> atPeak.set(part.record()));
    return of(picture, parts, atPeak);
  }

  /** {@return the colours of all records} */
  static Shades of(PlanPicture picture, List<Part> parts, BitSet marked) {
    double least = Double.MAX_VALUE;
    double most = 0;
    for (Part part : parts) {
      double bytes = (double) picture.problem().records().get(part.record()).bytes();
      least = Math.min(least, bytes);
      most = Math.max(most, bytes);
    }
    return new Shades(marked, least, most <= least ? 0 : Math.log(most / least));
  }

  /** Writes the hatched fills of marked tensors. */
  static void writePatterns(Svg svg) throws IOException {
    svg.markup("<defs>\n");
    for (int shade = 0; shade < COUNT; shade++) {
      svg.markup(
          "<pattern id=\"hatch"
              + shade
              + "\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
              + "<rect class=\"p"
              + shade
              + "\" width=\"6\" height=\"6\"/>"
              + "<path class=\"hatch\" d=\"M-1 7L7 -1M-1 1L1 -1M5 7L7 5\"/></pattern>\n");
    }
    svg.markup("</defs>\n");
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
    return (marked.get(record) ? "o" : "b") + shade(bytes);
  }
}
