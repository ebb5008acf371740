package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import java.util.List;

/**
 * A chart of curves of bytes. A value of a curve holds from its position to the next one.
 *
 * @param label the label of the axis
 * @param places the positions on the axis, ascending
 * @param curves the curves; the first one is in front
 */
public record CurveChart(String label, List<Long> places, List<Curve> curves) implements PagePart {

  private static final int WIDTH = 800;
  private static final int HEIGHT = 340;
  private static final PlotArea.Frame FRAME =
      new PlotArea.Frame(80, 12, WIDTH - 80 - 12, HEIGHT - 12 - 44);

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
    curves = List.copyOf(curves);
  }

  private long mostBytes() {
    return curves.stream()
        .flatMap(curve -> curve.bytes.stream())
        .mapToLong(Long::longValue)
        .max()
        .orElse(1);
  }

  @Override
  public String markup() {
    double first = (double) places.getFirst();
    double end = (double) places.getLast() + 1;
    PlotArea area = new PlotArea(FRAME, first, end, 1.06 * Math.max(1, mostBytes()));
    Svg svg = new Svg();
    svg.markup("<svg class=\"plot\" viewBox=\"0 0 " + WIDTH + " " + HEIGHT + "\" role=\"img\"");
    svg.markup(" aria-label=\"" + MarkupText.escaped(label) + "\">\n");
    area.writeGrid(ByteUnit.unitFor((long) area.topBytes()), svg);
    for (Curve curve : curves.reversed()) {
      svg.markup("<g style=\"color:var(--" + curve.colour + ")\">");
      svg.path("curve", path(curve, area));
      svg.markup("</g>\n");
    }
    area.writeEdges(svg);
    svg.text("tick", FRAME.left() + FRAME.width() / 2, HEIGHT - 6, "middle", label);
    svg.markup("</svg>\n<p class=\"key\">");
    for (Curve curve : curves) {
      svg.markup(MarkupText.key("stroke", "border-color:var(--" + curve.colour + ")", curve.name));
    }
    return svg + "</p>\n";
  }

  private CharSequence path(Curve curve, PlotArea plot) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < places.size(); i++) {
      path.append(i == 0 ? 'M' : 'H').append(Svg.number(plot.x((double) places.get(i))));
      path.append(i == 0 ? ' ' : 'V').append(Svg.number(plot.y((double) curve.bytes.get(i))));
    }
    return path.append('H').append(Svg.number(plot.frame().right()));
  }
}
