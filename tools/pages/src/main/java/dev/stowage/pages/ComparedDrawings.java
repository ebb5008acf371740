package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.Optional;

/**
 * Drawings of two plans with one scale of bytes, as HTML that needs no scripts.
 *
 * @param marks the reason why tensors are marked
 */
public record ComparedDrawings(Drawing a, Drawing b, String marks) implements PagePicture {

  /*
   * Unlike a PlanDrawing, the drawings have the style of the page, and one key in HTML for both.
   */

  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;

  /**
   * A drawing.
   *
   * @param marked the indices of the marked records
   */
  public record Drawing(String caption, PlanPicture picture, BitSet marked) {

    public Drawing {
      marked = (BitSet) marked.clone();
    }

    @Override
    public BitSet marked() {
      return (BitSet) marked.clone();
    }
  }

  @Override
  public String markup() {
    StringWriter html = new StringWriter();
    try {
      write(html);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter does not throw it
    }
    return html.toString();
  }

  private void write(StringWriter html) throws IOException {
    ShownPlan planA = a.picture.best();
    ShownPlan planB = b.picture.best();
    long largest = Math.max(PlanPlot.largestBytes(planA), PlanPlot.largestBytes(planB));
    html.append("<div class=\"beside\">\n");
    write(a, largest, html);
    write(b, largest, html);
    html.append("</div>\n<p class=\"key\">")
        .append(MarkupText.key("swatch blue", "", "tensor, small to large"))
        .append(MarkupText.key("swatch orange", "", marks))
        .append(MarkupText.key("stroke inuse", "", "live bytes"))
        .append(MarkupText.key("triangle", "", "peak"))
        .append("</p>\n");
  }

  private static void write(Drawing drawing, long largest, StringWriter html) throws IOException {
    String total = ByteUnit.human(drawing.picture.best().totalBytes());
    String caption = MarkupText.escaped(drawing.caption) + ": " + total;
    html.append("<figure>\n<figcaption>" + caption + "</figcaption>\n")
        .append("<svg class=\"plot\" viewBox=\"0 0 " + WIDTH + " " + HEIGHT)
        .append("\" role=\"img\" aria-label=\"" + caption + "\">\n");
    new PlanPlot(
            drawing.picture,
            new PlotArea.Frame(66, 16, WIDTH - 66 - 84, HEIGHT - 16 - 26),
            largest,
            Optional.of(drawing.marked),
            new Svg(html))
        .write(ByteUnit.unitFor(largest));
    html.append("</svg>\n</figure>\n");
  }
}
