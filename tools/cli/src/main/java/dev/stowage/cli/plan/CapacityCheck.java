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
    long limit = capacity.orElse(Long.MAX_VALUE);
    if (report.micro().isPresent()) {
      MicroReport micro = report.micro().get();
      long bound = report.offsetsBoundBytes();
      return above(
              report,
              "no arena (kTensorArenaSize) within %s: the smallest one needs %s",
              micro.smallestArenaBytes(),
              limit,
              bound + micro.fileSize().tailBytes())
          .or(() ->
              above(
                  report,
                  "no head within %s: the smallest one needs %s",
                  micro.smallestHeadBytes(),
                  micro.memory().options().headCapacity().orElse(Long.MAX_VALUE),
                  bound));
    }
    if (capacity.isEmpty()) {
      return Optional.empty();
    }
    Optional<Plan> best =
        Stream.<Plan>concat(report.bestOffsets().stream(), report.bestObjects().stream())
            .min(Comparator.comparingLong(Plan::size));
    if (best.isEmpty()) {
      return Optional.of(new Shortage("no plan was found to compare with the capacity", ""));
    }
    String what = "no plan within %s: the best plan, by " + best.get().name() + ", needs %s";
    String otherOrder =
        report
            .order()
            .filter(order -> order.isReordered() && order.after().bytes() <= limit)
            .map(_ -> " in the order of the file; stowage rewrite --reorder writes one that fits")
            .orElse("");
    return above(report, what, best.get().size(), limit, boundBytes(report))
        .map(found -> new Shortage(found.reason(), found.proof() + otherOrder));
  }

  /** {@return the shortage of bytes; empty if they fit} */
  private static Optional<Shortage> above(
      PlanReport report, String what, long bytes, long capacity, long boundBytes) {
    return bytes <= capacity
        ? Optional.empty()
        : Optional.of(
            new Shortage(
                Text.of(what, ByteUnit.sentence(capacity), ByteUnit.sentence(bytes))
                    + ", "
                    + ByteUnit.human(bytes - capacity)
                    + " too many",
                proof(report, capacity, bytes, boundBytes)));
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
    return (boundBytes > capacity
            ? "proved: every plan needs " + bound + " or more"
            : report.isOutOfTime()
                ? "not found in time: the lower bound is " + bound
                : "not proved: the lower bound is " + bound)
        + remedy;
  }
}
