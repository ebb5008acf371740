package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.IntFunction;

/** A chart on a page: a drawing in the style of the page, and its key. It needs no scripts. */
final class ChartDrawing {

  private static final int WIDTH = 800;
  private static final int HEIGHT = 340;

  /** The room for the names of levels. */
  private static final int BESIDE = 175;

  private final StringWriter out = new StringWriter();
  private final Svg svg = new Svg(out);
  private final PlotArea area;
  private final String role;
  private final StringBuilder keys = new StringBuilder();

  /** The content of a chart. */
  interface Content {

    void write(PlotArea area, Svg svg) throws IOException;
  }

  /** {@return the place of a chart, with room for the names of levels if it has some} */
  static PlotArea.Frame frame(boolean hasLevels) {
    return new PlotArea.Frame(80, 12, WIDTH - 80 - (hasLevels ? BESIDE : 12), HEIGHT - 12 - 44);
  }

  /**
   * Creates an empty chart.
   *
   * @param role {@code img}, or {@code group} for a chart with links
   */
  ChartDrawing(PlotArea area, String role) {
    this.area = area;
    this.role = role;
  }

  /**
   * {@return a chart}
   *
   * @param label the label of the axis below the chart, which also names the chart
   * @param ticks the numbers of this axis
   */
  String markup(
      String label, List<Double> ticks, DoubleFunction<String> tickText, Content content) {
    try {
      out.append(
              "<svg class=\"plot\" viewBox=\"0 0 "
                  + WIDTH
                  + " "
                  + HEIGHT
                  + "\" role=\""
                  + role
                  + "\"")
          .append(" aria-label=\"" + MarkupText.escaped(label) + "\">\n");
      area.writeBytes(ByteUnit.unitFor((long) area.upwards().to()), svg);
      area.writeNumbers(ticks, tickText, svg);
      content.write(area, svg);
      area.writeEdges(svg);
      double middle = area.frame().left() + area.frame().width() / 2;
      svg.text("tick", middle, HEIGHT - 6, "middle", label);
      out.append("</svg>\n<p class=\"key\">" + keys + "</p>\n");
      return out.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter does not throw it
    }
  }

  /** Adds an entry to the key, whose icon has a class and the colour of a variable of the style. */
  void key(String icon, String property, String colour, String name) {
    keys.append(MarkupText.key(icon, property + ":var(--" + colour + ")", name));
  }

  /** Adds an entry to the key. */
  void key(String icon, String name) {
    keys.append(MarkupText.key(icon, "", name));
  }

  /** Writes a transparent column for each position, up to the next one, which shows its values. */
  void writeHints(List<Long> places, IntFunction<String> hint) throws IOException {
    PlotArea.Frame frame = area.frame();
    for (int i = 0; i < places.size(); i++) {
      double left = area.x((double) places.get(i));
      double right = i + 1 < places.size() ? area.x((double) places.get(i + 1)) : frame.right();
      svg.markup(
          Text.of(
              "<rect class=\"hint\" %s><title>%s</title></rect>\n",
              Svg.box(left, frame.top(), Math.max(1, right - left), frame.height()),
              MarkupText.escaped(hint.apply(i))));
    }
  }
}
