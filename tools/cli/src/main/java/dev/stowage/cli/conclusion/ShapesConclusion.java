package dev.stowage.cli.conclusion;

import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
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
    String ranges = Printable.of(report.problem().ranges().toString());
    long bytes =
        report.hasBuckets()
            ? result.buckets().stream().mapToLong(LayoutBucket::arenaBytes).max().orElseThrow()
            : result.layout().totalBytes(report.problem().ranges().last());
    String excess =
        String.format(
            Locale.ROOT,
            "%s above the best plans of single shapes on average, at most %s",
            Numbers.excess(
                (report.hasBuckets() ? result.bucketArenaExcess() : result.layoutExcess())
                    .average()),
            Numbers.excess(
                (report.hasBuckets() ? result.bucketArenaExcess() : result.layoutExcess())
                    .maximum()));
    return new Conclusion(
        ByteUnit.human(bytes),
        report.hasBuckets()
            ? String.format(
                Locale.ROOT,
                "%s serve all shapes of %s, the largest with %s: %s.",
                Numbers.count(result.buckets().size(), "arena"),
                ranges,
                ByteUnit.human(bytes),
                excess)
            : String.format(
                Locale.ROOT,
                "One layout serves all shapes of %s, with up to %s: %s.",
                ranges,
                ByteUnit.human(bytes),
                excess),
        confidence(report),
        !report.hasBuckets() && result.layoutExcess().average() > WORTH_BUCKETS
            ? options.with(report.input().file().path(), "--buckets", "4")
            : options.writing(report.input().file().path(), "layout.json"));
  }

  private static String confidence(ShapesReport report) {
    return String.format(
        Locale.ROOT,
        "%s %s of %s compared plans are proved optimal.",
        report.isCertified()
            ? "Proved: the layout is valid for all shapes."
            : "The layout is not certified, because a signal ended the proofs.",
        Numbers.grouped(report.result().provedCount()),
        Numbers.grouped(report.result().shapes().size()));
  }
}
