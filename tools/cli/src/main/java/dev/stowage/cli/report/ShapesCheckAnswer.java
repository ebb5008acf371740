package dev.stowage.cli.report;

import dev.stowage.cli.check.ShapesCheckReport;
import dev.stowage.cli.check.ShapesCheckReport.CheckedLayout;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.Violation;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.Locale;

/** Checked layouts of shapes. */
public final class ShapesCheckAnswer {

  private ShapesCheckAnswer() {}

  public static Answer of(ShapesCheckReport report) {
    Answer answer =
        new Answer()
            .line(
                "%s: %s: %s of %s.",
                Printable.of(report.input().file().path()),
                report.isValid() ? "valid for all shapes" : "not valid",
                Numbers.count(report.layouts().size(), "layout"),
                Numbers.count(report.input().labels().size(), "tensor"))
            .field("input", report.input().file().path())
            .field("format", report.input().file().format())
            .field("valid", report.isValid())
            .field("records", report.input().labels().size())
            .table(layouts(report));
    if (!report.isValid()) {
      answer.line("");
    }
    for (CheckedLayout layout : report.layouts()) {
      layout
          .violation()
          .ifPresent(it -> answer.line("%s", Printable.of(layout.ranges() + ": " + it.message())));
    }
    report
        .uncovered()
        .ifPresent(shape ->
            answer
                .field("uncovered", shape(shape))
                .line("No layout contains the shape %s.", Printable.of(shape.toString())));
    return answer;
  }

  private static Table<CheckedLayout> layouts(ShapesCheckReport report) {
    return Table.named("layouts", report.layouts())
        .text("", "LAYOUTS", layout -> layout.ranges().toString())
        .data("dimensions", layout -> ranges(layout.ranges()))
        .data("valid", layout -> new Figure.Flag(layout.violation().isEmpty()))
        .count("total_bytes", "largest shape", CheckedLayout::totalBytes)
        .count("lower_bound_bytes", Table.HIDDEN, CheckedLayout::lowerBoundBytes)
        .text("", "over bound", ShapesCheckAnswer::overBound)
        .text(
            "",
            "",
            layout -> layout.violation().isEmpty() ? "certified for all shapes" : "NOT CERTIFIED")
        .data("arena_bytes", layout -> Figure.bytes(layout.arenaBytes()))
        .data(
            "violation",
            layout ->
                layout
                    .violation()
                    .map(it -> Figure.group(answer -> addViolation(it, report, answer)))
                    .orElseGet(Figure::none));
  }

  private static String overBound(CheckedLayout layout) {
    long above = layout.totalBytes() - layout.lowerBoundBytes();
    return above == 0
        ? "optimal"
        : (above > 0 ? "+" : "") + Numbers.percent(above, layout.lowerBoundBytes());
  }

  private static void addViolation(Violation violation, ShapesCheckReport report, Answer answer) {
    answer
        .field("kind", violation.kind().name().toLowerCase(Locale.ROOT))
        .field(
            "records",
            Figure.texts(
                violation.records().stream()
                    .map(record -> report.input().labels().get(record).id())
                    .toList()));
    if (!violation.shape().isEmpty()) {
      answer.group("shape", shape -> violation.shape().forEach(shape::field));
    }
    answer.field("message", violation.message());
  }

  /** {@return a shape, such as {@code {"batch": 1}}} */
  static Figure shape(DimensionValues shape) {
    return Figure.group(answer -> shape.toMap().forEach(answer::field));
  }

  /** {@return ranges, such as {@code {"batch": [1, 8]}}} */
  static Figure ranges(DimensionRanges ranges) {
    return Figure.group(answer ->
        ranges
            .ranges()
            .forEach(range ->
                answer.field(
                    range.name(), new Figure.Longs(new long[] {range.first(), range.last()}))));
  }
}
