package dev.stowage.cli.picture;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.trace.replay.ReplayResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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

  private final List<Row> rows = new ArrayList<>();

  private record Row(ReplayReport report, String address) {

    ReplayResult result() {
      return report.result();
    }

    long overBytes() {
      return result().peakReservedBytes() - result().peakRequestedBytes();
    }

    Cell over() {
      long requested = result().peakRequestedBytes();
      long over = overBytes();
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
    return rows.stream().max(Comparator.comparingLong(Row::overBytes)).map(this::conclusion);
  }

  private Conclusion conclusion(Row most) {
    long failed = rows.stream().filter(row -> row.result().failures() > 0).count();
    return new Conclusion(
        ByteUnit.human(most.overBytes()),
        String.format(
            Locale.ROOT,
            "%s, replayed with %s, has the largest difference: it reserves %s at the peak for %s that"
                + " the program requests.",
            Printable.of(most.report.input()),
            most.report.allocator().text(),
            ByteUnit.human(most.result().peakReservedBytes()),
            ByteUnit.human(most.result().peakRequestedBytes())),
        failed == 0
            ? "No request fails in " + Numbers.count(rows.size(), "replay") + "."
            : String.format(
                Locale.ROOT,
                "Requests fail in %s of %s.",
                Numbers.grouped(failed),
                Numbers.count(rows.size(), "replay")),
        Optional.of(ShellLine.of("tune", most.report.input(), List.of())));
  }

  /** Adds a replay with the address of its page. */
  public void add(ReplayReport report, String address) {
    Row row = new Row(report, address);
    rows.add(row);
    table.add(row);
  }
}
