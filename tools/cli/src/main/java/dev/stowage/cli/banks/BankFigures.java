package dev.stowage.cli.banks;

import dev.stowage.cli.gate.BaselineEntry;
import dev.stowage.cli.gate.GatedResult;
import dev.stowage.cli.plan.PeakRecords;
import dev.stowage.plan.banks.search.BankedSearchEnd;
import dev.stowage.plan.bounds.LowerBounds;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

/** The figures of plans in several banks that a baseline has: those of the cheapest plan. */
public final class BankFigures {

  private BankFigures() {}

  /**
   * {@return the figures of a report}
   *
   * @param report the plans, at least one, all of them finished
   * @param options the options that change the figures
   */
  public static GatedResult of(BankReport report, SortedMap<String, String> options) {
    SortedMap<String, Long> figures = new TreeMap<>();
    SortedSet<String> proved = new TreeSet<>();
    BankPlan best = report.best().orElseThrow();
    figures.put("cost", best.assignment().cost());
    figures.put(
        "banks_lower_bound_bytes", LowerBounds.of(report.problem().problem()).offsetsBytes());
    figures.put("banks_bytes", LongStream.of(best.assignment().bankBytes()).sum());
    if (report.isOptimal(best)) {
      proved.add("cost");
    }
    PeakRecords records = PeakRecords.of(report.problem().problem(), report.input().labels());
    return new GatedResult(
        new BaselineEntry(options, figures, proved, records.all()),
        records.peaks(),
        report.input().file()::nameOf,
        GatedResult.variation(
            report.plans().stream()
                .flatMap(plan -> plan.search().stream())
                .anyMatch(search -> search.end() == BankedSearchEnd.TIME_LIMIT)));
  }
}
