package dev.stowage.cli.budget;

import dev.stowage.budget.ModelBudget;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * The largest size of a dimension, or the largest number of sessions or threads, with which a
 * budget is within a limit. The other dimensions have their largest sizes.
 *
 * @param name the dimension, {@code sessions} or {@code threads}
 * @param largest the largest size; empty if none fits
 * @param allUpTo the largest size up to which all sizes fit; empty if the smallest does not fit
 * @param limitBytes the limit
 */
public record BudgetFit(String name, OptionalLong largest, OptionalLong allUpTo, long limitBytes) {

  /** The name of the number of sessions. */
  public static final String SESSIONS = "sessions";

  /** The name of the number of threads. */
  public static final String THREADS = "threads";

  /** The most sessions or threads of the search. */
  public static final int MAX_COUNT = 10_000;

  /** The most sizes of a dimension that the search tries one by one. */
  private static final long MAX_SIZES = 1_000_000;

  /**
   * {@return the largest size that fits}
   *
   * <p>The search tries all sizes of a dimension from the largest to the smallest, so that it needs
   * no assumption on the budget. For more than a million sizes, it tries every n-th one, and then
   * the sizes above the largest of these that fits.
   *
   * @throws IllegalArgumentException if the budget has no range of the dimension
   */
  static BudgetFit of(ModelBudget budget, String name, int sessions, int threads, long limitBytes) {
    DimensionValues last = budget.ranges().last();
    return switch (name) {
      case SESSIONS ->
          ofCount(
              name,
              largestCount(
                  count -> budget.at(last, (int) count, threads).highestBytes() <= limitBytes),
              limitBytes);
      case THREADS ->
          ofCount(
              name,
              largestCount(
                  count -> budget.at(last, sessions, (int) count).highestBytes() <= limitBytes),
              limitBytes);
      default -> {
        DimensionRange range =
            budget
                .ranges()
                .range(name)
                .orElseThrow(() ->
                    new IllegalArgumentException(
                        "dimension '"
                            + name
                            + "' has no range, expected one such as --dim "
                            + name
                            + "=1..64"));
        LongPredicate fits =
            size ->
                budget.at(last.with(name, size), sessions, threads).highestBytes() <= limitBytes;
        yield new BudgetFit(name, largestSize(range, fits), allUpTo(range, fits), limitBytes);
      }
    };
  }

  /** The memory grows with a count, so that all smaller ones fit. */
  private static BudgetFit ofCount(String name, OptionalLong largest, long limitBytes) {
    return new BudgetFit(name, largest, largest, limitBytes);
  }

  /** {@return true if a size fits although a smaller one does not} */
  public boolean hasGap() {
    return !largest.equals(allUpTo);
  }

  /** {@return the size before the first one that does not fit, among at most a million sizes} */
  private static OptionalLong allUpTo(DimensionRange range, LongPredicate fits) {
    long step = 1 + (range.last() - range.first()) / MAX_SIZES;
    long size = range.first();
    while (fits.test(size)) {
      if (size == range.last()) {
        return OptionalLong.of(size);
      }
      size += Math.min(step, range.last() - size);
    }
    if (size == range.first()) {
      return OptionalLong.empty();
    }
    // The sizes that the steps left out.
    long below = size - Math.min(step, size - range.first());
    while (fits.test(below + 1)) {
      below++;
    }
    return OptionalLong.of(below);
  }

  private static OptionalLong largestSize(DimensionRange range, LongPredicate fits) {
    // Counts of sizes, because the first or the last size may be the largest number.
    long step = 1 + (range.last() - range.first()) / MAX_SIZES;
    for (long below = 0; below <= range.last() - range.first(); below += step) {
      long size = range.last() - below;
      if (fits.test(size)) {
        return below == 0 || step == 1
            ? OptionalLong.of(size)
            : largestSize(
                new DimensionRange(
                    range.name(), size, size + Math.min(step - 1, range.last() - size)),
                fits);
      }
    }
    return fits.test(range.first()) ? OptionalLong.of(range.first()) : OptionalLong.empty();
  }

  /** {@return the largest count; the memory grows with it} */
  private static OptionalLong largestCount(LongPredicate fits) {
    long count = 0;
    while (count < MAX_COUNT && fits.test(count + 1)) {
      count++;
    }
    return count == 0 ? OptionalLong.empty() : OptionalLong.of(count);
  }
}
