package dev.stowage.cli.report;

import dev.stowage.budget.MemoryPart;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.CpuChoice;
import dev.stowage.cli.budget.PartConfidence;
import dev.stowage.cli.budget.ShapeBudget;
import dev.stowage.cli.text.CsvField;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.stream.Collectors;

/** Budgets as CSV: a line for each shape and part, and one with the sum. */
final class BudgetCsv implements ReportFormat<BudgetReport> {

  private boolean hasHeader;

  @Override
  public void print(BudgetReport report, Writer out) throws IOException {
    if (!hasHeader) {
      out.write(
          "input,dimensions,sessions,threads,part,how,loading_bytes,running_bytes,bytes,cpu,confidence\n");
      hasHeader = true;
    }
    for (ShapeBudget shape : report.shapes()) {
      for (MemoryPart part : shape.budget().parts()) {
        line(
            report,
            shape,
            part.name(),
            part.how().toString(),
            part.loadingBytes(),
            part.runningBytes(),
            shape.budget().highestBytes(part),
            report.confidence(part).toString(),
            out);
      }
      line(
          report,
          shape,
          "predicted",
          "",
          shape.budget().loadingBytes(),
          shape.budget().runningBytes(),
          shape.budget().highestBytes(),
          PartConfidence.ESTIMATE.toString(),
          out);
    }
  }

  private static void line(
      BudgetReport report,
      ShapeBudget shape,
      String part,
      String how,
      long loadingBytes,
      long runningBytes,
      long bytes,
      String confidence,
      Writer out)
      throws IOException {
    String dimensions =
        shape.dimensions().entrySet().stream()
            .map(dimension -> dimension.getKey() + "=" + dimension.getValue())
            .collect(Collectors.joining(" "));
    out.write(
        String.format(
            Locale.ROOT,
            "%s,%s,%d,%d,%s,%s,%d,%d,%d,%s,%s\n",
            CsvField.of(shape.input()),
            CsvField.of(dimensions),
            shape.service().sessions(),
            shape.service().threads(),
            part,
            how,
            loadingBytes,
            runningBytes,
            bytes,
            report.cpu().map(CpuChoice::name).orElse(""),
            confidence));
  }
}
