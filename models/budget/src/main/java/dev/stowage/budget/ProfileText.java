package dev.stowage.budget;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Budgets as text. */
final class ProfileText {

  /*
   * Lines of fields that are separated by tabs:
   *
   *   stowage-budget  1
   *   model           NAME
   *   dimension       NAME FIRST LAST
   *   part            NAME HOW UNIT PHASE formula EXPRESSION
   *   part            NAME HOW UNIT PHASE samples COUNT
   *   axis            DIMENSION POINT POINT ...     for each dimension of the samples
   *   values          BYTES BYTES ...               the last dimension changes first
   *   end                                           shows that the text is complete
   *
   * In names and expressions, a backslash precedes each backslash, and \t, \n and \r are a tab
   * and line breaks.
   */

  static final String NAME = "stowage-budget";
  static final String HEADER = NAME + "\t1";
  static final String END = "end";

  private ProfileText() {}

  static String of(String model, DimensionRanges ranges, List<BudgetPart> parts) {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    text.append("model\t").append(escaped(model)).append('\n');
    for (DimensionRange range : ranges.ranges()) {
      text.append("dimension\t").append(escaped(range.name())).append('\t').append(range.first());
      text.append('\t').append(range.last()).append('\n');
    }
    parts.forEach(part -> append(part, text));
    return text.append(END).append('\n').toString();
  }

  private static void append(BudgetPart part, StringBuilder text) {
    text.append("part\t").append(part.name()).append('\t').append(part.how()).append('\t');
    text.append(part.unit()).append('\t').append(part.phase()).append('\t');
    switch (part.bytes()) {
      case PartBytes.Formula(var bytes) ->
          text.append("formula\t").append(escaped(bytes.toString())).append('\n');
      case PartBytes.Samples samples -> {
        text.append("samples\t").append(samples.axes().size()).append('\n');
        for (SampleAxis axis : samples.axes()) {
          text.append("axis\t").append(escaped(axis.dimension())).append('\t');
          text.append(axis.points().stream().map(String::valueOf).collect(Collectors.joining("\t")))
              .append('\n');
        }
        text.append("values\t");
        text.append(
                Arrays.stream(samples.values())
                    .mapToObj(Long::toString)
                    .collect(Collectors.joining("\t")))
            .append('\n');
      }
    }
  }

  private static String escaped(String name) {
    return name.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  /**
   * {@return the name of a field}
   *
   * @throws IllegalArgumentException if a backslash precedes another character
   */
  static String unescaped(String field) {
    if (field.indexOf('\\') < 0) {
      return field;
    }
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == '\\') {
        i++;
        name.append(
            switch (i < field.length() ? field.charAt(i) : ' ') {
              case '\\' -> '\\';
              case 't' -> '\t';
              case 'n' -> '\n';
              case 'r' -> '\r';
              default ->
                  throw new IllegalArgumentException(
                      "expected \\\\, \\t, \\n or \\r after each backslash, found '"
                          + MalformedFileException.excerpt(field)
                          + "'");
            });
      } else {
        name.append(c);
      }
    }
    return name.toString();
  }
}
