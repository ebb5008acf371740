package dev.stowage.core.budget;

import dev.stowage.core.plan.shapes.DimensionRanges;
import dev.stowage.core.plan.shapes.DimensionValues;
import java.util.List;
import java.util.Locale;

/**
 * The native memory of a service that runs a model, as a function of dimensions, sessions and
 * threads.
 *
 * <p>Evaluation needs neither the model nor an engine and takes microseconds. Sessions are created
 * one after the other; then each session runs. Immutable.
 *
 * @param model the name of the model
 * @param ranges the ranges of dimensions for which the budget holds
 * @param parts the parts
 */
public record ModelBudget(String model, DimensionRanges ranges, List<BudgetPart> parts) {

  /**
   * Creates a budget.
   *
   * @throws IllegalArgumentException if the name of the model has a line break
   */
  public ModelBudget {
    if (model.indexOf('\n') >= 0 || model.indexOf('\r') >= 0) {
      throw new IllegalArgumentException("the name of a model must not have line breaks");
    }
    parts = List.copyOf(parts);
  }

  /**
   * {@return the budget of a profile, the text of {@link #toProfile()}}
   *
   * @param text the text
   * @throws IllegalArgumentException if the text is no profile; the message names the line
   */
  public static ModelBudget parse(String text) {
    return ProfileParser.parse(text);
  }

  /** {@return the profile of this budget, for {@link #parse}} */
  public String toProfile() {
    return ProfileText.of(this);
  }

  /**
   * {@return the memory for a shape}
   *
   * @param shape a size within the range of each dimension
   * @param sessions the number of sessions
   * @param threads the number of threads of each session, with the caller's
   * @throws IllegalArgumentException if a dimension is missing or outside of its range, {@code
   *     sessions < 1} or {@code threads < 1}
   * @throws ArithmeticException if the memory has more than 2^63 - 1 bytes
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
    if (!ranges.contains(shape)) {
      throw new IllegalArgumentException(
          "the shape is not within the ranges: shape " + shape + ", ranges " + ranges);
    }
    return new MemoryBudget(
        parts.stream().map(part -> part(part, shape, sessions, threads)).toList());
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
