package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.pages.ScatterChart.Line;
import dev.stowage.pages.ScatterChart.Mark;
import dev.stowage.pages.ScatterChart.Point;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The points of a chart that no other one betters, and its key. */
class ScatterChartTest {

  private static Point point(long cost, long bytes, Mark mark, String label) {
    return new Point(cost, bytes, bytes, bytes, mark, label);
  }

  private static ScatterChart of(List<Point> points) {
    FigureTable<Point> table =
        new FigureTable<Point>("Settings").text("Name", Point::label).count("Calls", Point::cost);
    return new ScatterChart(
        "calls",
        "settings",
        "",
        points,
        List.of(new Line("limit", "capacity", 9)),
        table.addAll(points));
  }

  @Test
  void front_ofAnyPoints_hasThoseThatNoOtherBetters() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<Point> points =
          random
              .ints(random.nextInt(12))
              .mapToObj(_ ->
                  point(
                      random.nextInt(5),
                      random.nextInt(5),
                      random.nextInt(4) == 0 ? Mark.FAILED : Mark.NONE,
                      ""))
              .toList();

      List<Integer> expected =
          IntStream.range(0, points.size())
              .filter(i -> points.get(i).mark() == Mark.NONE)
              .filter(i ->
                  IntStream.range(0, points.size())
                      .noneMatch(j -> isBetter(points.get(j), j, points.get(i), i)))
              .boxed()
              .toList();

      assertThat(of(points).front()).as("%s", points).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  /** {@return true if a point betters another one, or is the first of two at the same place} */
  private static boolean isBetter(Point one, int index, Point other, int otherIndex) {
    boolean isSame = one.cost() == other.cost() && one.bytes() == other.bytes();
    return one.mark() == Mark.NONE
        && one.cost() <= other.cost()
        && one.bytes() <= other.bytes()
        && (!isSame || index < otherIndex);
  }

  @Test
  void markup_hasAKeyForEachKindOfPoints() {
    String markup =
        of(List.of(
                point(1, 9, Mark.NONE, ""),
                point(2, 8, Mark.RECOMMENDED, "recommended"),
                point(1, 7, Mark.FAILED, "as recorded, <1> failed")))
            .markup();

    assertThat(markup)
        .contains("aria-label=\"calls\"")
        .contains("class=\"point recommended front\"><title>recommended\nCalls: 2</title>")
        .contains("<i class=\"mark none\"></i>settings<")
        .contains("<i class=\"mark front\"></i>on the front: ")
        .contains("<i class=\"mark recommended\"></i>recommended<")
        .contains("<i class=\"mark failed\"></i>as recorded, &lt;1&gt; failed<")
        .contains("<i class=\"stroke\" style=\"border-color:var(--capacity)\"></i>limit 9 B<")
        .doesNotContain("requests fail", "mark range");
  }

  @Test
  void new_tableWithOtherRows_isAnError() {
    List<Point> points = List.of(point(1, 1, Mark.NONE, ""));

    assertThatThrownBy(() ->
            new ScatterChart("", "", "", points, List.of(), new FigureTable<String>("Settings")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the table needs a row for each of 1 points: rows=0");
  }
}
