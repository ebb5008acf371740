package dev.stowage.cli.report;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.CsvField;
import dev.stowage.cli.text.Numbers;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.ReplayResult;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Optional;

/** Replayed traces as lines of CSV. Fields that a trace does not have are empty. */
final class ReplayCsv implements ReportFormat<ReplayReport> {

  private static final String HEADER =
      "input,allocator,settings,events,allocations,frees,failures,peak_requested_bytes,"
          + "peak_in_use_bytes,reserved_bytes,peak_reserved_bytes,region_count,"
          + "external_fragmentation,internal_fragmentation,device_calls,older_blocks,older_bytes,"
          + "recorded_reserved_bytes,seconds,first_failure\n";

  private boolean hasHeader;

  @Override
  public void print(ReplayReport report, Writer out) throws IOException {
    if (!hasHeader) {
      out.write(HEADER);
      hasHeader = true;
    }
    ReplayResult result = report.result();
    out.write(
        String.join(
            ",",
            CsvField.of(report.input()),
            report.allocator().name(),
            CsvField.of(report.allocator().settings()),
            counts(report),
            bytes(result),
            Integer.toString(result.regionBytes().size()),
            Double.toString(result.externalFragmentation()),
            Double.toString(result.internalFragmentation()),
            Long.toString(result.deviceCalls()),
            recorded(report.summary().recorded()),
            Numbers.seconds(report.seconds()),
            CsvField.of(result.firstFailure().map(ReplayResult.Failure::reason).orElse(""))));
    out.write('\n');
  }

  private static String counts(ReplayReport report) {
    return String.format(
        Locale.ROOT,
        "%d,%d,%d,%d",
        report.events(),
        report.allocations(),
        report.result().frees(),
        report.result().failures());
  }

  private static String bytes(ReplayResult result) {
    return String.format(
        Locale.ROOT,
        "%d,%d,%d,%d",
        result.peakRequestedBytes(),
        result.peakInUseBytes(),
        result.reservedBytes(),
        result.peakReservedBytes());
  }

  private static String recorded(Optional<RecordedState> recorded) {
    return recorded
        .map(state ->
            String.format(
                Locale.ROOT,
                "%d,%d,%d",
                state.olderBlocks(),
                state.olderBytes(),
                state.reservedBytes()))
        .orElse(",,");
  }
}
