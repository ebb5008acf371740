package dev.stowage.pages;

import dev.stowage.pages.text.Text;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** The elements of a drawing, with numbers rounded to a tenth of a pixel. */
final class Svg {

  private final StringBuilder out = new StringBuilder();

  /** Adds markup as it is. */
  void markup(String markup) {
    out.append(markup);
  }

  void text(String cssClass, double x, double y, String anchor, String text) {
    markup(
        Text.of(
            "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n",
            cssClass, number(x), number(y), anchor, MarkupText.escaped(text)));
  }

  void line(String cssClass, double x1, double y1, double x2, double y2) {
    path(cssClass, Text.of("M%s %sL%s %s", number(x1), number(y1), number(x2), number(y2)));
  }

  void path(String cssClass, CharSequence commands) {
    markup("<path class=\"" + cssClass + "\" d=\"" + commands + "\"/>\n");
  }

  /** {@return attributes of a rectangle} */
  static String box(double x, double y, double width, double height) {
    return Text.of(
        "x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"",
        number(x), number(y), number(width), number(height));
  }

  /** {@return a number such as {@code 12.5}, or {@code 12} without a fraction} */
  static String number(double value) {
    return round(value, 1);
  }

  /** {@return a number without an exponent and trailing zeros} */
  static String round(double value, int digits) {
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** {@return the elements} */
  @Override
  public String toString() {
    return out.toString();
  }
}
