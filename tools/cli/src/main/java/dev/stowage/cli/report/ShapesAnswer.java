package dev.stowage.cli.report;

import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.SymbolicRecord;
import dev.stowage.plan.shapes.search.ComparedShape;
import dev.stowage.plan.shapes.search.Excess;
import dev.stowage.plan.shapes.search.LayoutBucket;
import dev.stowage.plan.shapes.search.LayoutSearchResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Layouts for all shapes. */
public final class ShapesAnswer {

  private final ShapesReport report;
  private final LayoutSearchResult result;
  private final long shapeCount;
  private final Answer answer = new Answer();

  private ShapesAnswer(ShapesReport report) {
    this.report = report;
    result = report.result();
    shapeCount = report.problem().ranges().shapeCount();
  }

  /** {@return the answer, whose first sentences for people are the conclusion} */
  public static Answer of(ShapesReport report, Conclusion conclusion) {
    ShapesAnswer made = new ShapesAnswer(report);
    made.answer.conclusion(report.input().file().path(), conclusion);
    made.addInput();
    made.addLayouts();
    made.addEnd();
    made.addArenas();
    made.addSentences();
    return made.answer.csv(made.csv());
  }

  private void addInput() {
    int recordCount = report.problem().records().size();
    Labels.addFile(report.input().file(), answer)
        .field("alignment", report.problem().alignment())
        .field("dimensions", ShapesCheckAnswer.ranges(report.problem().ranges()))
        .field("shapes", shapeCount)
        .field("compared_shapes", result.shapes().size());
    Labels.addTasks(report.input().file(), answer);
    List<RecordLabel> labels = report.input().labels();
    List<SymbolicRecord> records = report.problem().records();
    Table<Integer> table =
        PlanRecords.labeled(labels, PlanRecords.all(recordCount))
            .text("bytes", Table.HIDDEN, i -> records.get(i).bytes().toString());
    answer.table(
        Labels.add(
            PlanRecords.withLifetime(
                table, i -> records.get(i).firstTask(), i -> records.get(i).lastTask()),
            labels::get));
  }

  private void addLayouts() {
    answer
        .group(
            "best_plans",
            group ->
                group
                    .field("proved", result.provedCount())
                    .field("excess_over_bound", excess(result.bestPlanExcess())))
        .group(
            "maximum_plan",
            group ->
                group
                    .field("arena_bytes", result.maximum().arenaBytes())
                    .field("excess", excess(result.maximumExcess()))
                    .field("offsets", offsets(result.maximum().layout())))
        .group(
            "layout",
            group ->
                group
                    .field("excess", excess(result.layoutExcess()))
                    .field("offsets", offsets(result.layout())));
    if (report.hasBuckets()) {
      answer
          .table(
              Table.named("buckets", result.buckets())
                  .data("dimensions", it -> ShapesCheckAnswer.ranges(it.ranges()))
                  .count("arena_bytes", Table.HIDDEN, LayoutBucket::arenaBytes)
                  .data("offsets", bucket -> offsets(bucket.layout())))
          .field("bucket_arena_excess", excess(result.bucketArenaExcess()))
          .field("bucket_layout_excess", excess(result.bucketLayoutExcess()));
    }
    answer.table(comparison());
  }

  /** {@return the bytes of each compared shape} */
  private Table<ComparedShape> comparison() {
    Table<ComparedShape> table =
        Table.named("comparison", result.shapes())
            .data("dimensions", shape -> ShapesCheckAnswer.shape(shape.shape()))
            .count("lower_bound_bytes", Table.HIDDEN, ComparedShape::lowerBoundBytes)
            .count("best_bytes", Table.HIDDEN, ComparedShape::bestBytes)
            .count("layout_bytes", Table.HIDDEN, ComparedShape::layoutBytes);
    return report.hasBuckets()
        ? table
            .count("bucket_layout_bytes", Table.HIDDEN, ComparedShape::bucketBytes)
            .count("bucket_arena_bytes", Table.HIDDEN, ComparedShape::bucketArenaBytes)
        : table;
  }

  private static Figure excess(Excess excess) {
    return Figure.group(group ->
        group
            .field("average", new Figure.Share(excess.average()))
            .field("maximum", new Figure.Share(excess.maximum())));
  }

  private static Figure offsets(ShapeLayout layout) {
    return Figure.texts(layout.offsets());
  }

