package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.io.Writer;
import java.util.Optional;

/** An SVG drawing of the best plan, for documents and slides. */
public final class PlanDrawing {

  /*
   *   title
   *   strategy, total, distance from the lower bound, saving
   *   +--------------------------------------+
   *   | bytes    rectangles, load curve,     |   total,
   *   |          names                       |   lower bound
   *   +--------------------------------------+
   *     tasks, peaks                  legend
   */

  private static final int WIDTH = 900;
  private static final int HEIGHT = 420;

  private final PlanPicture picture;
  private final ShownPlan plan;
  private final PlanPlot plot;
  private final Svg svg;

  private PlanDrawing(PlanPicture picture, Svg svg) {
    this.picture = picture;
    this.plan = picture.best();
    this.plot =
        new PlanPlot(
            picture,
            new PlotArea.Frame(66, 70, WIDTH - 66 - 90, HEIGHT - 70 - 56),
            PlanPlot.largestBytes(plan),
            Optional.empty(),
            svg);
    this.svg = svg;
  }

  /**
   * Writes a drawing, which declares UTF-8 as its encoding.
   *
   * @param picture the plans, of which the drawing shows the best
   */
  public static void write(PlanPicture picture, Writer out) throws IOException {
    new PlanDrawing(picture, new Svg(out)).write();
  }

  private void write() throws IOException {
    writeHead();
    plot.write(ByteUnit.unitFor(plan.totalBytes()));
    writeLegend();
    svg.markup("</svg>\n");
  }

  private void writeHead() throws IOException {
    svg.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    svg.markup("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + HEIGHT);
    svg.markup("\" width=\"" + WIDTH + "\" height=\"" + HEIGHT + "\" role=\"img\"");
    svg.markup(" aria-labelledby=\"title caption\">\n");
    svg.markup(
        "<title id=\"title\">" + MarkupText.escaped(Printable.of(picture.title())) + "</title>\n");
    svg.markup("<desc id=\"caption\">" + MarkupText.escaped(caption()) + "</desc>\n");
    svg.markup("<style>\n" + PictureText.drawingStyle() + "</style>\n");
    svg.markup(
        "<rect class=\"ground\" rx=\"6\" " + Svg.box(.5, .5, WIDTH - 1, HEIGHT - 1) + "/>\n");
    svg.text("title", 20, 30, "start", FittingName.of(Printable.of(picture.title()), 500));
    svg.text("caption", 20, 50, "start", caption());
  }

  private String caption() {
    long total = plan.totalBytes();
    long naive = picture.problem().naiveBytes();
    return Text.of(
        "%s: %s for %,d tensors; %s, %s less than without sharing",
        plan.strategy(),
        ByteUnit.exact(total),
        picture.problem().records().size(),
        plan.isOptimal() ? "optimal" : plan.quality() + " above the lower bound",
        Numbers.percent(naive - total, naive));
  }

  private void writeLegend() throws IOException {
    double y = HEIGHT - 14;
    writeSwatch("b", 66, y);
    svg.text("key", 122, y, "start", "tensor, small to large");
    writeSwatch("o", 250, y);
    svg.text("key", 306, y, "start", FittingName.of(plot.peaksText(), 334));
    svg.line("load", 640, y - 4, 662, y - 4);
    svg.text("key", 668, y, "start", "live bytes");
    svg.line("bound", 744, y - 4, 766, y - 4);
    svg.text("key", 772, y, "start", "lower bound");
  }

  private void writeSwatch(String hue, double x, double y) throws IOException {
    for (int shade = 0; shade < Shades.COUNT; shade++) {
      String cell = Svg.box(x + 10 * shade, y - 9, 10, 10);
      svg.markup("<rect class=\"" + hue + shade + "\" " + cell + "/>\n");
    }
  }
}
