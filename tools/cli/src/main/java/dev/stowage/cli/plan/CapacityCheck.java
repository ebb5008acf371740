package dev.stowage.cli.plan;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import java.util.Locale;
import java.util.Optional;

/** The comparison of plans with a capacity. */
public final class CapacityCheck {

  private CapacityCheck() {}

  /**
   * The shortage of the best plan.
   *
   * @param reason what is too large, without a full stop: {@code no plan within 100 bytes: …}
   * @param proof whether a smaller plan can exist; empty if the reason is not a plan
   */
  public record Shortage(String reason, String proof) {

    /** {@return the reason and the proof, for a line of messages} */
    public String text() {
      return proof.isEmpty() ? reason : reason + "; " + proof;
    }
  }

  /**
   * {@return the shortage of the best plan; empty if a plan fits}
   *
   * <p>A plan of any requested kind can fit. For TensorFlow Lite Micro, the head of the arena must
   * fit, too, either with a plan in the file or without a plan.
   *
   * @param capacity in bytes
   */
  public static Optional<Shortage> shortage(PlanReport report, long capacity) {
    Optional<Plan.Offsets> offsets = report.bestOffsets();
    Optional<Plan.Objects> objects = report.bestObjects();
    if (offsets.isEmpty() && objects.isEmpty()) {
      return Optional.of(new Shortage("no plan was found to compare with the capacity", ""));
    }
    long offsetsBytes = offsets.map(Plan.Offsets::totalBytes).orElse(Long.MAX_VALUE);
    long objectsBytes = objects.map(Plan.Objects::totalBytes).orElse(Long.MAX_VALUE);
    long bytes = Math.min(offsetsBytes, objectsBytes);
    if (bytes <= capacity) {
      return headShortage(report, bytes, capacity);
    }
    Plan best = offsetsBytes <= objectsBytes ? offsets.orElseThrow() : objects.orElseThrow();
    long boundBytes = boundBytes(report);
    return Optional.of(
        new Shortage(
            String.format(
                Locale.ROOT,
                "no plan within %s: the best plan, by %s, needs %s, %s too many",
                ByteUnit.sentence(capacity),
                best.name(),
                ByteUnit.sentence(bytes),
                ByteUnit.human(bytes - capacity)),
            proof(report, capacity, bytes, boundBytes) + otherOrder(report, capacity)));
  }

  /** {@return the end of the sentence, on another order of the operators that fits} */
  private static String otherOrder(PlanReport report, long capacity) {
    return report
        .order()
        .filter(order -> order.isReordered() && order.after().bytes() <= capacity)
        .map(order ->
            String.format(
                Locale.ROOT,
                " in the order of the file; stowage rewrite --reorder writes an order that needs %s",
                Numbers.count(order.after().bytes(), "byte")))
        .orElse("");
  }

  /**
   * {@return a sentence on a head of TensorFlow Lite Micro that is larger than a plan that fits;
   * empty if the head fits, too}
   */
  private static Optional<Shortage> headShortage(PlanReport report, long planBytes, long capacity) {
    Optional<MicroReport> micro = report.micro();
    long bytes = micro.map(MicroReport::smallestHeadBytes).orElse(planBytes);
    return bytes <= capacity
        ? Optional.empty()
        : Optional.of(
            new Shortage(
                String.format(
                    Locale.ROOT,
                    "no head within %s: the smallest one needs %s, %s too many, although a plan needs"
                        + " %s%s",
                    ByteUnit.sentence(capacity),
                    ByteUnit.sentence(bytes),
                    ByteUnit.human(bytes - capacity),
                    ByteUnit.human(planBytes),
                    micro
                            .map(MicroReport::memory)
                            .filter(it -> it.hasScratch() && it.isScratchKnown())
                            .isPresent()
                        ? "; with the BufferPlan of --output plan.h, the head is that of the plan"
                        : ""),
                ""));
  }

  /**
   * {@return a note on an arena of TensorFlow Lite Micro that does not fit, although its head does;
   * empty if the arena fits}
   *
   * @param capacity in bytes
   */
  public static Optional<String> arenaNote(PlanReport report, long capacity) {
    return report
        .micro()
        .filter(micro -> micro.fileSize().arenaBytes() > capacity)
        .map(micro ->
            String.format(
                Locale.ROOT,
                "the head of the arena fits into %s, but the arena (kTensorArenaSize) needs %s",
                Numbers.count(capacity, "byte"),
                Numbers.grouped(micro.fileSize().arenaBytes())));
  }

  /**
   * {@return the lower bound of all plans of the planned kinds; objects need no alignment}
   *
   * <p>If a signal ended the planning, a requested kind may have no plans yet.
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
    String remedy =
        report.isOutOfTime() ? "; a higher --time-limit lets OPTIMAL search longer" : "";
    if (boundBytes > capacity) {
      return "proved: every plan needs " + bound + " or more" + remedy;
    }
    return report.isOutOfTime()
        ? "not found in time: the lower bound is " + bound + remedy
        : "not proved: the lower bound is " + bound;
  }
}
