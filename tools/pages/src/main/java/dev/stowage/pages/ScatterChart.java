package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A chart of points, each with a cost and a number of bytes. Less is better on both axes.
 *
 * @param across the title of the axis of the costs
 * @param item the name of a point without a mark
 * @param range the meaning of the bars through points; empty if there are none
 * @param points the points, each of which belongs to a row of a table
 * @param lines lines across the chart
 * @param table a table with a row for each point, to which the point links
 */
public record ScatterChart(
    String across,
    String item,
    String range,
    List<Point> points,
    List<Line> lines,
    FigureTable<?> table)
    implements PagePicture {

  private static final double RADIUS = 5;

  /** Costs that differ by more than this factor have a logarithmic axis. */
  private static final int MOST_LINEAR = 10;

  /** The mark of a point, which has a shape and a colour of its own. */
  public enum Mark {
    /** A point like most others. */
    NONE,
    /** The point to use. */
    RECOMMENDED,
    /** The point to compare with. */
    BASELINE,
    /** A point whose bytes are no success. */
    FAILED;

    private String style() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A point.
   *
   * @param cost the position on the axis of the costs; not negative
   * @param bytes the position on the axis of the bytes
   * @param lowBytes the low end of a bar through the point; the bytes if there is none
   * @param highBytes the high end of the bar; the bytes if there is none
   * @param mark the mark
   * @param label the text beside the point; empty if there is none
   */
  public record Point(
      long cost, long bytes, long lowBytes, long highBytes, Mark mark, String label) {}

  /**
   * A line at a number of bytes.
   *
   * @param colour the name of a colour of the style, such as {@code bound}
   */
  public record Line(String name, String colour, long bytes) {}

  /**
   * Creates a chart.
   *
   * @throws IllegalArgumentException if the table has another number of rows
   */
  public ScatterChart {
    points = List.copyOf(points);
    lines = List.copyOf(lines);
    if (table.rowCount() != points.size()) {
      throw new IllegalArgumentException(
          Text.of(
              "the table needs a row for each of %d points: rows=%d",
              points.size(), table.rowCount()));
    }
  }

  /**
   * {@return the indices of the points that no other one betters, by ascending cost}
   *
   * <p>A point betters another one if it is smaller on one axis and not larger on the other. Of
   * points at the same place, the first one is on the front. Failed points are not.
   */
  List<Integer> front() {
    List<Integer> byCost =
        IntStream.range(0, points.size())
            .filter(i -> points.get(i).mark != Mark.FAILED)
            .boxed()
            .sorted(
                Comparator.<Integer>comparingLong(i -> points.get(i).cost)
                    .thenComparingLong(i -> points.get(i).bytes))
            .toList();
    List<Integer> front = new ArrayList<>();
    for (int i : byCost) {
      if (front.isEmpty() || points.get(i).bytes < points.get(front.getLast()).bytes) {
        front.add(i);
      }
    }
    return front;
  }

  @Override
  public String markup() {
    long mostCost = points.stream().mapToLong(Point::cost).max().orElse(0);
    long leastCost = points.stream().mapToLong(Point::cost).min().orElse(0);
    boolean isLog = mostCost > Math.max(20, MOST_LINEAR * (leastCost + 1));
    PlotArea area =
        new PlotArea(
            ChartDrawing.frame(true),
            padded(place(leastCost, isLog), place(mostCost, isLog), 0.06, 0.5),
            upwardsRange());
    ChartDrawing chart = new ChartDrawing(area, "group");
    writeKey(chart);
    double from = area.across().from();
    double to = area.across().to();
    List<Double> ticks =
        isLog
            ? Ticks.powers((long) Math.expm1(to)).stream().map(Math::log1p).toList()
            : Ticks.between(Math.max(0, from), to, 10, 1);
    return chart.markup(
        across,
        ticks.stream().filter(tick -> tick >= from).toList(),
        tick -> Numbers.grouped(Math.round(isLog ? Math.expm1(tick) : tick)),
        (plot, svg) -> {
          plot.writeLevels(
              lines.stream()
                  .filter(line -> plot.upwards().share((double) line.bytes) <= 1)
                  .filter(line -> plot.upwards().share((double) line.bytes) >= 0)
                  .map(line -> new PlotArea.Level(line.name, line.colour, line.bytes))
                  .toList(),
              svg);
          writeFront(plot, isLog, svg);
          writePoints(plot, isLog, svg);
        });
  }

  private static double place(long cost, boolean isLog) {
    return isLog ? Math.log1p((double) cost) : (double) cost;
  }

  /** {@return a range with a share of its length as margin, or with a least one} */
  private static PlotArea.Range padded(double from, double to, double share, double least) {
    double margin = to > from ? share * (to - from) : Math.max(least, 0.02 * to);
    return new PlotArea.Range(from - margin, to + margin);
  }

  /** {@return the bytes of all points, and of the lines that are not far away from them} */
  private PlotArea.Range upwardsRange() {
    long least = points.stream().mapToLong(Point::lowBytes).min().orElse(0);
    long most = points.stream().mapToLong(Point::highBytes).max().orElse(1);
    List<Long> near =
        lines.stream()
            .map(Line::bytes)
            .filter(bytes -> bytes >= least / 2 && bytes / 2 <= most)
            .toList();
    return padded(
        (double) near.stream().mapToLong(Long::longValue).reduce(least, Math::min),
        (double) near.stream().mapToLong(Long::longValue).reduce(most, Math::max),
        0.12,
        1);
  }

  private void writeKey(ChartDrawing chart) {
    chart.key("mark none", item);
    if (front().size() > 1) {
      chart.key("mark front", "on the front: no other point is smaller on both axes");
    }
    for (Point point : points) {
      if (!point.label.isEmpty()) {
        chart.key("mark " + point.mark.style(), point.label);
      }
    }
    if (points.stream().anyMatch(point -> point.mark == Mark.FAILED && point.label.isEmpty())) {
      chart.key("mark failed", "requests fail");
    }
    if (!range.isEmpty()) {
      chart.key("mark range", range);
    }
    for (Line line : lines) {
      chart.key(
          "stroke", "border-color", line.colour, line.name + " " + ByteUnit.human(line.bytes));
    }
  }

  /** Writes steps through the points that no other one betters. */
  private void writeFront(PlotArea plot, boolean isLog, Svg svg) throws IOException {
    StringBuilder path = new StringBuilder();
    for (int i : front()) {
      Point point = points.get(i);
      path.append(path.isEmpty() ? 'M' : 'H').append(Svg.number(plot.x(place(point.cost, isLog))));
      path.append(path.indexOf("H") < 0 ? ' ' : 'V').append(Svg.number(plot.y(point.bytes)));
    }
    svg.path("steps", path);
  }

  /** Writes the points, of which those with marks and those on the front are above the others. */
  private void writePoints(PlotArea plot, boolean isLog, Svg svg) throws IOException {
    Set<Integer> front = Set.copyOf(front());
    List<Integer> order =
        IntStream.range(0, points.size())
            .boxed()
            .sorted(
                Comparator.<Integer, Boolean>comparing(
                        i -> points.get(i).mark != Mark.NONE || front.contains(i))
                    .thenComparing(Comparator.reverseOrder()))
            .toList();
    for (int i : order) {
      Point point = points.get(i);
      double x = plot.x(place(point.cost, isLog));
      svg.markup(
          Text.of(
              "<a href=\"#%s\" class=\"point %s%s\"><title>%s</title>",
              table.rowId(i),
              point.mark.style(),
              front.contains(i) ? " front" : "",
              MarkupText.escaped(table.rowText(i))));
      if (point.lowBytes < point.highBytes) {
        svg.line("range", x, plot.y(point.lowBytes), x, plot.y(point.highBytes));
      }
      svg.path("shape", shape(point.mark, x, plot.y(point.bytes)));
      svg.markup("</a>\n");
    }
  }

  private static String shape(Mark mark, double x, double y) {
    String commands =
        switch (mark) {
          case NONE -> "m-%1$s 0a%1$s %1$s 0 1 0 %2$s 0a%1$s %1$s 0 1 0 -%2$s 0";
          case RECOMMENDED -> "m0 -%2$sl%2$s %2$sl-%2$s %2$sl-%2$s -%2$sz";
          case BASELINE -> "m-%1$s -%1$sh%2$sv%2$sh-%2$sz";
          case FAILED -> "m-%1$s -%1$sl%2$s %2$sm0 -%2$sl-%2$s %2$s";
        };
    return "M"
        + Svg.number(x)
        + " "
        + Svg.number(y)
        + Text.of(commands, Svg.number(RADIUS), Svg.number(2 * RADIUS));
  }
}
