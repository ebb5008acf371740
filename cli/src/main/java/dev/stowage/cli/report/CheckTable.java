package dev.stowage.cli.report;

import dev.stowage.cli.check.CheckReport;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.text.Printable;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.check.AssignmentChecker;
import dev.stowage.core.plan.check.PlanViolation;
import dev.stowage.core.plan.check.PlanViolations;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Prints reports on plans as tables, with a blank line between two of them. */
final class CheckTable implements ReportFormat<CheckReport> {

  /** More are for programs: JSON has more of them. */
  private static final int MAX_ROWS = 100;

  private boolean hasPrinted;

  @Override
  public void print(CheckReport report, Writer out) throws IOException {
    if (hasPrinted) {
      out.write("\n");
    }
    hasPrinted = true;
    out.write(
        String.format(
            Locale.ROOT,
            "%s: %s over %s, %s\n",
            Printable.of(report.input().file().path()),
            Numbers.count(report.input().labels().size(), "tensor"),
            Numbers.count(report.input().file().operatorCount(), "task"),
            verdict(report)));
    TextTable table = new TextTable();
    table.row("");
    table.row("ARENA", "bytes");
    long boundBytes = report.bounds().offsetsBytes();
    table.row("  total", Numbers.grouped(report.totalBytes()), ByteUnit.human(report.totalBytes()));
    table.row("  lower bound", Numbers.grouped(boundBytes), ByteUnit.human(boundBytes));
    table.row(
        "  difference",
        Numbers.grouped(report.bytesAboveBound()),
        boundBytes == 0 ? "" : Numbers.percent(report.bytesAboveBound(), boundBytes));
    report
        .capacityBytes()
        .ifPresent(bytes -> table.row("  capacity", Numbers.grouped(bytes), ByteUnit.human(bytes)));
    table.print(out);
    printOverlaps(report, out);
    printMisaligned(report, out);
    printBeyond(report, out);
    printNotPermitted(report, out);
  }

  private static String verdict(CheckReport report) {
    PlanViolations violations = report.violations();
    if (violations.isEmpty()) {
      return "a valid plan";
    }
    List<String> parts = new ArrayList<>();
    if (violations.overlapCount() > 0) {
      parts.add(Numbers.count(violations.overlapCount(), "overlap"));
    }
    if (violations.misalignedCount() > 0) {
      parts.add(Numbers.count(violations.misalignedCount(), "misaligned offset"));
    }
    if (violations.beyondCapacityCount() > 0) {
      parts.add(Numbers.count(violations.beyondCapacityCount(), "tensor") + " beyond the capacity");
    }
    if (violations.notPermittedCount() > 0) {
      parts.add(
          Numbers.count(violations.notPermittedCount(), "pair")
              + " that the graph does not permit");
    }
    return "not a valid plan: " + String.join(", ", parts);
  }

  private static <T extends PlanViolation> List<T> first(CheckReport report, Class<T> kind) {
    return report.violations().listed().stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .limit(MAX_ROWS)
        .toList();
  }

  private static void printOverlaps(CheckReport report, Writer out) throws IOException {
    List<PlanViolation.Overlap> overlaps = first(report, PlanViolation.Overlap.class);
    TextTable table = section("OVERLAP", "tasks", "bytes", "in common");
    for (PlanViolation.Overlap overlap : overlaps) {
      table.row(
          String.format(
              Locale.ROOT,
              "  %s and %s",
              name(report, overlap.first()),
              name(report, overlap.second())),
          range(overlap.firstTask(), overlap.lastTask()),
          range(overlap.startByte(), overlap.endByte() - 1),
          Numbers.grouped(overlap.endByte() - overlap.startByte()));
    }
    print(table, overlaps.size(), report.violations().overlapCount(), out);
    for (PlanViolation.Overlap overlap : overlaps) {
      Optional<String> rule = inPlaceRule(report, overlap);
      if (rule.isPresent()) {
        out.write(rule.get() + "\n");
      }
    }
  }

  /** {@return a sentence on two records that overlap although one may be in place of the other} */
  private static Optional<String> inPlaceRule(CheckReport report, PlanViolation.Overlap overlap) {
    PlanProblem problem = report.input().problem();
    return problem.inPlace().stream()
        .filter(pair ->
            Set.of(overlap.first(), overlap.second()).equals(Set.of(pair.record(), pair.source())))
        .findFirst()
        .map(pair ->
            String.format(
                Locale.ROOT,
                "  %s may be in place of %s, but %s",
                name(report, pair.record()),
                name(report, pair.source()),
                AssignmentChecker.inPlaceRule(problem, pair)));
  }

  private static void printMisaligned(CheckReport report, Writer out) throws IOException {
    List<PlanViolation.Misaligned> misaligned = first(report, PlanViolation.Misaligned.class);
    TextTable table = section("MISALIGNED", "offset", "alignment");
    for (PlanViolation.Misaligned record : misaligned) {
      table.row(
          "  " + name(report, record.record()),
          Numbers.grouped(record.offset()),
          Numbers.grouped(record.alignment()));
    }
    print(table, misaligned.size(), report.violations().misalignedCount(), out);
  }

  private static void printBeyond(CheckReport report, Writer out) throws IOException {
    List<PlanViolation.BeyondCapacity> beyond = first(report, PlanViolation.BeyondCapacity.class);
    TextTable table = section("BEYOND THE CAPACITY", "end", "too high by");
    for (PlanViolation.BeyondCapacity record : beyond) {
      table.row(
          "  " + name(report, record.record()),
          Numbers.grouped(record.endByte()),
          Numbers.grouped(record.endByte() - record.capacityBytes()));
    }
    print(table, beyond.size(), report.violations().beyondCapacityCount(), out);
  }

  private static void printNotPermitted(CheckReport report, Writer out) throws IOException {
    List<PlanViolation.NotPermitted> pairs = first(report, PlanViolation.NotPermitted.class);
    TextTable table = section("NOT PERMITTED BY THE GRAPH", "bytes", "in common");
    for (PlanViolation.NotPermitted pair : pairs) {
      table.row(
          String.format(
              Locale.ROOT, "  %s and %s", name(report, pair.first()), name(report, pair.second())),
          range(pair.startByte(), pair.endByte() - 1),
          Numbers.grouped(pair.endByte() - pair.startByte()));
    }
    print(table, pairs.size(), report.violations().notPermittedCount(), out);
  }

  private static TextTable section(String... header) {
    TextTable table = new TextTable();
    table.row("");
    table.row(header);
    return table;
  }

  private static void print(TextTable table, int rowCount, long count, Writer out)
      throws IOException {
    if (count > rowCount) {
      table.row(String.format(Locale.ROOT, "  and %s more", Numbers.grouped(count - rowCount)));
    }
    if (count > 0) {
      table.print(out);
    }
  }

  /** {@return the ends of a range, or one number if they are equal} */
  private static String range(long first, long last) {
    return first == last
        ? Numbers.grouped(first)
        : Numbers.grouped(first) + " to " + Numbers.grouped(last);
  }

  private static String name(CheckReport report, int record) {
    RecordLabel label = report.input().labels().get(record);
    String id = Printable.of(label.id());
    return label.name().equals(label.id())
        ? id
        : String.format(Locale.ROOT, "%s (%s)", Printable.of(label.name()), id);
  }
}
