package dev.stowage.cli.input;

import java.util.HashMap;
import java.util.Map;

/** A parser of fields such as {@code {op_name="jit(f)/add" source_line=3}}. */
final class XlaFields {

  private final String text;
  private int index;

  private XlaFields(String text, int index) {
    this.text = text;
    this.index = index;
  }

  /**
   * {@return the fields by their names, up to the brace that closes them or the end of the text}
   *
   * @param open the index of the brace that opens the fields
   */
  static Map<String, String> of(String text, int open) {
    return new XlaFields(text, open + 1).fields();
  }

  private Map<String, String> fields() {
    Map<String, String> fields = new HashMap<>();
    while (hasMore() && text.charAt(index) != '}') {
      if (isBetween()) {
        index++;
      } else {
        String name = word();
        if (hasMore() && text.charAt(index) == '=') {
          index++;
          fields.put(name, value());
        } else if (name.isEmpty()) {
          index++; // a quote or a brace without a name
        }
      }
    }
    return fields;
  }

  private boolean hasMore() {
    return index < text.length();
  }

  private boolean isBetween() {
    return text.charAt(index) == ' ' || text.charAt(index) == ',';
  }

  private String word() {
    int start = index;
    while (hasMore() && "=\"{} ,".indexOf(text.charAt(index)) < 0) {
      index++;
    }
    return text.substring(start, index);
  }

  private String value() {
    if (!hasMore()) {
      return "";
    }
    return switch (text.charAt(index)) {
      case '"' -> quoted();
      case '{' -> group();
      default -> word();
    };
  }

  /** {@return a text in quotes; a backslash before a digit, a part of a byte, stays} */
  private String quoted() {
    StringBuilder value = new StringBuilder();
    for (index++; hasMore() && text.charAt(index) != '"'; index++) {
      boolean isEscape = text.charAt(index) == '\\' && index + 1 < text.length();
      if (isEscape && !Character.isDigit(text.charAt(index + 1))) {
        index++;
      }
      value.append(text.charAt(index));
    }
    index++;
    return value.toString();
  }

  /** Passes over braces and {@return nothing of them} */
  private String group() {
    int depth = 0;
    do {
      depth += text.charAt(index) == '{' ? 1 : text.charAt(index) == '}' ? -1 : 0;
      index++;
    } while (depth > 0 && hasMore());
    return "";
  }
}
