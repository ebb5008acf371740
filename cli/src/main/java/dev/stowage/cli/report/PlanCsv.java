package dev.stowage.cli.report;

import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.text.Numbers;
import dev.stowage.core.plan.LowerBounds;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Prints one line of CSV a plan. */
final class PlanCsv implements PlanFormat {

  private boolean hasHeader;

  @Override
  public void print(List<PlanReport> reports, Writer out) throws IOException {
    if (!hasHeader) {
      out.write("input,strategy,kind,total_bytes,lower_bound_bytes,optimal,seconds\n");
      hasHeader = true;
    }
    for (PlanReport report : reports) {
      String input = quoted(report.input().file().path());
      for (Plan plan : report.plans()) {
        out.write(
            "%s,%s,%s,%s,%s\n"
                .formatted(
                    input,
                    plan.strategy(),
                    totals(plan, report.bounds()),
                    plan.optimal(),
                    Numbers.seconds(plan.seconds())));
      }
    }
  }

  private static String totals(Plan plan, Optional<LowerBounds> bounds) {
    return switch (plan) {
      case Plan.Offsets offsets ->
          "offsets,%d,%s"
              .formatted(
                  offsets.assignment().totalBytes(), bound(bounds, LowerBounds::offsetsBytes));
      case Plan.Objects objects ->
          "objects,%d,%s"
              .formatted(
                  objects.assignment().totalBytes(), bound(bounds, LowerBounds::objectsBytes));
      // Texels are no bytes.
      case Plan.Textures textures -> "objects,,";
    };
  }

  private static String bound(Optional<LowerBounds> bounds, ToLongFunction<LowerBounds> which) {
    return bounds.map(known -> Long.toString(which.applyAsLong(known))).orElse("");
  }

  private static String quoted(String field) {
    boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }
}
