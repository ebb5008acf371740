package dev.stowage.cli.report;

import dev.stowage.cli.plan.Explanation;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.text.CsvField;
import dev.stowage.cli.text.Numbers;
import dev.stowage.plan.explain.CapacityConflict;
import dev.stowage.plan.explain.CapacityConflict.Reason;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Plans as lines of CSV, optionally with columns of the explanation. */
final class PlanCsv implements PlanFormat {

  private static final String EXPLANATION_COLUMNS =
      ",explained_bytes,reason,least_bytes,task,explained_ids";

  private final boolean explains;
  private boolean hasHeader;

  PlanCsv(boolean explains) {
    this.explains = explains;
  }

  @Override
  public void print(List<PlanReport> reports, Writer out) throws IOException {
    if (!hasHeader) {
      out.write("input,strategy,kind,total_bytes,lower_bound_bytes,optimal,seconds,nodes,ended");
      out.write(explains ? EXPLANATION_COLUMNS + "\n" : "\n");
      hasHeader = true;
    }
    for (PlanReport report : reports) {
      String input = CsvField.of(report.input().file().path());
      for (Plan plan : report.plans()) {
        out.write(
            String.format(
                Locale.ROOT,
                "%s,%s,%s,%s,%s,%s%s\n",
                input,
                plan.strategy(),
                totals(plan, report),
                plan.isOptimal(),
                Numbers.seconds(plan.seconds()),
                search(plan, report.arePlansCut()),
                explains ? explanation(plan, report) : ""));
      }
    }
  }

  private static String totals(Plan plan, PlanReport report) {
    return switch (plan) {
      case Plan.Offsets offsets ->
          String.format(
              Locale.ROOT, "offsets,%d,%d", offsets.totalBytes(), report.offsetsBoundBytes());
      case Plan.Objects objects ->
          String.format(
              Locale.ROOT, "objects,%d,%d", objects.totalBytes(), report.objectsBoundBytes());
      // Textures have texels instead of bytes.
      case Plan.Textures textures -> "objects,,";
    };
  }

  /**
   * {@return the nodes and the end of the search that found a plan, or empty fields}
   *
   * <p>If a signal ended the planning, all other plans have the end "interrupted".
   */
  private static String search(Plan plan, boolean isInterrupted) {
    String end = isInterrupted ? "interrupted" : "";
    Optional<String> search =
        switch (plan) {
          case Plan.Offsets offsets ->
              offsets
                  .search()
                  .map(found -> found.nodes() + "," + found.end().name().toLowerCase(Locale.ROOT));
          case Plan.Objects objects ->
              objects
                  .search()
                  .map(found -> found.nodes() + "," + found.end().name().toLowerCase(Locale.ROOT));
          case Plan.Textures textures -> Optional.empty();
        };
    return search.orElse("," + end);
  }

  /** {@return the explanation of the file if the plan has offsets, else empty fields} */
  private static String explanation(Plan plan, PlanReport report) {
    if (!(plan instanceof Plan.Offsets) || report.explanation().isEmpty()) {
      return ",,,,,";
    }
    Explanation explanation = report.explanation().get();
    String capacity = "," + explanation.capacityBytes();
    if (explanation.conflict().isEmpty()) {
      return capacity + ",not_proved,,,";
    }
    CapacityConflict conflict = explanation.conflict().get();
    String task =
        switch (conflict.reason()) {
          case Reason.LiveBytes live -> Long.toString(live.task());
          case Reason.Padding padding -> Long.toString(padding.task());
          default -> "";
        };
    String ids =
        conflict.records().stream()
            .map(i -> report.input().labels().get(i).id())
            .collect(Collectors.joining(" "));
    return String.join(
        ",",
        capacity,
        ExplanationText.reason(conflict),
        Long.toString(conflict.leastBytes()),
        task,
        CsvField.of(ids));
  }
}
