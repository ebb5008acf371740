package dev.stowage.cli.plan;

import dev.stowage.plan.Violation;
import dev.stowage.plan.shapes.LayoutChecker;
import dev.stowage.plan.shapes.search.LayoutBucket;
import dev.stowage.plan.shapes.search.LayoutSearchResult;
import java.util.Locale;
import java.util.Optional;

/** The proofs that the layouts of a search are valid for all shapes. */
final class LayoutCertification {

  private LayoutCertification() {}

  /** Throws an {@link AssertionError} if a layout is not certified. */
  static void check(LayoutSearchResult result) {
    check(
        "the plan for the maximum",
        LayoutChecker.violation(result.maximum().layout(), result.maximum().arenaBytes()));
    if (result.buckets().size() > 1) {
      check("one layout", LayoutChecker.violation(result.layout()));
    }
    for (LayoutBucket bucket : result.buckets()) {
      check(
          "bucket " + bucket.ranges(),
          LayoutChecker.violation(bucket.layout(), bucket.arenaBytes()));
    }
  }

  private static void check(String layout, Optional<Violation> violation) {
    if (violation.isPresent()) {
      throw new AssertionError(
          String.format(Locale.ROOT, "%s is not valid: %s", layout, violation.get()));
    }
  }
}
