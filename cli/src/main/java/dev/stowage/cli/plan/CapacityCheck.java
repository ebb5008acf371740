package dev.stowage.cli.plan;

import dev.stowage.cli.text.Numbers;
import java.util.Locale;
import java.util.Optional;

/** Whether a capacity holds one of the plans that were made. */
public final class CapacityCheck {

  private CapacityCheck() {}

  /**
   * {@return by how much the best plan misses a capacity, as a sentence; empty if one fits}
   *
   * <p>A plan of any kind that was asked for will do.
   *
   * @param report the plans of tensors
   * @param capacity in bytes
   */
  public static Optional<String> shortage(PlanReport report, long capacity) {
    Optional<Plan.Offsets> offsets = report.bestOffsets();
    Optional<Plan.Objects> objects = report.bestObjects();
    if (offsets.isEmpty() && objects.isEmpty()) {
      return Optional.of("there is no plan to hold against the capacity");
    }
    long offsetsBytes = offsets.map(Plan.Offsets::totalBytes).orElse(Long.MAX_VALUE);
    long objectsBytes = objects.map(Plan.Objects::totalBytes).orElse(Long.MAX_VALUE);
    long bytes = Math.min(offsetsBytes, objectsBytes);
    if (bytes <= capacity) {
      return Optional.empty();
    }
    Plan best = offsetsBytes <= objectsBytes ? offsets.orElseThrow() : objects.orElseThrow();
    long boundBytes = boundBytes(report);
    return Optional.of(
        String.format(
            Locale.ROOT,
            "no plan within %s: the best, %s, needs %s, %s too many; %s",
            Numbers.count(capacity, "byte"),
            best.strategy(),
            Numbers.grouped(bytes),
            Numbers.grouped(bytes - capacity),
            proof(report, capacity, bytes, boundBytes)));
  }

  /**
   * {@return the lower bound of all plans of the kinds that were made; objects need no alignment}
   *
   * <p>If a signal ended the planning, a kind without plans may have been asked for, too.
   */
  private static long boundBytes(PlanReport report) {
    if (report.objectsPlans().isEmpty() && !report.isInterrupted()) {
      return report.offsetsBoundBytes();
    }
    return report.offsetsPlans().isEmpty() && !report.isInterrupted()
        ? report.objectsBoundBytes()
        : Math.min(report.offsetsBoundBytes(), report.objectsBoundBytes());
  }

  private static String proof(PlanReport report, long capacity, long bytes, long boundBytes) {
    if (boundBytes == bytes) {
      return "proved: no plan can be smaller";
    }
    String bound = Numbers.grouped(boundBytes);
    String remedy = report.isOutOfTime() ? "; --time-limit gives OPTIMAL longer" : "";
    if (boundBytes > capacity) {
      return "proved: every plan needs " + bound + " or more" + remedy;
    }
    return report.isOutOfTime()
        ? "not found in time: the lower bound is " + bound + remedy
        : "not proved: the lower bound is " + bound;
  }
}
