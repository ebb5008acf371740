package dev.stowage.cli.report;

import dev.stowage.cli.text.CsvField;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.trace.tune.Trial;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** Searches for settings as CSV: a line for each trace and setting, the best one first. */
final class TuningCsv implements ReportFormat<TuningReport> {

  private boolean hasHeader;

  @Override
  public void print(TuningReport report, Writer out) throws IOException {
    if (!hasHeader) {
      out.write(
          "input,allocator,settings,baseline,peak_reserved_bytes,failures,device_calls,"
              + "empty_cache_reserved_bytes,peak_requested_bytes,seconds,cut\n");
      hasHeader = true;
    }
    for (TuningReport.Row row : report.results()) {
      Trial trial = row.trial();
      out.write(
          String.format(
              Locale.ROOT,
              "%s,%s,%s,%s,%d,%d,%d,%s,%d,%s,%s\n",
              CsvField.of(report.input().input()),
              report.conditions().allocator(),
              CsvField.of(trial.candidate().settings()),
              report.isBaseline(trial),
              trial.result().peakReservedBytes(),
              trial.result().failures(),
              trial.result().deviceCalls(),
              trial.withoutCache().map(cold -> Long.toString(cold.peakReservedBytes())).orElse(""),
              report.input().trace().peakRequestedBytes(),
              Numbers.seconds(row.seconds()),
              report.isCut()));
    }
  }
}
