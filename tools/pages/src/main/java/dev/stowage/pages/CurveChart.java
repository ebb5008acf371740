package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * A chart of curves of bytes. A value of a curve holds from its position to the next one.
 *
 * @param label the label of the axis
 * @param places the positions on the axis, ascending
 * @param titles the name of each position
 * @param curves the curves; the first one is in front
 * @param topBytes the bytes at the top; charts beside each other have the same
 * @param mark the position of a line across the curves, if there is one
 */
public record CurveChart(
    String label,
    List<Long> places,
    List<String> titles,
    List<Curve> curves,
    long topBytes,
    OptionalLong mark)
    implements PagePicture {

  /**
   * A curve.
   *
   * @param colour the name of a colour of the style, such as {@code load}
   * @param bytes the bytes at each position
   */
  public record Curve(String name, String colour, List<Long> bytes) {

    public Curve {
      bytes = List.copyOf(bytes);
    }
  }

  public CurveChart {
    places = List.copyOf(places);
    titles = List.copyOf(titles);
    curves = List.copyOf(curves);
  }

  /** Creates a chart without a mark. */
  public CurveChart(String label, List<Long> places, List<String> titles, List<Curve> curves) {
    this(label, places, titles, curves, 0, OptionalLong.empty());
  }

  /** {@return the largest number of bytes of the curves} */
  public long mostBytes() {
    return curves.stream()
        .flatMap(curve -> curve.bytes.stream())
        .mapToLong(Long::longValue)
        .max()
        .orElse(1);
  }

  /** {@return this chart with other bytes at the top} */
  public CurveChart withTop(long newTopBytes) {
    return new CurveChart(label, places, titles, curves, newTopBytes, mark);
  }

  @Override
  public String markup() {
    double first = (double) places.getFirst();
    double end = (double) places.getLast() + 1;
    PlotArea area =
        new PlotArea(
            ChartDrawing.frame(false),
            new PlotArea.Range(first, end),
            new PlotArea.Range(0, 1.06 * Math.max(1, Math.max(topBytes, mostBytes()))));
    ChartDrawing chart = new ChartDrawing(area, "img");
    curves.forEach(curve -> chart.key("stroke", "border-color", curve.colour, curve.name));
    return chart.markup(
        label,
        Ticks.between(first, end - 1, 10, 1),
        tick -> Numbers.grouped((long) tick),
        (plot, svg) -> {
          for (Curve curve : curves.reversed()) {
            svg.markup("<g style=\"color:var(--" + curve.colour + ")\">");
            svg.path("curve", path(curve, plot));
            svg.markup("</g>\n");
          }
          if (mark.isPresent()) {
            double x = plot.x((double) mark.getAsLong());
            svg.line("moment", x, plot.frame().top(), x, plot.frame().bottom());
          }
          chart.writeHints(places, this::hint);
        });
  }

  private CharSequence path(Curve curve, PlotArea plot) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < places.size(); i++) {
      path.append(i == 0 ? 'M' : 'H').append(Svg.number(plot.x((double) places.get(i))));
      path.append(i == 0 ? ' ' : 'V').append(Svg.number(plot.y((double) curve.bytes.get(i))));
    }
    return path.append('H').append(Svg.number(plot.frame().right()));
  }

  private String hint(int index) {
    return titles.get(index)
        + curves.stream()
            .map(curve -> "\n" + curve.name + ": " + ByteUnit.exact(curve.bytes.get(index)))
            .collect(Collectors.joining());
  }
}
