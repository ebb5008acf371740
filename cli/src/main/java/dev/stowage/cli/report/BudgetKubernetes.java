package dev.stowage.cli.report;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.cli.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** The largest budget of a model as the resources of a Kubernetes container. */
final class BudgetKubernetes implements ReportFormat<BudgetReport> {

  private static final long MIB = 1 << 20;

  @Override
  public void print(BudgetReport report, Writer out) throws IOException {
    ShapeBudget largest = report.largest();
    long mebibytes = Math.ceilDiv(largest.budget().highestBytes(), MIB);
    out.write(
        String.format(
            Locale.ROOT,
            """
            # %s: sessions=%d, threads=%d%s
            resources:
              requests:
                memory: "%dMi"
              limits:
                memory: "%dMi"
            """,
            Printable.of(largest.input()),
            largest.sessions(),
            largest.threads(),
            largest.hasHeap() ? "" : ", without the Java process",
            mebibytes,
            mebibytes));
  }
}
