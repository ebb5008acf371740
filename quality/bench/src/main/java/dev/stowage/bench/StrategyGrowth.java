package dev.stowage.bench;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.Violation;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The times of the strategies of {@code all} for families of records with a growing number of
 * records, as a table in Markdown, in seconds.
 *
 * <p>The ratio to the time for a tenth of the records is in brackets. A dash means that {@code all}
 * skips the strategy. Each plan is computed once and checked, after a warm-up with the smallest
 * problems.
 */
public final class StrategyGrowth {

  private static final int FEWEST = 1_000;

  /** Ratios of shorter times are not meaningful. */
  private static final double SHORTEST_SECONDS = 0.005;

  /** A strategy, and whether it plans objects or offsets. */
  private record Planning(MemoryStrategy strategy, boolean isObjects) {

    String title() {
      return strategy + (isObjects ? " objects" : " offsets");
    }

    boolean isIncluded(PlanProblem problem) {
      return isObjects ? strategy.comparesObjects(problem) : strategy.comparesOffsets(problem);
    }

    double seconds(PlanProblem problem) {
      long start = System.nanoTime();
      Optional<Violation> violation;
      long nanos;
      if (!isObjects) {
        var plan = strategy.planOffsets(problem);
        nanos = System.nanoTime() - start;
        violation = AssignmentChecker.violation(problem, plan);
      } else {
        var plan = strategy.planObjects(problem);
        nanos = System.nanoTime() - start;
        violation = AssignmentChecker.violation(problem, plan);
      }
      violation.ifPresent(reason -> {
        throw new AssertionError(title() + ": " + reason);
      });
      return nanos / 1e9;
    }
  }

  private StrategyGrowth() {}

  /**
   * Prints the table.
   *
   * @param arguments the largest number of records, a power of ten; 1,000,000 if empty
   */
  public static void main(String... arguments) {
    int most = arguments.length == 0 ? 1_000_000 : Integer.parseInt(arguments[0]);
    List<Planning> plannings = plannings();
    warmUp(plannings);
    StringBuilder titles = new StringBuilder("| lifetimes | sizes | records |");
    plannings.forEach(planning -> titles.append(' ').append(planning.title()).append(" |"));
    System.out.println(titles);
    System.out.println("|---|---|---|" + "---|".repeat(plannings.size()));
    for (RecordFamily family : RecordFamily.values()) {
      for (RecordFamily.Sizes sizes : RecordFamily.Sizes.values()) {
        print(family, sizes, most, plannings);
      }
    }
  }

  /** {@return all strategies except searches, which have time limits} */
  private static List<Planning> plannings() {
    List<Planning> plannings = new ArrayList<>();
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      if (strategy == MemoryStrategy.OPTIMAL) {
        continue;
      }
      if (!strategy.derivesOffsets()) {
        plannings.add(new Planning(strategy, false));
      }
      if (strategy.plansObjects()) {
        plannings.add(new Planning(strategy, true));
      }
    }
    return plannings;
  }

  private static void warmUp(List<Planning> plannings) {
    for (RecordFamily family : RecordFamily.values()) {
      for (int run = 0; run < 5; run++) {
        PlanProblem problem = PlanProblem.of(family.records(5 * FEWEST, RecordFamily.Sizes.SKEWED));
        plannings.stream()
            .filter(planning -> planning.isIncluded(problem))
            .forEach(planning -> planning.seconds(problem));
      }
    }
  }

  private static void print(
      RecordFamily family, RecordFamily.Sizes sizes, int most, List<Planning> plannings) {
    double[] before = new double[plannings.size()];
    for (int count = FEWEST; count <= most; count *= 10) {
      PlanProblem problem = PlanProblem.of(family.records(count, sizes));
      StringBuilder row = new StringBuilder();
      row.append(String.format(Locale.ROOT, "| %s | %s | %,d |", family, sizes, count));
      for (int k = 0; k < before.length; k++) {
        double seconds =
            plannings.get(k).isIncluded(problem) ? plannings.get(k).seconds(problem) : 0;
        row.append(' ').append(cell(seconds, before[k])).append(" |");
        before[k] = seconds;
      }
      System.out.println(row);
    }
  }

  private static String cell(double seconds, double before) {
    if (seconds == 0) {
      return "–";
    }
    return before < SHORTEST_SECONDS
        ? String.format(Locale.ROOT, "%.3f", seconds)
        : String.format(Locale.ROOT, "%.3f (%.1f)", seconds, seconds / before);
  }
}
