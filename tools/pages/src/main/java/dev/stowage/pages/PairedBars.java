package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import java.util.List;

/**
 * Pairs of bars, each for the bytes of one thing in two versions, as HTML that needs no scripts.
 *
 * @param nameA the name of the first version
 * @param nameB the name of the second version
 */
public record PairedBars(String nameA, String nameB, List<Pair> pairs) {

  /**
   * A pair of bars.
   *
   * @param name the name of the thing
   * @param text the text beside the bars
   */
  public record Pair(String name, long bytesA, long bytesB, String text) {}

  public PairedBars {
    pairs = List.copyOf(pairs);
  }

  /** {@return the bars and their key} */
  String markup() {
    double most =
        pairs.stream().mapToDouble(pair -> Math.max(pair.bytesA, pair.bytesB)).reduce(1, Math::max);
    StringBuilder html = new StringBuilder("<div class=\"parts\">\n");
    for (Pair pair : pairs) {
      html.append("<span>" + MarkupText.escaped(pair.name) + "</span><span>")
          .append(MarkupText.escaped(pair.text))
          .append("</span><div class=\"part-bar pair\">")
          .append(bar("blue3", nameA, pair.bytesA, most))
          .append(bar("orange2", nameB, pair.bytesB, most))
          .append("</div>\n");
    }
    return html.append("</div>\n<p class=\"key\">")
        .append(key("blue3", "upper bar: " + nameA))
        .append(key("orange2", "lower bar: " + nameB))
        .append("</p>\n")
        .toString();
  }

  private static String bar(String colour, String name, long bytes, double most) {
    return Text.of(
        "<i style=\"width:max(%s,%.3f%%);background:var(--%s)\" title=\"%s: %s\"></i>",
        bytes == 0 ? "0px" : "1px",
        100 * bytes / most,
        colour,
        MarkupText.escaped(name),
        ByteUnit.exact(bytes));
  }

  private static String key(String colour, String name) {
    return Text.of(
        "<span><i class=\"swatch small\" style=\"background:var(--%s)\"></i>%s</span> ",
        colour, MarkupText.escaped(name));
  }
}
