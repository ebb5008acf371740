package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text of formulas of offsets. */
final class LayoutOffsetParser {

  /*
   *   offset = largest | "roundup(" largest "," number ")"
   *   largest = part | "max(" part { "," part } ")"
   *   part = "end(" index ")" | expression
   */

  private static final Pattern END = Pattern.compile("end\\s*\\(\\s*(\\d{1,9})\\s*\\)");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private LayoutOffsetParser() {}

  static LayoutOffset parse(String text) {
    String largest = text.strip();
    long multiple = 1;
    Optional<List<String>> rounded = arguments("roundup", largest);
    if (rounded.isPresent()) {
      List<String> arguments = rounded.get();
      if (arguments.size() != 2 || !NUMBER.matcher(arguments.getLast()).matches()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "offset '%s': expected roundup(a, n) with a positive number n", text));
      }
      largest = arguments.getFirst();
      multiple = Long.parseLong(arguments.getLast());
    }
    List<SizeExpression> expressions = new ArrayList<>();
    List<Integer> below = new ArrayList<>();
    for (String part : arguments("max", largest).orElse(List.of(largest))) {
      Matcher end = END.matcher(part);
      if (end.matches()) {
        below.add(Integer.valueOf(end.group(1)));
      } else {
        expressions.add(SizeExpression.parse(part));
      }
    }
    SizeExpression base =
        expressions.isEmpty() ? SizeExpression.ZERO : SizeExpression.largest(expressions);
    return new LayoutOffset(base, below, multiple);
  }

  /** {@return the arguments if the whole text is a call of a function} */
  private static Optional<List<String>> arguments(String function, String text) {
    if (!text.startsWith(function)
        || !text.substring(function.length()).stripLeading().startsWith("(")) {
      return Optional.empty();
    }
    List<String> arguments = new ArrayList<>();
    int start = text.indexOf('(') + 1;
    int depth = 1;
    boolean quoted = false;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\'') {
        quoted = !quoted;
      } else if (!quoted && c == '(') {
        depth++;
      } else if (!quoted && c == ')' && --depth == 0) {
        arguments.add(text.substring(start, i).strip());
        return i == text.length() - 1 ? Optional.of(arguments) : Optional.empty();
      } else if (!quoted && c == ',' && depth == 1) {
        arguments.add(text.substring(start, i).strip());
        start = i + 1;
      }
    }
    return Optional.empty();
  }
}
