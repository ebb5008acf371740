package dev.stowage.cli.report;

import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.cli.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/**
 * The largest budget of each model as the resources of a Kubernetes container, in YAML documents.
 */
final class BudgetKubernetes implements ReportFormat<BudgetReport> {

  private static final long MIB = 1 << 20;

  private boolean hasDocument;

  @Override
  public void print(BudgetReport report, Writer out) throws IOException {
    if (hasDocument) {
      // A document has each key once.
      out.write("---\n");
    }
    hasDocument = true;
    ShapeBudget largest = report.largest();
    long mebibytes = Math.ceilDiv(largest.budget().highestBytes(), MIB);
    out.write(
        String.format(
            Locale.ROOT,
            """
            # %s: sessions=%d, threads=%d%s%s
            resources:
              requests:
                memory: "%dMi"
              limits:
                memory: "%dMi"
            """,
            Printable.of(largest.input()),
            largest.service().sessions(),
            largest.service().threads(),
            report.cpu().map(cpu -> ", cpu=" + cpu.name()).orElse(""),
            largest.hasProcess() ? "" : ", without the Java process",
            mebibytes,
            mebibytes));
  }
}
