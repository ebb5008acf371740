package dev.stowage.cli.check;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.PlacedInput;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.violations.PlanViolations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The violations of a plan, and its distance from the lower bound.
 *
 * @param input the problem, with the alignment of the user
 * @param bounds the lower bounds of all plans
 * @param capacityBytes the bytes that the arena must fit into, if they are limited
 * @param micro the arena of TensorFlow Lite Micro, if it is checked
 * @param device the places of its buffers on a device, if they are known
 */
public record CheckReport(
    PlanInput.Tensors input,
    OffsetsAssignment plan,
    LowerBounds bounds,
    PlanViolations violations,
    OptionalLong capacityBytes,
    Optional<MicroMemory> micro,
    Optional<DeviceLog> device) {

  /** The largest number of listed violations of each kind. */
  private static final int MAX_LISTED = 1000;

  /**
   * {@return a report on a plan}
   *
   * @param alignment the alignment of all offsets, in addition to the alignments of the records
   * @param capacityBytes the capacity; if empty, the capacity of the file
   * @param micro the arena of TensorFlow Lite Micro, which must then fit into the capacity
   * @param device the places of its buffers on a device, if they are known
   * @throws IllegalArgumentException if the aligned records have more than 2^63 - 1 bytes
   */
  public static CheckReport of(
      PlacedInput placed,
      long alignment,
      OptionalLong capacityBytes,
      Optional<MicroMemory> micro,
      Optional<DeviceLog> device) {
    PlanInput.Tensors input =
        placed.input().withProblem(placed.input().problem().withAlignment(alignment));
    OptionalLong capacity =
        micro.isPresent() || capacityBytes.isPresent() ? capacityBytes : input.file().capacity();
    return new CheckReport(
        input,
        placed.plan(),
        LowerBounds.of(input.problem()),
        PlanViolations.of(
            input.problem(),
            placed.plan(),
            micro.isPresent() ? OptionalLong.empty() : capacity,
            MAX_LISTED),
        capacity,
        micro,
        device);
  }

  /** {@return true if the plan is valid, fits and is in use on the device} */
  public boolean isPassed() {
    return violations.isEmpty() && failures().isEmpty();
  }

  /** {@return the reasons to refuse the arena of TensorFlow Lite Micro; empty if there are none} */
  public List<String> failures() {
    List<String> failures = new ArrayList<>();
    micro.ifPresent(memory -> {
      MicroMemory.Size size = memory.fileSize();
      long headCapacity = memory.options().headCapacity().orElse(Long.MAX_VALUE);
      addShortage("the arena", size.arenaBytes(), capacityBytes.orElse(Long.MAX_VALUE), failures);
      addShortage("the head", size.headBytes(), headCapacity, failures);
      device.flatMap(log -> log.failure(memory)).ifPresent(failures::add);
    });
    return failures;
  }

  private static void addShortage(String what, long bytes, long capacity, List<String> failures) {
    if (bytes > capacity) {
      failures.add(
          Text.of(
              "%s needs %s, %s more than its capacity",
              what, ByteUnit.sentence(bytes), ByteUnit.human(bytes - capacity)));
    }
  }
}
