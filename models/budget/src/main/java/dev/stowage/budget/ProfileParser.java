package dev.stowage.budget;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A parser of budgets as text. */
final class ProfileParser {

  /** The number of the first value in a line of points, and in one of values. */
  private static final int FIRST_POINT = 2;

  private static final int FIRST_VALUE = 1;

  private static final int MAX_AXES = 8;

  /**
   * The creation of a budget from the content of a text.
   *
   * @param <B> the budget
   */
  interface Creation<B> {

    /**
     * {@return a budget}
     *
     * @throws IllegalArgumentException if the parts and the ranges contradict each other
     */
    B of(String model, DimensionRanges ranges, List<BudgetPart> parts);
  }

  private final List<String> lines;

  /** The number of lines that were read. */
  private int lineCount;

  private ProfileParser(List<String> lines) {
    this.lines = lines;
  }

  /**
   * {@return the budget of a text}
   *
   * @param text the text
   * @param creation creates the budget
   * @param <B> the budget
   * @throws IllegalArgumentException if the text is no budget, or is cut short
   */
  static <B> B parse(String text, Creation<B> creation) {
    ProfileParser parser = new ProfileParser(text.lines().toList());
    try {
      return parser.budget(creation);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "profile: line %d: %s", Math.max(1, parser.lineCount), e.getMessage()),
          e);
    }
  }

  private <B> B budget(Creation<B> creation) {
    header();
    String model = ProfileText.unescaped(fields("model", 1)[1]);
    List<DimensionRange> ranges = new ArrayList<>();
    List<BudgetPart> parts = new ArrayList<>();
    while (!peek().equals(ProfileText.END)) {
      if (peek().startsWith("dimension\t")) {
        String[] fields = fields("dimension", 3);
        ranges.add(
            new DimensionRange(
                ProfileText.unescaped(fields[1]), number(fields[2]), number(fields[3])));
      } else {
        parts.add(part());
      }
    }
    lineCount++;
    B budget = creation.of(model, new DimensionRanges(ranges), parts);
    if (lineCount < lines.size()) {
      throw expected("nothing after '" + ProfileText.END + "'", lines.get(lineCount++));
    }
    return budget;
  }

  private void header() {
    String line = peek();
    lineCount++;
    if (line.startsWith(ProfileText.NAME + "\t") && !line.equals(ProfileText.HEADER)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the version of the profile is %s, expected 1: write the profile with this version of stowage budget",
              MalformedFileException.excerpt(line.substring(ProfileText.NAME.length() + 1))));
    }
    if (!line.equals(ProfileText.HEADER)) {
      throw expected("the header '" + ProfileText.NAME + "', a tab and 1", line);
    }
  }

  /**
   * {@return the next line, which is not consumed}
   *
   * @throws IllegalArgumentException if there is none
   */
  private String peek() {
    if (lineCount == lines.size()) {
      throw new IllegalArgumentException(
          "the profile is cut short, expected the line '" + ProfileText.END + "' at its end");
    }
    return lines.get(lineCount);
  }

  /** {@return the kind and the fields of the next line, of which there are so many} */
  private String[] fields(String kind, int count) {
    String[] fields = fieldsFrom(kind, count);
    if (fields.length > count + 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "'%s' has %d fields, expected %d", kind, fields.length - 1, count));
    }
    return fields;
  }

  /** {@return the kind and the fields of the next line, of which there are at least so many} */
  private String[] fieldsFrom(String kind, int count) {
    String line = peek();
    lineCount++;
    String[] fields = line.split("\t", -1);
    if (!fields[0].equals(kind) || fields.length <= count) {
      throw expected(String.format(Locale.ROOT, "'%s' with %d fields", kind, count), line);
    }
    return fields;
  }

  private BudgetPart part() {
    String[] fields = fields("part", 6);
    PartSource how = constant(PartSource.class, fields[2]);
    PartUnit unit = constant(PartUnit.class, fields[3]);
    PartPhase phase = constant(PartPhase.class, fields[4]);
    PartBytes bytes =
        switch (fields[5]) {
          case "formula" -> formula(ProfileText.unescaped(fields[6]));
          case "samples" -> samples(number(fields[6]));
          default -> throw expected("formula or samples", fields[5]);
        };
    return new BudgetPart(fields[1], how, unit, phase, bytes);
  }

  private static PartBytes formula(String text) {
    SizeExpression expression = SizeExpression.parse(text);
    return expression.constant().isPresent()
        ? PartBytes.of(expression.constant().getAsLong())
        : PartBytes.of(expression);
  }

  private PartBytes samples(long axisCount) {
    if (axisCount > MAX_AXES) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "expected 0 to %d axes, found %d", MAX_AXES, axisCount));
    }
    List<SampleAxis> axes = new ArrayList<>();
    for (int i = 0; i < axisCount; i++) {
      String[] fields = fieldsFrom("axis", FIRST_POINT);
      axes.add(
          new SampleAxis(
              ProfileText.unescaped(fields[1]),
              Arrays.stream(numbers(fields, FIRST_POINT)).boxed().toList()));
    }
    return PartBytes.sampled(axes, numbers(fieldsFrom("values", FIRST_VALUE), FIRST_VALUE));
  }

  private static long[] numbers(String[] fields, int first) {
    long[] numbers = new long[fields.length - first];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = number(fields[first + i]);
    }
    return numbers;
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String name) {
    for (E constant : type.getEnumConstants()) {
      if (constant.toString().equals(name)) {
        return constant;
      }
    }
    throw expected("one of " + Arrays.toString(type.getEnumConstants()), name);
  }

  private static long number(String field) {
    boolean isNumber = !field.isEmpty();
    for (int i = 0; i < field.length(); i++) {
      isNumber &= field.charAt(i) >= '0' && field.charAt(i) <= '9';
    }
    if (isNumber) {
      try {
        return Long.parseLong(field);
      } catch (NumberFormatException e) {
        throw expected("a number of at most 2^63 - 1", field);
      }
    }
    throw expected("a whole number", field);
  }

  private static IllegalArgumentException expected(String expected, String found) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "expected %s, found '%s'",
            expected,
            MalformedFileException.excerpt(found)));
  }
}
