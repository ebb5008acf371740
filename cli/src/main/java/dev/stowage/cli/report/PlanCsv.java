package dev.stowage.cli.report;

import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.text.Numbers;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Prints one line of CSV a plan. */
final class PlanCsv implements PlanFormat {

  private boolean hasHeader;

  @Override
  public void print(List<PlanReport> reports, Writer out) throws IOException {
    if (!hasHeader) {
      out.write("input,strategy,kind,total_bytes,lower_bound_bytes,optimal,seconds,nodes,ended\n");
      hasHeader = true;
    }
    for (PlanReport report : reports) {
      String input = quoted(report.input().file().path());
      for (Plan plan : report.plans()) {
        out.write(
            "%s,%s,%s,%s,%s,%s\n"
                .formatted(
                    input,
                    plan.strategy(),
                    totals(plan, report),
                    plan.optimal(),
                    Numbers.seconds(plan.seconds()),
                    search(plan)));
      }
    }
  }

  private static String totals(Plan plan, PlanReport report) {
    return switch (plan) {
      case Plan.Offsets offsets ->
          "offsets,%d,%d".formatted(offsets.totalBytes(), report.offsetsBoundBytes());
      case Plan.Objects objects ->
          "objects,%d,%d".formatted(objects.totalBytes(), report.objectsBoundBytes());
      // Texels are no bytes.
      case Plan.Textures textures -> "objects,,";
    };
  }

  /** {@return nodes and end of the search that found a plan, if one did; of objects the nodes} */
  private static String search(Plan plan) {
    Optional<String> search =
        switch (plan) {
          case Plan.Offsets offsets ->
              offsets
                  .search()
                  .map(found -> found.nodes() + "," + found.end().name().toLowerCase(Locale.ROOT));
          case Plan.Objects objects -> objects.search().map(found -> found.nodeCount() + ",");
          case Plan.Textures textures -> Optional.empty();
        };
    return search.orElse(",");
  }

  private static String quoted(String field) {
    boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }
}