  private void addEnd() {
    answer.field("seconds", new Figure.Seconds(report.seconds()));
    if (report.isInterrupted()) {
      answer.field("interrupted", true);
    }
    if (!report.isCertified()) {
      answer.field("certified", false);
    }
  }

  private void addArenas() {
    String buckets = Numbers.count(result.buckets().size(), "bucket");
    String layouts = Numbers.count(result.buckets().size(), "layout");
    Facts shapes =
        new Facts("ARENA OF EACH SHAPE", "smallest", "largest", "average excess", "maximum excess");
    row(shapes, "best plan for each", ComparedShape::bestBytes, new Excess(0, 0));
    row(shapes, "one layout for all", ComparedShape::layoutBytes, result.layoutExcess());
    answer.facts(shapes);
    if (report.hasBuckets()) {
      row(shapes, layouts, ComparedShape::bucketBytes, result.bucketLayoutExcess());
      Facts arenas = new Facts("ARENA OF EACH BUCKET");
      row(arenas, buckets, ComparedShape::bucketArenaBytes, result.bucketArenaExcess());
      answer.facts(arenas);
    }
    Facts one = new Facts("ONE ARENA");
    row(one, "plan for the maximum", _ -> result.maximum().arenaBytes(), result.maximumExcess());
    answer.facts(one);
    if (report.hasBuckets()) {
      answer.table(
          Table.shown(result.buckets())
              .text("", "BUCKETS", bucket -> bucket.ranges().toString())
              .bytes("", "arena", LayoutBucket::arenaBytes));
    }
  }

  private void row(Facts facts, String label, ToLongFunction<ComparedShape> bytes, Excess excess) {
    facts.row(
        "",
        label,
        Figure.bytes(bytes.applyAsLong(at(report.problem().ranges().first()))),
        Figure.bytes(bytes.applyAsLong(at(report.problem().ranges().last()))),
        Figure.text(Numbers.excess(excess.average())),
        Figure.text(Numbers.excess(excess.maximum())));
  }

  private ComparedShape at(DimensionValues values) {
    return result.shapes().stream()
        .filter(shape -> shape.shape().equals(values))
        .findFirst()
        .orElseThrow();
  }

  private void addSentences() {
    int compared = result.shapes().size();
    String all = shapeCount < Long.MAX_VALUE ? Numbers.grouped(shapeCount) : "over 2^63";
    String sample = Numbers.grouped(compared) + " of " + all + " shapes";
    answer.line(
        "%nThe excess is that over the best plan of the same shape alone, for %s.",
        result.hasAllShapes()
            ? "all " + Numbers.count(compared, "shape")
            : "a sample of " + sample + " that has the corners");
    if (report.isInterrupted()) {
      answer.line("Interrupted: a longer search may find better layouts.");
    }
  }

  /** A line of CSV. */
  private record Line(String plan, int layouts, long largestBytes, Excess excess) {}

  private Table<Line> csv() {
    List<Line> lines = new ArrayList<>();
    long layoutBytes = result.layout().totalBytes(report.problem().ranges().last());
    lines.add(new Line("maximum_plan", 1, result.maximum().arenaBytes(), result.maximumExcess()));
    lines.add(new Line("layout", 1, layoutBytes, result.layoutExcess()));
    if (report.hasBuckets()) {
      int count = result.buckets().size();
      long arenaBytes =
          result.buckets().stream().mapToLong(LayoutBucket::arenaBytes).max().orElse(0);
      lines.add(new Line("bucket_arena", count, arenaBytes, result.bucketArenaExcess()));
      lines.add(new Line("bucket_layout", count, arenaBytes, result.bucketLayoutExcess()));
    }
    return Table.named("plans", lines)
        .data("input", _ -> Figure.text(report.input().file().path()))
        .data("plan", line -> Figure.text(line.plan))
        .data("layouts", line -> Figure.count(line.layouts))
        .data("largest_bytes", line -> Figure.bytes(line.largestBytes))
        .data("average_excess", line -> new Figure.Share(line.excess.average()))
        .data("maximum_excess", line -> new Figure.Share(line.excess.maximum()))
        .data("compared_shapes", _ -> Figure.count(result.shapes().size()))
        .data("proved_best", _ -> Figure.count(result.provedCount()))
        .data("seconds", _ -> new Figure.Seconds(report.seconds()));
  }
}
