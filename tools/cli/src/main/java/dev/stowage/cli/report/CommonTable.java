package dev.stowage.cli.report;

import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.cli.tune.CommonReport;
import dev.stowage.trace.tune.CommonSettings;
import dev.stowage.trace.tune.Trial;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** Settings for several traces as a table. The last line has the best settings for a program. */
final class CommonTable implements ReportFormat<CommonReport> {

  private static final int MOST_ROWS = 5;

  @Override
  public void print(CommonReport report, Writer out) throws IOException {
    out.write(
        String.format(
            Locale.ROOT,
            "All %s: the settings with the smallest maximum regret%n%n",
            Numbers.count(report.reports().size(), "trace")));
    TextTable settings = new TextTable();
    settings.row("SETTINGS", "maximum regret", "failures");
    report.settings().stream()
        .limit(MOST_ROWS)
        .forEach(common ->
            settings.row(
                "  " + Printable.of(TuningTable.name(common.candidate())),
                Numbers.excess(common.maxRegret()),
                Numbers.grouped(common.failures())));
    settings.print(out);
    CommonSettings best = report.settings().getFirst();
    TextTable traces = new TextTable();
    traces.row("");
    traces.row("WITH THE FIRST", "reserved", "", "more than with its best", "");
    for (int i = 0; i < report.reports().size(); i++) {
      Trial trial = best.results().get(i);
      long bytes = trial.result().peakReservedBytes();
      traces.row(
          "  " + Printable.of(report.reports().get(i).input().input()),
          Numbers.grouped(bytes),
          ByteUnit.human(bytes),
          Numbers.grouped(best.lostBytes().get(i)),
          Numbers.percent(best.lostShares().get(i)));
    }
    traces.print(out);
    out.write("\n");
    if (report.isCut()) {
      out.write("The search was cut. Better settings may exist.\n");
    }
    TuningTable.paste(best.candidate(), out);
  }
}
