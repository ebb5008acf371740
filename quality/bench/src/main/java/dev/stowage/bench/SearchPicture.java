package dev.stowage.bench;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A picture of searches: seconds over records, both on logarithmic axes, with the distance from the
 * load at the start and at the end.
 */
final class SearchPicture {

  private static final int LEFT = 70;
  private static final int TOP = 40;
  private static final int WIDTH = 620;
  private static final int HEIGHT = 300;

  private final List<SearchRun> runs;
  private final double leastRecords;
  private final double mostRecords;
  private final double leastSeconds = 0.001;
  private final double mostSeconds;

  SearchPicture(List<SearchRun> runs, Duration limit) {
    this.runs = runs;
    leastRecords = runs.stream().mapToInt(SearchRun::records).min().orElse(1) / 1.5;
    mostRecords = runs.stream().mapToInt(SearchRun::records).max().orElse(1) * 1.5;
    double longest = runs.stream().mapToDouble(SearchRun::seconds).max().orElse(1);
    mostSeconds = 1.5 * Math.max(limit.toNanos() / 1e9, longest);
  }

  String svg() {
    StringBuilder svg = new StringBuilder();
    append(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='12'>",
        LEFT + WIDTH + 20,
        TOP + HEIGHT + 50);
    append(svg, "<rect width='100%%' height='100%%' fill='white'/>");
    append(
        svg,
        "<text x='%d' y='20' font-size='13'>Seconds until the plan was proved optimal (filled), or the time was over; percent: greedy above the load</text>",
        LEFT);
    for (double seconds = leastSeconds; seconds <= mostSeconds; seconds *= 10) {
      axis(svg, LEFT, y(seconds), LEFT + WIDTH, y(seconds));
      append(
          svg,
          "<text x='%d' y='%.1f' text-anchor='end'>%s s</text>",
          LEFT - 6,
          y(seconds) + 4,
          seconds < 1
              ? String.format(Locale.ROOT, "%.3f", seconds).replaceFirst("0+$", "")
              : String.format(Locale.ROOT, "%.0f", seconds));
    }
    for (double records = 1; records <= mostRecords; records *= 10) {
      if (records >= leastRecords) {
        axis(svg, x(records), TOP, x(records), TOP + HEIGHT);
        append(
            svg,
            "<text x='%.1f' y='%d' text-anchor='middle'>%,.0f</text>",
            x(records),
            TOP + HEIGHT + 18,
            records);
      }
    }
    append(
        svg,
        "<text x='%d' y='%d' text-anchor='middle'>records</text>",
        LEFT + WIDTH / 2,
        TOP + HEIGHT + 38);
    runs.forEach(run -> point(svg, run));
    return svg.append("</svg>\n").toString();
  }

  private void point(StringBuilder svg, SearchRun run) {
    boolean isRight = x(run.records()) > LEFT + WIDTH * 0.7;
    append(
        svg,
        "<circle cx='%.1f' cy='%.1f' r='5' fill='%s' stroke='#1b5e8c'/>",
        x(run.records()),
        y(run.seconds()),
        run.result().isOptimal() ? "#1b5e8c" : "white");
    String greedy = String.format(Locale.ROOT, "+%.1f", run.percentAbove(run.greedyBytes()));
    String label =
        run.result().isOptimal()
            ? greedy
            : String.format(
                Locale.ROOT,
                "%s → +%.2f",
                greedy,
                run.percentAbove(run.result().assignment().totalBytes()));
    append(
        svg,
        "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>",
        x(run.records()) + (isRight ? -8 : 8),
        y(run.seconds()) - 6,
        isRight ? "end" : "start",
        label);
  }

  private static void axis(StringBuilder svg, double x1, double y1, double x2, double y2) {
    append(svg, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>", x1, y1, x2, y2);
  }

  private double x(double records) {
    return LEFT + WIDTH * Math.log(records / leastRecords) / Math.log(mostRecords / leastRecords);
  }

  private double y(double seconds) {
    double shown = Math.max(seconds, leastSeconds);
    return TOP
        + HEIGHT * (1 - Math.log(shown / leastSeconds) / Math.log(mostSeconds / leastSeconds));
  }

  @SuppressWarnings("AnnotateFormatMethod") // would need a further library
  private static void append(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
