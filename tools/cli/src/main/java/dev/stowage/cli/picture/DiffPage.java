package dev.stowage.cli.picture;

import dev.stowage.cli.replay.ComparedTrace;
import dev.stowage.cli.replay.DiffReport;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.FiguresPage.Figure;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.TraceDiff;
import java.util.List;
import java.util.Locale;

/** The page of two compared traces. */
public final class DiffPage {

  /** The number of groups with a row of their own; those with the largest differences have one. */
  private static final int MAX_GROUPS = 2000;

  private DiffPage() {}

  /** {@return the page} */
  public static FiguresPage of(DiffReport report, ComparedTrace a, ComparedTrace b, RunFacts run) {
    TraceDiff diff = report.diff();
    FiguresPage page = new FiguresPage(report.title(), "difference", "Compared", run);
    page.addText("A: " + Printable.of(report.inputA()));
    page.addText("B: " + Printable.of(report.inputB()));
    String moment = report.isAtPeaks() ? "at its peak, " : "";
    page.addFigures(
        List.of(
            new Figure("A, " + moment + event(diff.eventA()), ByteUnit.exact(diff.bytesA())),
            new Figure("B, " + moment + event(diff.eventB()), ByteUnit.exact(diff.bytesB())),
            new Figure("Growth", DifferenceText.growth(diff.bytesA(), diff.bytesB()))));
    TraceCurves.add(a, b, page);
    String by = diff.grouping().name().toLowerCase(Locale.ROOT);
    page.addHeading("Requested bytes in use by " + by);
    page.addText("The upper bar of a group has its bytes in A, the lower one those in B.");
    page.addTable(table(diff, by));
    return page;
  }

  private static String event(long event) {
    return "after event " + Numbers.grouped(event);
  }

  /** A row with a bar for the bytes of A and one for those of B, which are shares of a whole. */
  private record Row(String key, TraceDiff.Group group, double whole) {

    Cell cell() {
      return Cell.text(key).withBars(group.bytesA() / whole, group.bytesB() / whole);
    }
  }

  private static FigureTable<Row> table(TraceDiff diff, String by) {
    FigureTable<Row> table =
        new FigureTable<Row>("Groups")
            .left(by.substring(0, 1).toUpperCase(Locale.ROOT) + by.substring(1), Row::cell)
            .number("Growth", row -> Cell.growth(row.group.growthBytes()))
            .bytes("Bytes in A", row -> row.group.bytesA())
            .bytes("Bytes in B", row -> row.group.bytesB())
            .count("Blocks in A", row -> row.group.blocksA())
            .count("Blocks in B", row -> row.group.blocksB());
    List<TraceDiff.Group> groups = diff.groups();
    double most =
        groups.stream()
            .mapToDouble(group -> Math.max(group.bytesA(), group.bytesB()))
            .reduce(1, Math::max);
    groups.stream()
        .limit(MAX_GROUPS)
        .forEach(group -> table.add(new Row(key(group, diff.grouping()), group, most)));
    if (groups.size() > MAX_GROUPS) {
      List<TraceDiff.Group> others = groups.subList(MAX_GROUPS, groups.size());
      String key = Numbers.count(others.size(), "other group");
      table.add(new Row(key, TraceDiff.Group.sum(others), Long.MAX_VALUE));
    }
    return table;
  }

  private static String key(TraceDiff.Group group, Grouping grouping) {
    return grouping == Grouping.SIZE && !group.key().equals(Grouping.OLDER)
        ? ByteUnit.exact(Long.parseLong(group.key()))
        : group.key();
  }
}
