package dev.stowage.cli.report;

import dev.stowage.cli.replay.DiffReport;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.TraceDiff;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Compared traces as tables. */
final class DiffTable implements ReportFormat<DiffReport> {

  private static final int MAX_GROUPS = 10;
  private static final String FORMAT = "  %20s %19s %19s %15s  %s";

  @Override
  public void print(DiffReport report, Writer out) throws IOException {
    TraceDiff diff = report.diff();
    String moment = report.isAtPeaks() ? "peak of requested bytes, " : "";
    side("A", report.inputA(), moment, diff.eventA(), diff.bytesA(), out);
    side("B", report.inputB(), moment, diff.eventB(), diff.bytesB(), out);
    out.write(
        String.format(
            Locale.ROOT,
            "Growth: %s%s%n",
            signed(diff.growthBytes()),
            diff.bytesA() == 0
                ? " bytes"
                : " bytes (" + percent(diff.growthBytes(), diff.bytesA()) + ")"));
    section("NEW", diff, group -> group.blocksA() == 0, out);
    section(
        "GROWN",
        diff,
        group -> group.blocksA() > 0 && group.growthBytes() > 0 && isInBoth(group),
        out);
    section("GONE", diff, group -> group.blocksB() == 0, out);
    section("SHRUNK", diff, group -> isInBoth(group) && group.growthBytes() < 0, out);
    List<TraceDiff.Group> same =
        diff.groups().stream()
            .filter(group -> isInBoth(group) && group.growthBytes() == 0)
            .toList();
    if (!same.isEmpty()) {
      out.write(
          String.format(
              Locale.ROOT,
              "%nWithout change of bytes: %s with %s%n",
              Numbers.count(same.size(), "group"),
              ByteUnit.exact(same.stream().mapToLong(TraceDiff.Group::bytesA).sum())));
    }
  }

  private static boolean isInBoth(TraceDiff.Group group) {
    return group.blocksA() > 0 && group.blocksB() > 0;
  }

  private static void side(
      String name, String input, String moment, long event, long bytes, Writer out)
      throws IOException {
    out.write(
        String.format(
            Locale.ROOT,
            "%s: %s: %s%s: %s%n",
            name,
            Printable.of(input),
            moment,
            ReplayExplanationTable.event(event),
            ByteUnit.exact(bytes)));
  }

  private static void section(
      String title, TraceDiff diff, Predicate<TraceDiff.Group> predicate, Writer out)
      throws IOException {
    List<TraceDiff.Group> groups = diff.groups().stream().filter(predicate).toList();
    if (groups.isEmpty()) {
      return;
    }
    String name = diff.grouping().name().toLowerCase(Locale.ROOT);
    out.write("\n");
    HolderRows.line(
        out,
        title
            + String.format(Locale.ROOT, FORMAT, "growth", "A", "B", "blocks", name)
                .substring(title.length()));
    for (TraceDiff.Group group : groups.stream().limit(MAX_GROUPS).toList()) {
      row(group, key(group, diff.grouping()), out);
    }
    if (groups.size() > MAX_GROUPS) {
      List<TraceDiff.Group> others = groups.subList(MAX_GROUPS, groups.size());
      row(TraceDiff.Group.sum(others), Numbers.count(others.size(), "other"), out);
    }
  }

  private static String key(TraceDiff.Group group, Grouping grouping) {
    return grouping == Grouping.SIZE && !group.key().equals(Grouping.OLDER)
        ? Numbers.grouped(Long.parseLong(group.key()))
        : group.key();
  }

  private static void row(TraceDiff.Group group, String key, Writer out) throws IOException {
    HolderRows.line(
        out,
        String.format(
            Locale.ROOT,
            FORMAT,
            signed(group.growthBytes()),
            Numbers.grouped(group.bytesA()),
            Numbers.grouped(group.bytesB()),
            group.blocksA() == group.blocksB()
                ? Numbers.grouped(group.blocksA())
                : Numbers.grouped(group.blocksA()) + " -> " + Numbers.grouped(group.blocksB()),
            HolderRows.text(key)));
  }

  private static String signed(long bytes) {
    return (bytes > 0 ? "+" : "") + Numbers.grouped(bytes);
  }

  private static String percent(long part, long whole) {
    return (part > 0 ? "+" : "") + Numbers.percent(part, whole);
  }
}
