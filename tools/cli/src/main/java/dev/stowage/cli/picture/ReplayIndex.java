package dev.stowage.cli.picture;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplaysConclusion;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.replay.ReplayResult;
import java.util.Optional;

/** The index of several replays. */
public final class ReplayIndex {

  private final FigureTable<Row> table =
      new FigureTable<Row>("Replays")
          .left("Trace", row -> Cell.link(row.report.input(), row.address))
          .text("Allocator", row -> row.report.allocator().text())
          .count("Events", row -> row.report.events())
          .bytes("Peak requested", row -> row.result().peakRequestedBytes())
          .bytes("Peak in use", row -> row.result().peakInUseBytes())
          .bytes("Peak reserved", row -> row.result().peakReservedBytes())
          .number("Over requested", Row::over)
          .number("External fragmentation", Row::fragmentation)
          .count("Failed requests", row -> row.result().failures())
          .text("Note", _ -> "");

  private final ReplaysConclusion conclusion = new ReplaysConclusion();

  private record Row(ReplayReport report, String address) {

    ReplayResult result() {
      return report.result();
    }

    Cell over() {
      long requested = result().peakRequestedBytes();
      long over = result().peakReservedBytes() - requested;
      return Cell.share(
          Numbers.percent(over, requested), requested == 0 ? 0 : (double) over / requested);
    }

    Cell fragmentation() {
      double fragmentation = result().externalFragmentation();
      return Cell.share(Numbers.percent(fragmentation), fragmentation);
    }
  }

  public FigureTable<?> table() {
    return table;
  }

  /** {@return the conclusion; empty if there are no replays} */
  public Optional<Conclusion> conclusion() {
    return conclusion.conclusion();
  }

  /** Adds a replay with the address of its page. */
  public void add(ReplayReport report, String address) {
    conclusion.add(report);
    table.add(new Row(report, address));
  }
}
