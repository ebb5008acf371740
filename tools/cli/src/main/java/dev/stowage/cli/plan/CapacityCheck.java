package dev.stowage.cli.plan;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The comparison of plans with a capacity. */
public final class CapacityCheck {

  private CapacityCheck() {}

  /**
   * The shortage of the best plan.
   *
   * @param reason the reason, without a full stop: {@code no plan within 100 bytes: …}
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
   * <p>A plan of any requested kind can fit. For TensorFlow Lite Micro, the arena must fit into the
   * capacity and its head into its own capacity, with a plan in the file or without a plan.
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
    Optional<Plan> best =
        Stream.<Plan>concat(report.bestOffsets().stream(), report.bestObjects().stream())
            .min(Comparator.comparingLong(Plan::size));
    if (best.isEmpty()) {
      return Optional.of(new Shortage("no plan was found to compare with the capacity", ""));
    }
    String what = "no plan within %s: the best plan, by " + best.get().name() + ",";
    String otherOrder =
        report
            .order()
            .filter(order -> order.isReordered() && order.after().bytes() <= capacity)
            .map(_ -> " in the order of the file; stowage rewrite --reorder writes one that fits")
            .orElse("");
    return best.map(Plan::size)
        .filter(bytes -> bytes > capacity)
        .map(bytes -> shortage(report, what, bytes, capacity, boundBytes(report)))
        .map(found -> new Shortage(found.reason(), found.proof() + otherOrder));
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

  /** {@return the lower bound of all plans of the planned kinds; objects need no alignment} */
  private static long boundBytes(PlanReport report) {
    // If a signal ended the planning, a requested kind may have no plans yet.
    boolean isOffsets = !report.offsetsPlans().isEmpty() || report.isInterrupted();
    boolean isObjects = !report.objectsPlans().isEmpty() || report.isInterrupted();
    return Math.min(
        isOffsets ? report.offsetsBoundBytes() : Long.MAX_VALUE,
        isObjects ? report.objectsBoundBytes() : Long.MAX_VALUE);
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
