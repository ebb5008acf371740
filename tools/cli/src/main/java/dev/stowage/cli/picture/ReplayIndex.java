package dev.stowage.cli.picture;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FigureTable.Column;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.replay.ReplayResult;
import java.util.List;

/** The index of several replays. */
public final class ReplayIndex {

  private final FigureTable table =
      new FigureTable(
          "Replays",
          List.of(
              Column.text("Trace"),
              Column.text("Allocator"),
              Column.number("Events"),
              Column.number("Peak requested"),
              Column.number("Peak in use"),
              Column.number("Peak reserved"),
              Column.number("Over requested"),
              Column.number("External fragmentation"),
              Column.number("Failed requests"),
              Column.text("Note")));

  /** {@return the table} */
  public FigureTable table() {
    return table;
  }

  /**
   * Adds a replay.
   *
   * @param report the replay
   * @param address the address of its page
   */
  public void add(ReplayReport report, String address) {
    ReplayResult result = report.result();
    long requested = result.peakRequestedBytes();
    long over = result.peakReservedBytes() - requested;
    table.add(
        List.of(
            Cell.link(report.input(), address),
            Cell.text(report.allocator().text()),
            Cell.count(report.events()),
            Cell.bytes(requested),
            Cell.bytes(result.peakInUseBytes()),
            Cell.bytes(result.peakReservedBytes()),
            Cell.share(
                Numbers.percent(over, requested), requested == 0 ? 0 : (double) over / requested),
            Cell.share(
                Numbers.percent(result.externalFragmentation()), result.externalFragmentation()),
            Cell.count(result.failures()),
            Cell.none()));
  }

  /**
   * Adds a trace without a replay.
   *
   * @param trace the file as on the command line
   * @param reason the reason
   */
  public void addFailure(String trace, String reason) {
    table.add(trace, reason);
  }
}
