package dev.stowage.cli.report;

import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.cli.tune.Hindsight;
import dev.stowage.cli.tune.TuningAllocator;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.Trial;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Searches for settings as tables. The last line has the best settings for a program. */
final class TuningTable implements ReportFormat<TuningReport> {

  /** The number of rows, without that of the baseline. */
  private static final int MOST_ROWS = 10;

  @Override
  public void print(TuningReport report, Writer out) throws IOException {
    long requested = report.input().trace().peakRequestedBytes();
    out.write(
        String.format(
            Locale.ROOT,
            "%s: %s, tuned for %s%s%n",
            Printable.of(report.input().input()),
            Numbers.count(report.input().trace().eventCount(), "event"),
            report.conditions().allocator().title(),
            report.conditions().limitBytes().isPresent()
                ? " with a limit of " + ByteUnit.exact(report.conditions().limitBytes().getAsLong())
                : ""));
    out.write(effort(report));
    trace(report, requested).print(out);
    out.write("\n");
    settings(report, requested).print(out);
    out.write("\n");
    for (String sentence : remarks(report)) {
      out.write(sentence + "\n");
    }
    paste(report.best().candidate(), out);
  }

  static void paste(Candidate best, Writer out) throws IOException {
    if (best.otherPaste().isPresent()) {
      out.write("The best settings, for PyTorch 2.9 and newer, and for all versions:\n");
      out.write(best.otherPaste().get() + "\n");
    } else {
      out.write("The best settings:\n");
    }
    out.write(best.paste() + "\n");
  }

  /** {@return the number of settings; replays that stopped early depend on the threads} */
  private static String effort(TuningReport report) {
    return String.format(
        Locale.ROOT,
        "Compared %s, of which %d differ on this trace%s.%n%n",
        Numbers.count(report.tuning().candidateCount(), "setting"),
        report.tuning().replayCount(),
        report.isCut() ? " (cut after " + report.tuning().doneCount() + ")" : "");
  }

  private static TextTable trace(TuningReport report, long requested) {
    TextTable table = new TextTable();
    table.row("TRACE", "bytes", "", "over requested");
    table.row("  requested (lower bound)", Numbers.grouped(requested), ByteUnit.human(requested));
    if (report.hindsight().isPresent()) {
      row(table, "  plan with hindsight", report.hindsight().get().bytes(), requested);
    }
    if (report.recordedReservedBytes().isPresent()) {
      row(table, "  reserved by PyTorch", report.recordedReservedBytes().getAsLong(), requested);
    }
    return table;
  }

  private static void row(TextTable table, String name, long bytes, long requested) {
    table.row(name, Numbers.grouped(bytes), ByteUnit.human(bytes), over(bytes, requested));
  }

  private static String over(long bytes, long requested) {
    if (requested == 0) {
      return "";
    }
    long excess = bytes - requested;
    return (excess < 0 ? "" : "+") + Numbers.percent(excess, requested);
  }

  private static TextTable settings(TuningReport report, long requested) {
    boolean hasCold = report.comparesWithoutCache();
    TextTable table = new TextTable();
    List<String> header =
        new ArrayList<>(List.of("SETTINGS", "reserved", "", "over requested", "device calls"));
    if (report.conditions().limitBytes().isPresent()) {
      header.add("failures");
    }
    if (hasCold) {
      header.add("without cache");
    }
    table.row(header);
    int rank = 0;
    for (TuningReport.Row row : report.results()) {
      Trial trial = row.trial();
      if (rank++ >= MOST_ROWS && !report.isBaseline(trial)) {
        continue;
      }
      long bytes = trial.result().peakReservedBytes();
      List<String> cells =
          new ArrayList<>(
              List.of(
                  "  " + Printable.of(name(report, trial)),
                  Numbers.grouped(bytes),
                  ByteUnit.human(bytes),
                  over(bytes, requested),
                  Numbers.grouped(trial.result().deviceCalls())));
      if (report.conditions().limitBytes().isPresent()) {
        cells.add(Numbers.grouped(trial.result().failures()));
      }
      if (hasCold) {
        cells.add(ByteUnit.human(trial.cold().peakReservedBytes()));
      }
      table.row(cells);
    }
    return table;
  }

  static String name(Candidate candidate) {
    String settings = candidate.settings();
    return settings.isEmpty() ? "the defaults" : settings;
  }

  private static String name(TuningReport report, Trial trial) {
    boolean isRecorded =
        report.isBaseline(trial)
            && report.conditions().allocator() == TuningAllocator.pytorch
            && report.recordedReservedBytes().isPresent();
    return name(trial.candidate()) + (isRecorded ? " (as recorded)" : "");
  }

  private static List<String> remarks(TuningReport report) {
    List<String> remarks = new ArrayList<>();
    if (report.isCut()) {
      remarks.add("The search was cut. Better settings may exist.");
    }
    if (report.hindsight().isPresent()) {
      remarks.add(hindsight(report.hindsight().get()));
    }
    if (report.conditions().allocator() == TuningAllocator.pytorch) {
      remarks.add(
          "Results are by PyTorch's rules. Recordings confirm only default settings, one stream and"
              + " no\nprivate pools.");
    }
    if (report.best().candidate().settings().contains("large_segment_size_mb")) {
      remarks.add("Older versions of PyTorch reject large_segment_size_mb.");
    }
    if (report.comparesWithoutCache()) {
      remarks.add(
          "Replays start with the recorded cache. Of equal results, the one is better that reserves"
              + " less\nwithout that cache.");
    }
    return remarks;
  }

  private static String hindsight(Hindsight plan) {
    String bound =
        plan.bytes() == plan.boundBytes()
            ? "The plan with hindsight is optimal"
            : "A plan with hindsight needs at least " + ByteUnit.exact(plan.boundBytes());
    return bound + (plan.isCut() ? "; its search was cut." : ".");
  }
}
