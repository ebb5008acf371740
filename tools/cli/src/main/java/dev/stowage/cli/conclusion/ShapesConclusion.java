package dev.stowage.cli.conclusion;

import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.shapes.search.Excess;
import dev.stowage.plan.shapes.search.LayoutBucket;
import dev.stowage.plan.shapes.search.LayoutSearchResult;
import java.util.Locale;

/** The conclusion of {@code stowage plan} for all shapes. */
public final class ShapesConclusion {

  /** The average excess over the best plans above which buckets are worth a try. */
  private static final double WORTH_BUCKETS = 0.05;

  private ShapesConclusion() {}

  /**
   * {@return the conclusion}
   *
   * @param options the options for the next command
   */
  public static Conclusion of(ShapesReport report, PlanningOptionWords options) {
    LayoutSearchResult result = report.result();
    long bytes =
        report.hasBuckets()
            ? result.buckets().stream().mapToLong(LayoutBucket::arenaBytes).max().orElseThrow()
            : result.layout().totalBytes(report.problem().ranges().last());
    String excess =
        excess(report.hasBuckets() ? result.bucketArenaExcess() : result.layoutExcess());
    return new Conclusion(
        ByteUnit.human(bytes),
        report.hasBuckets()
            ? String.format(
                Locale.ROOT,
                "%s of %s serve %s, the largest with %s: %s.",
                Numbers.count(result.buckets().size(), "arena"),
                tensors(report),
                shapes(report),
                ByteUnit.sentence(bytes),
                excess)
            : String.format(
                Locale.ROOT,
                "One layout of %s serves %s, with up to %s: %s.",
                tensors(report),
                shapes(report),
                ByteUnit.sentence(bytes),
                excess),
        confidence(report),
        !report.hasBuckets() && result.layoutExcess().average() > WORTH_BUCKETS
            ? options.with(report.input().file().path(), "--buckets", "4")
            : options.writing(report.input().file().path(), "layout.json"));
  }

  private static String excess(Excess excess) {
    return excess.maximum() == 0
        ? "as small as the best plan of each shape"
        : String.format(
            Locale.ROOT,
            "%s above the best plans of single shapes on average, at most %s",
            Numbers.excess(excess.average()),
            Numbers.excess(excess.maximum()));
  }

  private static String tensors(ShapesReport report) {
    return Numbers.count(report.problem().records().size(), "tensor")
        + " over "
        + Numbers.count(report.input().file().operatorCount(), "task");
  }

  private static String shapes(ShapesReport report) {
    long count = report.problem().ranges().shapeCount();
    return String.format(
        Locale.ROOT,
        "all %s of %s",
        count < Long.MAX_VALUE ? Numbers.count(count, "shape") : "shapes (over 2^63)",
        Printable.of(report.problem().ranges().toString()));
  }

  private static String confidence(ShapesReport report) {
    String layout = report.hasBuckets() ? "the layouts are" : "the layout is";
    int compared = report.result().shapes().size();
    int proved = report.result().provedCount();
    return String.format(
        Locale.ROOT,
        report.isCertified()
            ? "Proved: %s valid for all shapes. %s"
            : "Not proved, because a signal ended the proofs: %s valid for all shapes. %s",
        layout,
        proved == compared
            ? "The best plans of all compared shapes are proved optimal."
            : String.format(
                Locale.ROOT,
                "The best plans of %s of %s compared shapes are proved optimal; the others are at"
                    + " most %s above their lower bounds.",
                Numbers.grouped(proved),
                Numbers.grouped(compared),
                Numbers.excess(report.result().bestPlanExcess().maximum())));
  }
}
