package dev.stowage.cli.failure;

import dev.stowage.cli.text.RuleBlock;
import dev.stowage.cli.text.Template;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A grammar of texts of failures. Each grammar is a block of a resource.
 *
 * <p>An object has the state of reading one text: reports may have any number of lines.
 */
final class FailureGrammar {

  /*
   * These are the keys of a block. The names of FailurePart are keys, too: the value is an
   * expression around a number, which is {} for one with a unit, {si} for one with a unit of a
   * power of 1,000, # for a count of bytes, and @ for the longest free part of a map. Each blank
   * stands for any white space, also for a line break.
   *
   *   mark                    words; each text has at least one of them
   *   from line               the text starts before the mark, with its line
   *   lines                   the number of lines of a text, 1 by default
   *   end                     words that end the text; by default, the marks
   *   only                    an expression that the text must match
   *   reached limit           the allocated bytes are 99 % of the limit, or more
   *   kind, program, cause, detail  parts of the failure
   *   part                    a part of what is told in several texts:
   *     new, add                numbers that belong to the failures after them
   *     start, list, more, end  a report of a BFC allocator; a list after its end starts another
   *
   * A part of the failure is a choice: VALUE, VALUE if EXPRESSION, VALUE in N lines if EXPRESSION.
   */

  private static final Pattern CHOICE =
      Pattern.compile("(?<value>.*?)(?: in (?<lines>\\d+) lines)?(?: if (?<condition>.*))?");

  private static final Map<String, String> NUMBERS =
      Map.of(
          "{}",
          "(?<![\\w.,])(?<number>\\d{1,20}(?:\\.\\d{1,6})?)\\s*"
              + "(?<unit>[KMGTPE]i?B?|kB|B|bytes?)(?![A-Za-z0-9])",
          "{si}",
          "(?<number>\\d{1,18})(?<decimal>[kMGTPE]?)(?![\\w.])",
          "#",
          "(?<![\\w.,])(?<number>\\d{1,20})(?![\\w]|[.,]\\d)",
          "@",
          "(?<map>[*_x]{100})");

  private static final List<RuleBlock> BLOCKS =
      RuleBlock.read(FailureGrammar.class, "grammars.txt");

  /** The compiled expressions of all blocks. */
  private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

  private final RuleBlock block;
  private final List<Mark> marks;
  private Optional<Failure> context = Optional.empty();
  private boolean isEnded;

  private FailureGrammar(RuleBlock block) {
    this.block = block;
    marks = block.values("mark").map(Mark::new).toList();
  }

  /** {@return all grammars; they have not read any text} */
  static List<FailureGrammar> all() {
    return BLOCKS.stream().map(FailureGrammar::new).toList();
  }

  private static Matcher matcher(String expression, String text) {
    return PATTERNS.computeIfAbsent(expression, FailureGrammar::pattern).matcher(text);
  }

  private static Pattern pattern(String words) {
    String expression = words.replace(" ?", "\\s*").replace(" ", "\\s+");
    for (Map.Entry<String, String> number : NUMBERS.entrySet()) {
      expression = expression.replace(number.getKey(), number.getValue());
    }
    return Pattern.compile(expression);
  }

  /** {@return words; each text has at least one of them} */
  List<Mark> marks() {
    return marks;
  }

  /**
   * Reads the lines from the first one with words of this grammar.
   *
   * @param start the position of the words in the first line
   * @return the failure as far as these lines tell it; it replaces the previous failure if both
   *     start at the same line; empty if the words mean something else
   */
  Optional<Failure> read(FailureLines lines, int start) {
    String text = text(lines, start);
    FailureNumbers numbers = numbers(text);
    boolean isOther = block.values("only").anyMatch(only -> !matcher(only, text).find());
    if (isOther || (value("reached").isPresent() && !numbers.isLimitReached())) {
      return Optional.empty();
    }
    String cause = choice("cause", lines, text);
    Failure found =
        new Failure(
            FailureProgram.valueOf(choice("program", lines, text)),
            choice("kind", lines, text),
            cause.isEmpty() ? Failure.Cause.REQUEST : Failure.Cause.valueOf(cause),
            numbers,
            choice("detail", lines, text),
            lines.number());
    String part = choice("part", lines, text);
    Optional<Failure> before = context;
    boolean starts =
        part.equals("start") || (part.equals("list") && (isEnded || context.isEmpty()));
    switch (part) {
      case "" -> {
        return Optional.of(context.map(found::after).orElse(found));
      }
      case "new" -> context = Optional.of(found);
      case "add" -> context = Optional.of(context.map(found::after).orElse(found));
      default -> {
        context =
            starts
                ? Optional.of(found)
                : context.map(
                    report -> report.with(report.cause(), report.numbers().plus(numbers)));
        isEnded = !starts && (isEnded || part.equals("end"));
        return context.equals(before) ? Optional.empty() : context.map(BfcReport::settled);
      }
    }
    return Optional.empty();
  }

  private Optional<String> value(String key) {
    return block.values(key).findFirst();
  }

  private String text(FailureLines lines, int start) {
    int count = value("lines").map(Integer::parseInt).orElse(1);
    if (value("from").isPresent()) {
      return lines.text(0, count);
    }
    String text = lines.text(start, count);
    int end = text.length();
    for (String words : block.values(value("end").isEmpty() ? "mark" : "end").toList()) {
      int next = text.indexOf(words, 1);
      end = next > 0 ? Math.min(end, next) : end;
    }
    return text.substring(0, end);
  }

  private FailureNumbers numbers(String text) {
    FailureNumbers numbers = FailureNumbers.NONE;
    for (FailurePart part : FailurePart.values()) {
      Optional<PrintedBytes> number =
          block.values(part.name()).flatMap(words -> number(words, text).stream()).findFirst();
      // Without a limit, or if the driver does not know a number, a text has 2^64 - 1.
      boolean isKnown =
          part == FailurePart.REQUESTED || number.filter(PrintedBytes::isOverflow).isEmpty();
      numbers = isKnown ? numbers.with(part, number) : numbers;
    }
    return numbers;
  }

  private static Optional<PrintedBytes> number(String words, String text) {
    Matcher found = matcher(words, text);
    if (!found.find()) {
      return Optional.empty();
    }
    Map<String, Integer> groups = found.namedGroups();
    if (groups.containsKey("decimal")) {
      return Optional.of(PrintedBytes.decimal(found.group("number"), found.group("decimal")));
    }
    return Optional.of(
        groups.containsKey("map")
            ? PrintedBytes.exact(longestFree(found.group("map")))
            : PrintedBytes.of(
                found.group("number"), groups.containsKey("unit") ? found.group("unit") : ""));
  }

  /** {@return the characters of the longest free part; each is a hundredth of the pool} */
  private static int longestFree(String map) {
    return Arrays.stream(map.split("[^_]", -1)).mapToInt(String::length).max().orElse(0);
  }

  /** {@return the value of the first expression that matches; empty if none does} */
  private String choice(String key, FailureLines lines, String text) {
    for (String choice : block.values(key).toList()) {
      Matcher parts = CHOICE.matcher(choice);
      if (parts.matches()) {
        Matcher found =
            matcher(
                parts.group("condition") == null ? "" : parts.group("condition"),
                parts.group("lines") == null
                    ? text
                    : lines.text(0, Integer.parseInt(parts.group("lines"))));
        if (found.find()) {
          return Template.fill(
              parts.group("value"),
              group ->
                  Optional.ofNullable(found.group(Integer.parseInt(group))).map(String::strip));
        }
      }
    }
    return "";
  }
}
