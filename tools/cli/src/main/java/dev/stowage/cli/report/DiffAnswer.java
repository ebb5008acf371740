package dev.stowage.cli.report;

import dev.stowage.pages.DiffReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.TraceDiff;
import dev.stowage.trace.explain.TraceDiff.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The groups of allocations in which two traces differ. */
public final class DiffAnswer {

  private static final int MAX_GROUPS = 10;

  private final DiffReport report;
  private final TraceDiff diff;
  private final String by;
  private final Answer answer = new Answer();

  private DiffAnswer(DiffReport report) {
    this.report = report;
    diff = report.diff();
    by = diff.grouping().name().toLowerCase(Locale.ROOT);
  }

  public static Answer of(DiffReport report) {
    DiffAnswer made = new DiffAnswer(report);
    made.addFigures();
    made.addLines();
    return made.answer;
  }

  private void addFigures() {
    answer
        .field("input_a", report.inputA())
        .field("input_b", report.inputB())
        .field("by", by)
        .field("event_a", diff.eventA())
        .field("event_b", diff.eventB())
        .field("at_peaks", report.isAtPeaks())
        .field("bytes_a", diff.bytesA())
        .field("bytes_b", diff.bytesB())
        .field("growth_bytes", diff.growthBytes())
        .table(
            Table.named("groups", diff.groups())
                .text("key", Table.HIDDEN, Group::key)
                .count("bytes_a", Table.HIDDEN, Group::bytesA)
                .count("bytes_b", Table.HIDDEN, Group::bytesB)
                .count("blocks_a", Table.HIDDEN, Group::blocksA)
                .count("blocks_b", Table.HIDDEN, Group::blocksB));
  }

  private void addLines() {
    addSide("A", report.inputA(), diff.eventA(), diff.bytesA());
    addSide("B", report.inputB(), diff.eventB(), diff.bytesB());
    String share =
        diff.bytesA() == 0
            ? ""
            : " ("
                + signed(diff.growthBytes(), Numbers.percent(diff.growthBytes(), diff.bytesA()))
                + ")";
    answer.line("Growth: %s bytes%s", signed(diff.growthBytes()), share);
    addGroups("NEW", group -> group.blocksA() == 0);
    addGroups("GROWN", group -> isInBoth(group) && group.growthBytes() > 0);
    addGroups("GONE", group -> group.blocksB() == 0);
    addGroups("SHRUNK", group -> isInBoth(group) && group.growthBytes() < 0);
    List<Group> same = groups(group -> isInBoth(group) && group.growthBytes() == 0);
    if (!same.isEmpty()) {
      answer.line(
          "%nWithout change of bytes: %s with %s",
          Numbers.count(same.size(), "group"),
          ByteUnit.exact(same.stream().mapToLong(Group::bytesA).sum()));
    }
  }

  private void addSide(String name, String input, long event, long bytes) {
    answer.line(
        "%s: %s: %s%s: %s",
        name,
        Printable.of(input),
        report.isAtPeaks() ? "peak of requested bytes, " : "",
        ReplayAnswer.event(event),
        ByteUnit.exact(bytes));
  }

  private static boolean isInBoth(Group group) {
    return group.blocksA() > 0 && group.blocksB() > 0;
  }

  private List<Group> groups(Predicate<Group> predicate) {
    return diff.groups().stream().filter(predicate).toList();
  }

  private void addGroups(String title, Predicate<Group> predicate) {
    List<Group> all = groups(predicate);
    if (all.isEmpty()) {
      return;
    }
    List<Group> shown = new ArrayList<>(all.subList(0, Math.min(MAX_GROUPS, all.size())));
    List<Group> others = all.subList(shown.size(), all.size());
    if (!others.isEmpty()) {
      shown.add(Group.sum(others));
    }
    answer.table(
        Table.shown(shown)
            .text("", title, _ -> "")
            .text("", "growth", group -> signed(group.growthBytes()))
            .count("", "A", Group::bytesA)
            .count("", "B", Group::bytesB)
            .text("", "blocks", DiffAnswer::blocks)
            .text(
                "",
                by,
                group ->
                    !others.isEmpty() && group.equals(shown.getLast())
                        ? Numbers.count(others.size(), "other")
                        : key(group))
            .endingInText());
  }

  private static String blocks(Group group) {
    String before = Numbers.grouped(group.blocksA());
    return group.blocksA() == group.blocksB()
        ? before
        : before + " -> " + Numbers.grouped(group.blocksB());
  }

  private String key(Group group) {
    return diff.grouping() == Grouping.SIZE && !group.key().equals(Grouping.OLDER)
        ? Numbers.grouped(Long.parseLong(group.key()))
        : group.key();
  }

  private static String signed(long bytes) {
    return signed(bytes, Numbers.grouped(bytes));
  }

  private static String signed(long number, String text) {
    return (number > 0 ? "+" : "") + text;
  }
}
