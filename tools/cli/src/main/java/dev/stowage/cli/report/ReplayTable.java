package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.ReplayAdvice;
import dev.stowage.trace.replay.ReplayResult;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Replayed traces as tables. */
final class ReplayTable implements ReportFormat<ReplayReport> {

  @Override
  public void print(ReplayReport report, Writer out) throws IOException {
    ReplayResult result = report.result();
    out.write(
        String.format(
            Locale.ROOT,
            "%s: %s and %s, %d failed%n",
            Printable.of(report.input()),
            Numbers.count(report.allocations(), "allocation"),
            Numbers.count(result.frees(), "free"),
            result.failures()));
    if (report.summary().recorded().isPresent()) {
      recorded(report.summary().recorded().get(), out);
    }
    if (!report.allocator().name().equals("bfc")) {
      allocator(report, out);
    }
    TextTable table = new TextTable();
    table.row("");
    table.row("PEAK", "bytes", "", "over requested");
    long requested = result.peakRequestedBytes();
    table.row("  requested", Numbers.grouped(requested), ByteUnit.human(requested));
    row(table, "  in use", result.peakInUseBytes(), requested);
    row(table, "  reserved", result.peakReservedBytes(), requested);
    table.print(out);
    out.write(
        String.format(
            Locale.ROOT,
            "%nReserved at the end: %s in %s.%n",
            ByteUnit.exact(result.reservedBytes()),
            Numbers.count(result.regionBytes().size(), "region")));
    out.write(String.format(Locale.ROOT, "Fragmentation at the peak of bytes in use:%n"));
    fragmentation(
        out, "external", result.externalFragmentation(), "1 - largest free chunk / free bytes");
    fragmentation(out, "internal", result.internalFragmentation(), "1 - requested / chunk bytes");
    printFailures(report, out);
    if (report.details().explanation().isPresent()) {
      new ReplayExplanationTable(report.details().explanation().get(), report.firstFailureEvent())
          .print(out);
    }
  }

  /** Prints the first failure and options with which no request fails; nothing if none failed. */
  static void printFailures(ReplayReport report, Writer out) throws IOException {
    if (report.result().firstFailure().isPresent()) {
      ReplayResult.Failure first = report.result().firstFailure().get();
      String sentences = first.reason().replaceAll("(memory:|\\.) ", "$1\n  ");
      out.write(
          String.format(
              Locale.ROOT,
              "First failure, %s, '%s': %s%n",
              ReplayExplanationTable.event(report.firstFailureEvent().orElse(0)),
              Printable.of(first.id()),
              sentences));
    }
    if (report.details().advice().isPresent()) {
      out.write(advice(report.details().advice().get()) + "\n");
    }
  }

  private static void recorded(RecordedState recorded, Writer out) throws IOException {
    out.write(
        String.format(
            Locale.ROOT,
            "In use before the recording: %s with %s.%n",
            Numbers.count(recorded.olderBlocks(), "block"),
            ByteUnit.exact(recorded.olderBytes())));
    out.write(
        String.format(
            Locale.ROOT,
            "Reserved by PyTorch at the end of the recording: %s.%n",
            ByteUnit.exact(recorded.reservedBytes())));
  }

  private static void allocator(ReplayReport report, Writer out) throws IOException {
    AllocatorSummary allocator = report.allocator();
    out.write(String.format(Locale.ROOT, "Replayed with %s.%n", allocator.text()));
    if (allocator.recordedAddresses().isPresent()) {
      out.write(
          String.format(
              Locale.ROOT,
              "At the recorded address: %s of %s.%n",
              Numbers.grouped(allocator.recordedAddresses().getAsLong()),
              Numbers.count(report.allocations(), "allocation")));
    }
    if (allocator.name().equals("pytorch") && !allocator.isConfirmed()) {
      out.write(
          "This result is by PyTorch's rules. Recordings confirm only default settings, one"
              + " stream and no\nprivate pools.\n");
    }
  }

  private static String advice(ReplayAdvice advice) {
    List<String> changes = new ArrayList<>();
    advice
        .limitBytes()
        .ifPresent(bytes ->
            changes.add(
                String.format(
                    Locale.ROOT,
                    "--limit %d%s",
                    bytes,
                    advice.isTight() ? " (with 256 bytes less, they do not)" : "")));
    advice
        .splitThresholdBytes()
        .ifPresent(bytes -> changes.add(String.format(Locale.ROOT, "--max-dead %d", bytes)));
    return "Replayed again, all requests pass with " + String.join(", or with ", changes);
  }

  private static void row(TextTable table, String name, long bytes, long requestedBytes) {
    table.row(
        name,
        Numbers.grouped(bytes),
        ByteUnit.human(bytes),
        requestedBytes == 0 ? "" : "+" + Numbers.percent(bytes - requestedBytes, requestedBytes));
  }

  private static void fragmentation(Writer out, String name, double share, String formula)
      throws IOException {
    out.write(String.format(Locale.ROOT, "  %s %6s   %s%n", name, Numbers.percent(share), formula));
  }
}
