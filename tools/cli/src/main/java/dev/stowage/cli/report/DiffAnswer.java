package dev.stowage.cli.report;

import dev.stowage.cli.replay.DiffReport;
import dev.stowage.cli.report.ChangeTables.Row;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.TraceDiff;
import dev.stowage.trace.explain.TraceDiff.Group;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The groups of allocations in which two traces differ. */
public final class DiffAnswer {

  private final DiffReport report;
  private final TraceDiff diff;
  private final String by;
  private final Answer answer = new Answer();

  private DiffAnswer(DiffReport report) {
    this.report = report;
    diff = report.diff();
    by = diff.grouping().name().toLowerCase(Locale.ROOT);
  }

  /** {@return the answer, whose first sentences for people are the conclusion} */
  public static Answer of(DiffReport report, Conclusion conclusion) {
    DiffAnswer made = new DiffAnswer(report);
    made.answer.conclusion("", conclusion);
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
    ChangeTables<Group> tables =
        new ChangeTables<>(answer, "blocks", by, this::row, DiffAnswer::sum);
    tables.add("NEW", groups(group -> group.blocksA() == 0));
    tables.add("GROWN", groups(group -> isInBoth(group) && group.growthBytes() > 0));
    tables.add("GONE", groups(group -> group.blocksB() == 0));
    tables.add("SHRUNK", groups(group -> isInBoth(group) && group.growthBytes() < 0));
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

  private Row row(Group group) {
    return new Row(
        group.bytesA(), group.bytesB(), Row.change(group.blocksA(), group.blocksB()), key(group));
  }

  private static Row sum(List<Group> groups) {
    Group sum = Group.sum(groups);
    return new Row(sum.bytesA(), sum.bytesB(), Row.change(sum.blocksA(), sum.blocksB()), sum.key());
  }

  private String key(Group group) {
    return diff.grouping() == Grouping.SIZE && !group.key().equals(Grouping.OLDER)
        ? Numbers.grouped(Long.parseLong(group.key()))
        : group.key();
  }
}
