package dev.stowage.core.budget;

import dev.stowage.core.plan.shapes.DimensionRange;
import dev.stowage.core.plan.shapes.DimensionRanges;
import dev.stowage.core.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A parser of budgets as text. */
final class ProfileParser {

  private static final int PART_FIELDS = 7;
  private static final int MAX_AXES = 8;

  private final String[] lines;
  private int next;

  private ProfileParser(String[] lines) {
    this.lines = lines;
  }

  static ModelBudget parse(String text) {
    ProfileParser parser = new ProfileParser(text.lines().toArray(String[]::new));
    try {
      return parser.budget();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "profile:%d: %s", Math.max(1, parser.next), e.getMessage()),
          e);
    }
  }

  private ModelBudget budget() {
    if (lines.length == 0 || !lines[next++].equals(ProfileText.HEADER)) {
      throw new IllegalArgumentException("expected the header '" + ProfileText.HEADER + "'");
    }
    String model = ProfileText.unescaped(fields("model", 2)[1]);
    List<DimensionRange> ranges = new ArrayList<>();
    List<BudgetPart> parts = new ArrayList<>();
    while (next < lines.length) {
      if (lines[next].startsWith("dimension\t")) {
        String[] fields = fields("dimension", 4);
        ranges.add(
            new DimensionRange(
                ProfileText.unescaped(fields[1]), number(fields[2]), number(fields[3])));
      } else {
        parts.add(part());
      }
    }
    return new ModelBudget(model, new DimensionRanges(ranges), parts);
  }

  /** {@return the fields of the next line, of which there are at least some} */
  private String[] fields(String kind, int count) {
    String line = next < lines.length ? lines[next] : "";
    next++;
    String[] fields = line.split("\t", -1);
    if (!fields[0].equals(kind) || fields.length < count) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expected '%s' with at least %d fields, found '%s'",
              kind,
              count - 1,
              line));
    }
    return fields;
  }

  private BudgetPart part() {
    String[] fields = fields("part", PART_FIELDS);
    PartBytes bytes =
        switch (fields[5]) {
          case "formula" -> PartBytes.of(SizeExpression.parse(ProfileText.unescaped(fields[6])));
          case "samples" -> samples(number(fields[6]));
          default ->
              throw new IllegalArgumentException(
                  "expected formula or samples, found '" + fields[5] + "'");
        };
    return new BudgetPart(
        fields[1],
        constant(PartSource.class, fields[2]),
        constant(PartUnit.class, fields[3]),
        constant(PartPhase.class, fields[4]),
        bytes);
  }

  private PartBytes samples(long axisCount) {
    if (axisCount < 0 || axisCount > MAX_AXES) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "expected 0 to %d axes, found %d", MAX_AXES, axisCount));
    }
    List<SampleAxis> axes = new ArrayList<>();
    for (int i = 0; i < axisCount; i++) {
      String[] fields = fields("axis", 3);
      axes.add(
          new SampleAxis(
              ProfileText.unescaped(fields[1]),
              Arrays.stream(fields).skip(2).map(ProfileParser::number).toList()));
    }
    String[] values = fields("values", 2);
    return PartBytes.sampled(
        axes, Arrays.stream(values).skip(1).mapToLong(ProfileParser::number).toArray());
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String name) {
    for (E constant : type.getEnumConstants()) {
      if (constant.toString().equals(name)) {
        return constant;
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "expected one of %s, found '%s'",
            Arrays.toString(type.getEnumConstants()),
            name));
  }

  private static long number(String field) {
    if (!field.matches("\\d{1,18}")) {
      throw new IllegalArgumentException("expected a number, found '" + field + "'");
    }
    return Long.parseLong(field);
  }
}
