package dev.stowage.cli.report;

import dev.stowage.cli.diff.Change;
import dev.stowage.cli.replay.ComparedTrace;
import dev.stowage.cli.replay.DiffReport;
import dev.stowage.cli.report.ChangeTable.Row;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.cli.text.ShellLine;
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
import java.util.Optional;

/** The groups of allocations in which two traces differ. */
public final class DiffAnswer {

  private final DiffReport report;
  private final TraceDiff diff;

  private DiffAnswer(DiffReport report) {
    this.report = report;
    diff = report.diff();
  }

  /**
   * {@return the answer}
   *
   * @param options the options for recordings, as words of a command line
   */
  public static Answer of(DiffReport report, List<String> options) {
    DiffAnswer made = new DiffAnswer(report);
    TraceDiff diff = report.diff();
    String by = diff.grouping().name().toLowerCase(Locale.ROOT);
    Answer answer =
        new Answer()
            .titled(DifferenceText.title(report.a().input(), report.b().input()))
            .conclusion("", made.conclusion(options))
            .field("input_a", report.a().input())
            .field("input_b", report.b().input())
            .field("by", by)
            .field("event_a", diff.eventA())
            .field("event_b", diff.eventB())
            .field("at_peaks", report.isAtPeaks())
            .field("bytes_a", diff.bytesA())
            .field("bytes_b", diff.bytesB())
            .field("growth_bytes", diff.growthBytes())
            .field("peak_reserved_bytes_a", Figure.count(report.a().peakReservedBytes()))
            .field("peak_reserved_bytes_b", Figure.count(report.b().peakReservedBytes()))
            .table(
                Table.named("groups", diff.groups())
                    .text("key", Table.HIDDEN, Group::key)
                    .count("bytes_a", Table.HIDDEN, Group::bytesA)
                    .count("bytes_b", Table.HIDDEN, Group::bytesB)
                    .count("blocks_a", Table.HIDDEN, Group::blocksA)
                    .count("blocks_b", Table.HIDDEN, Group::blocksB))
            .line("A: %s", made.side(report.a(), diff.bytesA()))
            .line("B: %s", made.side(report.b(), diff.bytesB()));
    ChangeTable.addTo(answer, "blocks", by, diff.groups().stream().map(made::row).toList());
    return answer;
  }

  private Conclusion conclusion(List<String> options) {
    return new Conclusion(
        DifferenceText.figure(report.reservedGrowthBytes().orElse(diff.growthBytes())),
        report.sentence(),
        "Exact: the sums of the requested bytes of all blocks in use.",
        report.isNone()
            ? Optional.empty()
            : Optional.of(ShellLine.of("replay", report.b().input(), options, "--explain")));
  }

  private String side(ComparedTrace trace, long bytes) {
    return Text.of(
        "%s: %s%s: %s",
        Printable.of(trace.input()),
        report.isAtPeaks() ? "peak of requested bytes, " : "",
        EventText.text(trace.event()),
        ByteUnit.exact(bytes));
  }

  private Row row(Group group) {
    boolean isSize = diff.grouping() == Grouping.SIZE && !group.key().equals(Grouping.OLDER);
    return Row.of(
        Change.of(group.blocksA(), group.blocksB(), group.growthBytes()),
        isSize ? Numbers.grouped(Long.parseLong(group.key())) : group.key(),
        group.bytesA(),
        group.bytesB(),
        group.blocksA(),
        group.blocksB());
  }
}
