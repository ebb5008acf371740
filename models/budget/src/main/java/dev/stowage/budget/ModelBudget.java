package dev.stowage.budget;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The native memory of a service that runs a model, as a function of dimensions, sessions and
 * threads.
 *
 * <p>Evaluation needs neither the model nor an engine and takes microseconds. Sessions are created
 * one after the other; then each session runs. Immutable.
 *
 * {@snippet :
 * ModelBudget budget = ModelBudget.parse(Files.readString(Path.of("model.profile")));
 * long bytes = budget.at(DimensionValues.of("batch", 12), 4, 2).highestBytes();
 * }
 *
 * @param model the name of the model
 * @param ranges the ranges of dimensions for which the budget holds. A dimension with one size has
 *     a range of one value
 * @param parts the parts
 */
public record ModelBudget(String model, DimensionRanges ranges, List<BudgetPart> parts) {

  /**
   * Creates a budget.
   *
   * @throws IllegalArgumentException if two parts have the same name, a part depends on a dimension
   *     without a range, or its samples do not include a range
   */
  public ModelBudget {
    parts = List.copyOf(parts);
    Set<String> names = new HashSet<>();
    for (BudgetPart part : parts) {
      if (!names.add(part.name())) {
        throw new IllegalArgumentException(
            "two parts have the name '" + part.name() + "', expected one");
      }
      check(part, ranges);
    }
  }

  private static void check(BudgetPart part, DimensionRanges ranges) {
    for (String dimension : part.bytes().dimensions()) {
      if (ranges.range(dimension).isEmpty()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "part '%s' depends on dimension '%s', which has no range",
                part.name(),
                dimension));
      }
    }
    if (part.bytes() instanceof PartBytes.Samples samples) {
      for (SampleAxis axis : samples.axes()) {
        DimensionRange range = ranges.range(axis.dimension()).orElseThrow();
        if (axis.points().getFirst() > range.first() || axis.points().getLast() < range.last()) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "part '%s' has samples of dimension '%s' from %d to %d, expected samples for %s",
                  part.name(),
                  axis.dimension(),
                  axis.points().getFirst(),
                  axis.points().getLast(),
                  range));
        }
      }
    }
  }

  /**
   * {@return the budget of a profile, the content of a file of {@code stowage budget --profile}}
   *
   * @param text the profile
   * @throws IllegalArgumentException if the text is no profile, or is cut short; the message names
   *     the line
   */
  public static ModelBudget parse(String text) {
    return ProfileParser.parse(text, ModelBudget::new);
  }

  /** {@return the profile of this budget, for {@link #parse}} */
  public String toProfile() {
    return ProfileText.of(model, ranges, parts);
  }

  /**
   * {@return the memory for a shape}
   *
   * @param shape a size within the range of each dimension. Other dimensions have no effect
   * @param sessions the number of sessions
   * @param threads the number of threads of each session, with the caller's
   * @throws IllegalArgumentException if a dimension is missing or outside of its range, {@code
   *     sessions < 1} or {@code threads < 1}
   * @throws ArithmeticException if a part or the sum of the parts has more than 2^63 - 1 bytes, or
   *     an expression is negative
   */
  public MemoryBudget at(DimensionValues shape, int sessions, int threads) {
    if (sessions < 1 || threads < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sessions and threads must be positive: sessions=%d, threads=%d",
              sessions,
              threads));
    }
    for (DimensionRange range : ranges.ranges()) {
      long size = shape.get(range.name());
      if (size < range.first() || size > range.last()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "dimension '%s' must be from %d to %d: %s=%d",
                range.name(),
                range.first(),
                range.last(),
                range.name(),
                size));
      }
    }
    List<MemoryPart> all = new ArrayList<>(parts.size());
    for (BudgetPart part : parts) {
      try {
        all.add(part(part, shape, sessions, threads));
      } catch (ArithmeticException e) {
        ArithmeticException outside =
            new ArithmeticException(
                String.format(
                    Locale.ROOT,
                    "the bytes of part '%s' must be from 0 to 2^63 - 1: %s; shape %s, sessions=%d, threads=%d",
                    part.name(),
                    e.getMessage(),
                    shape,
                    sessions,
                    threads));
        outside.initCause(e);
        throw outside;
      }
    }
    return new MemoryBudget(all);
  }

  private static MemoryPart part(
      BudgetPart part, DimensionValues shape, int sessions, int threads) {
    long bytes = part.bytes().at(shape);
    long all = Math.multiplyExact(bytes, part.unit().count(sessions, threads));
    return switch (part.phase()) {
      case ALWAYS -> new MemoryPart(part.name(), all, all, part.how());
      // Only the last session is being created when memory is highest.
      case LOADING -> new MemoryPart(part.name(), bytes, 0, part.how());
      case RUNNING -> new MemoryPart(part.name(), 0, all, part.how());
    };
  }
}
