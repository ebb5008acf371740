package dev.stowage.cli.plan;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import java.util.Optional;
import java.util.OptionalLong;

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
   * <p>A plan of any requested kind can fit. For TensorFlow Lite Micro, the arena must fit, and the
   * head into its own capacity, either with a plan in the file or without a plan.
   *
   * @param capacity in bytes; empty if only the head is limited, or nothing
   */
  public static Optional<Shortage> shortage(PlanReport report, OptionalLong capacity) {
    if (report.micro().isPresent()) {
      return arenaShortage(report, report.micro().get(), capacity);
    }
    return capacity.isPresent() ? planShortage(report, capacity.getAsLong()) : Optional.empty();
  }

  private static Optional<Shortage> planShortage(PlanReport report, long capacity) {
    Optional<Plan.Offsets> offsets = report.bestOffsets();
    Optional<Plan.Objects> objects = report.bestObjects();
    if (offsets.isEmpty() && objects.isEmpty()) {
      return Optional.of(new Shortage("no plan was found to compare with the capacity", ""));
    }
    long offsetsBytes = offsets.map(Plan.Offsets::totalBytes).orElse(Long.MAX_VALUE);
    long objectsBytes = objects.map(Plan.Objects::totalBytes).orElse(Long.MAX_VALUE);
    long bytes = Math.min(offsetsBytes, objectsBytes);
    if (bytes <= capacity) {
      return Optional.empty();
    }
    Plan best = offsetsBytes <= objectsBytes ? offsets.orElseThrow() : objects.orElseThrow();
    String what = "no plan within %s: the best plan, by " + best.name() + ",";
    Shortage found = shortage(report, what, bytes, capacity, boundBytes(report));
    return Optional.of(new Shortage(found.reason(), found.proof() + otherOrder(report, capacity)));
  }

  /** {@return the end of the sentence, on another order of the operators that fits} */
  private static String otherOrder(PlanReport report, long capacity) {
    return report
        .order()
        .filter(order -> order.isReordered() && order.after().bytes() <= capacity)
        .map(order ->
            Text.of(
                " in the order of the file; stowage rewrite --reorder writes an order that needs %s",
                Numbers.count(order.after().bytes(), "byte")))
        .orElse("");
  }

  private static Optional<Shortage> arenaShortage(
      PlanReport report, MicroReport micro, OptionalLong capacity) {
    long arenaBytes = micro.smallestArenaBytes();
    if (arenaBytes > capacity.orElse(Long.MAX_VALUE)) {
      long tailBytes = micro.fileSize().tailBytes();
      return Optional.of(
          shortage(
              report,
              "no arena (kTensorArenaSize) within %s: the smallest one",
              arenaBytes,
              capacity.getAsLong(),
              report.offsetsBoundBytes() + tailBytes));
    }
    long headBytes = micro.smallestHeadBytes();
    long headCapacity = micro.memory().options().headCapacity().orElse(Long.MAX_VALUE);
    return headBytes <= headCapacity
        ? Optional.empty()
        : Optional.of(
            shortage(
                report,
                "no head within %s: the smallest one",
                headBytes,
                headCapacity,
                report.offsetsBoundBytes()));
  }

  private static Shortage shortage(
      PlanReport report, String what, long bytes, long capacity, long boundBytes) {
    return new Shortage(
        Text.of(
            what + " needs %s, %s too many",
            ByteUnit.sentence(capacity),
            ByteUnit.sentence(bytes),
            ByteUnit.human(bytes - capacity)),
        proof(report, capacity, bytes, boundBytes));
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
