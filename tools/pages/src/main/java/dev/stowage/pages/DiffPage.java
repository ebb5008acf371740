package dev.stowage.pages;

import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FigureTable.Column;
import dev.stowage.pages.FiguresPage.Figure;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.TraceDiff;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The page of two compared traces. */
public final class DiffPage {

  /** The number of groups with a row of their own; those with the largest differences have one. */
  private static final int MAX_GROUPS = 2000;

  private DiffPage() {}

  /**
   * {@return the page}
   *
   * @param report the difference
   * @param stacks the difference by stack; empty if there are no stacks
   * @param run the run of the command
   */
  public static FiguresPage of(DiffReport report, Optional<TraceDiff> stacks, RunFacts run) {
    TraceDiff diff = report.diff();
    FiguresPage page = new FiguresPage("Memory of two traces", "difference", "Compared", run);
    page.addText("A: " + Printable.of(report.inputA()));
    page.addText("B: " + Printable.of(report.inputB()));
    String moment = report.isAtPeaks() ? "at its peak, " : "";
    page.addFigures(
        List.of(
            new Figure("A, " + moment + event(diff.eventA()), ByteUnit.exact(diff.bytesA())),
            new Figure("B, " + moment + event(diff.eventB()), ByteUnit.exact(diff.bytesB())),
            new Figure("Growth", Cell.growth(diff.growthBytes()).hint())));
    String by = diff.grouping().name().toLowerCase(Locale.ROOT);
    page.addHeading("Requested bytes in use by " + by);
    page.addText("The upper bar of a group has its bytes in A, the lower one those in B.");
    page.addTable(table(diff, by));
    if (stacks.isPresent()) {
      List<TraceDiff.Group> groups = stacks.get().groups();
      page.addHeading("Call stacks of A");
      page.addFlame("All blocks of A", groups, TraceDiff.Group::bytesA, TraceDiff.Group::blocksA);
      page.addHeading("Call stacks of B");
      page.addFlame("All blocks of B", groups, TraceDiff.Group::bytesB, TraceDiff.Group::blocksB);
    }
    return page;
  }

  private static String event(long event) {
    return "after event " + Numbers.grouped(event);
  }

  private static FigureTable table(TraceDiff diff, String by) {
    FigureTable table =
        new FigureTable(
            "Groups",
            List.of(
                Column.text(by.substring(0, 1).toUpperCase(Locale.ROOT) + by.substring(1)),
                Column.number("Growth"),
                Column.number("Bytes in A"),
                Column.number("Bytes in B"),
                Column.number("Blocks in A"),
                Column.number("Blocks in B")));
    List<TraceDiff.Group> groups = diff.groups();
    long most =
        groups.stream()
            .mapToLong(group -> Math.max(group.bytesA(), group.bytesB()))
            .max()
            .orElse(0);
    groups.stream()
        .limit(MAX_GROUPS)
        .forEach(group -> table.add(row(group, key(group, diff.grouping()), most)));
    if (groups.size() > MAX_GROUPS) {
      List<TraceDiff.Group> others = groups.subList(MAX_GROUPS, groups.size());
      table.add(
          row(
              TraceDiff.Group.sum(others),
              Numbers.count(others.size(), "other group"),
              Long.MAX_VALUE));
    }
    return table;
  }

  private static String key(TraceDiff.Group group, Grouping grouping) {
    return grouping == Grouping.SIZE && !group.key().equals(Grouping.OLDER)
        ? ByteUnit.exact(Long.parseLong(group.key()))
        : group.key();
  }

  /** {@return a row with a bar for the bytes of A and one for those of B} */
  private static List<Cell> row(TraceDiff.Group group, String key, long most) {
    double whole = Math.max(1, most);
    return List.of(
        Cell.text(key).withBars(group.bytesA() / whole, group.bytesB() / whole),
        Cell.growth(group.growthBytes()),
        Cell.bytes(group.bytesA()),
        Cell.bytes(group.bytesB()),
        Cell.count(group.blocksA()),
        Cell.count(group.blocksB()));
  }
}
