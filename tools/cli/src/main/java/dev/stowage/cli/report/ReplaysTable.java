package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.ReplayResult;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Replayed traces as one table, with a line for each trace and setting. */
final class ReplaysTable implements ReportFormat<ReplayReport> {

  /** A line, without the parts of the report that need much memory. */
  private record Line(
      String input, AllocatorSummary allocator, List<String> cells, Optional<String> failure) {}

  private final List<Line> lines = new ArrayList<>();
  private boolean hasRecorded;

  @Override
  public void print(ReplayReport report, Writer out) {
    ReplayResult result = report.result();
    long requested = result.peakRequestedBytes();
    long reserved = result.peakReservedBytes();
    Optional<RecordedState> recorded = report.summary().recorded();
    hasRecorded |= recorded.isPresent();
    List<String> cells =
        List.of(
            Numbers.grouped(report.allocations()),
            Numbers.grouped(result.failures()),
            ByteUnit.human(requested),
            ByteUnit.human(result.peakInUseBytes()),
            ByteUnit.human(reserved),
            requested == 0 ? "" : Numbers.excess((double) (reserved - requested) / requested),
            recorded.map(state -> ByteUnit.human(state.reservedBytes())).orElse(""));
    lines.add(
        new Line(
            Printable.of(report.input()),
            report.allocator(),
            cells,
            result.firstFailure().map(ReplaysTable::sentence)));
  }

  private static String sentence(ReplayResult.Failure failure) {
    return String.format(
        Locale.ROOT,
        "first failure, event %s, '%s': %s",
        Numbers.grouped(failure.event()),
        Printable.of(failure.id()),
        failure.reason());
  }

  @Override
  public void end(boolean isComplete, Writer out) throws IOException {
    if (!lines.isEmpty()) {
      boolean hasOneSetting =
          lines.stream().map(line -> line.allocator().settings()).distinct().count() == 1;
      AllocatorSummary first = lines.getFirst().allocator();
      out.write(
          String.format(
              Locale.ROOT,
              "Replayed with %s.%n%n",
              hasOneSetting ? first.text() : first.title() + " with the settings below"));
      table(hasOneSetting).print(out);
      notes(hasOneSetting, out);
    }
    if (!isComplete) {
      out.write("\nInterrupted: the table lacks traces.\n");
    }
  }

  private TextTable table(boolean hasOneSetting) {
    TextTable table = new TextTable();
    table.row("", "", "", "PEAK");
    row(
        table,
        "TRACE",
        List.of("allocations", "failed", "requested", "in use", "reserved", "over", "recorded"));
    String input = "";
    for (Line line : lines) {
      if (hasOneSetting) {
        row(table, line.input(), line.cells());
      } else {
        if (!line.input().equals(input)) {
          table.row(line.input());
        }
        row(table, "  " + settings(line), line.cells());
      }
      input = line.input();
    }
    return table;
  }

  private static String settings(Line line) {
    String settings = line.allocator().settings();
    return settings.isEmpty() ? "defaults" : settings;
  }

  private void row(TextTable table, String name, List<String> cells) {
    List<String> row = new ArrayList<>();
    row.add(name);
    row.addAll(hasRecorded ? cells : cells.subList(0, cells.size() - 1));
    table.row(row);
  }

  private void notes(boolean hasOneSetting, Writer out) throws IOException {
    out.write("\nover: peak of reserved over peak of requested bytes\n");
    if (hasRecorded) {
      out.write("recorded: reserved by PyTorch at the end of the recording\n");
    }
    boolean hasUnconfirmed =
        lines.stream()
            .map(Line::allocator)
            .anyMatch(allocator -> allocator.name().equals("pytorch") && !allocator.isConfirmed());
    if (hasUnconfirmed) {
      out.write(
          "Results are by PyTorch's rules. Recordings confirm only default settings, one stream"
              + " and no\nprivate pools.\n");
    }
    for (Line line : lines) {
      if (line.failure().isPresent()) {
        String name = hasOneSetting ? line.input() : line.input() + ", " + settings(line);
        out.write(String.format(Locale.ROOT, "%s: %s%n", name, line.failure().get()));
      }
    }
  }
}
