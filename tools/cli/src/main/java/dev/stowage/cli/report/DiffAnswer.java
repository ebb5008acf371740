package dev.stowage.cli.report;

import dev.stowage.cli.replay.ComparedTrace;
import dev.stowage.cli.replay.DiffReport;
import dev.stowage.cli.report.ChangeTables.Row;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
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
    made.answer.titled(report.title()).conclusion("", conclusion);
    made.addFigures();
    made.addLines();
    return made.answer;
  }

  private void addFigures() {
    answer
        .field("input_a", report.a().input())
        .field("input_b", report.b().input())
        .field("by", by)
        .field("event_a", diff.eventA())
        .field("event_b", diff.eventB())
        .field("at_peaks", report.isAtPeaks())
        .field("bytes_a", diff.bytesA())
        .field("bytes_b", diff.bytesB())
        .field("growth_bytes", diff.growthBytes())
        .field("peak_reserved_bytes_a", reserved(report.a()))
        .field("peak_reserved_bytes_b", reserved(report.b()))
        .table(
            Table.named("groups", diff.groups())
                .text("key", Table.HIDDEN, Group::key)
                .count("bytes_a", Table.HIDDEN, Group::bytesA)
                .count("bytes_b", Table.HIDDEN, Group::bytesB)
                .count("blocks_a", Table.HIDDEN, Group::blocksA)
                .count("blocks_b", Table.HIDDEN, Group::blocksB));
  }

  private static Figure reserved(ComparedTrace trace) {
    return Figure.of(trace.reserved(), reserved -> Figure.count(reserved.peakBytes()));
  }

  private void addLines() {
    addSide("A", report.a(), diff.bytesA());
    addSide("B", report.b(), diff.bytesB());
    ChangeTables<Group> tables =
        new ChangeTables<>(answer, "blocks", by, this::row, DiffAnswer::sum);
    tables.add("NEW", groups(group -> group.blocksA() == 0));
    tables.add("GROWN", groups(group -> isInBoth(group) && group.growthBytes() > 0));
    tables.add("GONE", groups(group -> group.blocksB() == 0));
    tables.add("SHRUNK", groups(group -> isInBoth(group) && group.growthBytes() < 0));
    List<Group> same = groups(group -> isInBoth(group) && group.growthBytes() == 0);
    tables.addOnPage("SAME", same);
    if (!same.isEmpty()) {
      answer.line(
          "%nWithout change of bytes: %s with %s",
          Numbers.count(same.size(), "group"),
          ByteUnit.exact(same.stream().mapToLong(Group::bytesA).sum()));
    }
  }

  private void addSide(String name, ComparedTrace trace, long bytes) {
    answer.legend(
        name,
        Text.of(
            "%s: %s%s: %s%s",
            Printable.of(trace.input()),
            report.isAtPeaks() ? "peak of requested bytes, " : "",
            EventText.text(trace.event()),
            ByteUnit.exact(bytes),
            trace
                .reserved()
                .filter(_ -> report.isAtPeaks())
                .map(it -> "; of reserved bytes: " + ByteUnit.exact(it.peakBytes()))
                .orElse("")));
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
