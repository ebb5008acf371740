package dev.stowage.plan.explain;

import dev.stowage.plan.PlanProblem;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The next lower peak of the live bytes: the peak without some records.
 *
 * @param load the peak of the other records
 * @param isWithoutAllLive true if the records that are live at the peak are left out; false if the
 *     records of a conflict are
 */
public record NextPeak(LoadPeak load, boolean isWithoutAllLive) {

  /**
   * {@return the peak without the records of a conflict; if this is not lower, the peak without the
   * records that are live at the peak}
   *
   * @param problem the records
   * @param peak their peak
   * @param conflict the records of a conflict
   */
  public static NextPeak of(PlanProblem problem, LoadPeak peak, List<Integer> conflict) {
    PlanProblem withoutGaps = problem.withoutUnusedGaps();
    LoadPeak next = without(withoutGaps, new TreeSet<>(conflict));
    return next.bytes() < peak.bytes()
        ? new NextPeak(next, false)
        : withoutAllLive(withoutGaps, peak);
  }

  /**
   * {@return the peak without all records that are live at the peak}
   *
   * @param problem the records
   * @param peak their peak
   */
  public static NextPeak withoutAllLive(PlanProblem problem, LoadPeak peak) {
    PlanProblem withoutGaps = problem.withoutUnusedGaps();
    Set<Integer> removed = new TreeSet<>();
    for (int i = 0; i < withoutGaps.records().size(); i++) {
      if (peak.isLive(withoutGaps.records().get(i))) {
        removed.add(i);
      }
    }
    return new NextPeak(without(withoutGaps, removed), true);
  }

  private static LoadPeak without(PlanProblem problem, Set<Integer> removed) {
    return LoadPeak.of(
        problem.subset(
            IntStream.range(0, problem.records().size())
                .filter(i -> !removed.contains(i))
                .boxed()
                .toList()));
  }
}
