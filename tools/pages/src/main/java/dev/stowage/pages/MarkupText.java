package dev.stowage.pages;

/** Text that is safe as content and as a quoted attribute of HTML and XML. */
final class MarkupText {

  private MarkupText() {}

  /**
   * {@return the text with the characters of markup escaped; a character that XML 1.0 does not
   * allow, or half of a surrogate pair, becomes U+FFFD}
   */
  static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(character -> append(escaped, character));
    return escaped.toString();
  }

  /**
   * {@return an entry of the key of a picture}
   *
   * @param icon the class of its icon
   * @param style the style of its icon; empty for none
   */
  static String key(String icon, String style, String name) {
    return "<span><i class=\""
        + icon
        + (style.isEmpty() ? "" : "\" style=\"" + style)
        + "\"></i>"
        + escaped(name)
        + "</span> ";
  }

  private static void append(StringBuilder escaped, int character) {
    switch (character) {
      case '&' -> escaped.append("&amp;");
      case '<' -> escaped.append("&lt;");
      case '>' -> escaped.append("&gt;");
      case '"' -> escaped.append("&quot;");
      case '\'' -> escaped.append("&#39;");
      default -> escaped.appendCodePoint(isAllowed(character) ? character : 0xFFFD);
    }
  }

  private static boolean isAllowed(int character) {
    if (character < 0x20) {
      return character == '\t' || character == '\n' || character == '\r';
    }
    boolean isControl = character >= 0x7F && character < 0xA0;
    boolean isSurrogate = character >= 0xD800 && character <= 0xDFFF;
    return !isControl && !isSurrogate && character != 0xFFFE && character != 0xFFFF;
  }
}
