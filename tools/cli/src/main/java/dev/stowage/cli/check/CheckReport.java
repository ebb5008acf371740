package dev.stowage.cli.check;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.PlacedInput;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.violations.PlanViolations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The violations of a plan, and its distance from the lower bound.
 *
 * @param input the problem, with the alignment of the user
 * @param banks the banks of the plan; one without a limit if the plan is in one arena
 * @param isBanked true if the plan is in banks
 * @param violations the violations in all banks
 * @param capacityBytes the bytes that the arena must fit into, if they are limited
 * @param cost the cost of a plan in banks, if their costs are known
 * @param micro the arena of TensorFlow Lite Micro, if it is checked
 * @param device the places of its buffers on a device, if they are known
 */
public record CheckReport(
    PlanInput.Tensors input,
    List<CheckedBank> banks,
    boolean isBanked,
    PlanViolations violations,
    OptionalLong capacityBytes,
    OptionalLong cost,
    Optional<MicroMemory> micro,
    Optional<DeviceLog> device) {

  /** The largest number of listed violations of each kind and bank. */
  private static final int MAX_LISTED = 1000;

  public CheckReport {
    banks = List.copyOf(banks);
  }

  /**
   * {@return a report on a plan in one arena}
   *
   * @param alignment the alignment of all offsets, in addition to the alignments of the records
   * @param capacityBytes the capacity; if empty, the capacity of the file
   * @param micro the arena of TensorFlow Lite Micro, which must then fit into the capacity
   * @param device the places of its buffers on a device, if they are known
   * @throws IllegalArgumentException if the aligned records have more than 2^63 - 1 bytes
   */
  public static CheckReport ofArena(
      PlacedInput placed,
      long alignment,
      OptionalLong capacityBytes,
      Optional<MicroMemory> micro,
      Optional<DeviceLog> device) {
    PlanInput.Tensors input = withAlignment(placed, alignment);
    OptionalLong capacity =
        micro.isPresent() || capacityBytes.isPresent() ? capacityBytes : input.file().capacity();
    CheckedBank arena =
        new CheckedBank(
            MemoryBank.unlimited("arena"),
            all(input),
            input.problem(),
            placed.plan(),
            LowerBounds.of(input.problem()));
    PlanViolations violations =
        PlanViolations.of(
            input.problem(),
            placed.plan(),
            micro.isPresent() ? OptionalLong.empty() : capacity,
            MAX_LISTED,
            IntUnaryOperator.identity());
    return new CheckReport(
        input, List.of(arena), false, violations, capacity, OptionalLong.empty(), micro, device);
  }

  /**
   * {@return a report on a plan in banks}
   *
   * @param alignment the alignment of all offsets
   * @param declared the banks; empty for the banks of the file, without capacities, alignments and
   *     costs
   * @throws IllegalArgumentException if a record has no bank or another bank, if the aligned
   *     records of a bank have more than 2^63 - 1 bytes, or if the cost exceeds 2^63 - 1
   */
  public static CheckReport ofBanks(PlacedInput placed, long alignment, List<MemoryBank> declared) {
    PlanInput.Tensors input = withAlignment(placed, alignment);
    Map<Integer, String> names = input.banks().ties();
    List<Integer> all = all(input);
    List<MemoryBank> banks =
        declared.isEmpty()
            ? all.stream().map(names::get).distinct().map(MemoryBank::unlimited).toList()
            : declared;
    List<CheckedBank> checked = new ArrayList<>();
    PlanViolations violations = new PlanViolations(0, 0, 0, 0, List.of());
    for (MemoryBank bank : banks) {
      List<Integer> members = all.stream().filter(i -> bank.name().equals(names.get(i))).toList();
      CheckedBank one = CheckedBank.of(bank, input.problem(), members, placed.plan()::offset);
      checked.add(one);
      violations =
          violations.plus(
              PlanViolations.of(one.problem(), one.plan(), bank.bytes(), MAX_LISTED, members::get));
    }
    return new CheckReport(
        input,
        checked,
        true,
        violations,
        OptionalLong.empty(),
        declared.isEmpty() ? OptionalLong.empty() : OptionalLong.of(cost(input, banks)),
        Optional.empty(),
        Optional.empty());
  }

  private static PlanInput.Tensors withAlignment(PlacedInput placed, long alignment) {
    PlanInput.Tensors input = placed.input();
    return input.withProblem(input.problem().withAlignment(alignment));
  }

  private static List<Integer> all(PlanInput.Tensors input) {
    return IntStream.range(0, input.labels().size()).boxed().toList();
  }

  private static long cost(PlanInput.Tensors input, List<MemoryBank> banks) {
    BankedProblem problem =
        new BankedProblem(
            PlanProblem.of(input.problem().records()),
            banks,
            input.banks().reads(),
            input.banks().ties());
    long cost = 0;
    for (int i = 0; i < problem.recordCount(); i++) {
      if (problem.tiedBank(i).isEmpty()) {
        throw new IllegalArgumentException(
            Text.of(
                "record '%s' has no bank, expected one of %s for every record",
                input.labels().get(i).id(),
                String.join(", ", banks.stream().map(MemoryBank::name).toList())));
      }
      cost += problem.movedBytes(i) * banks.get(problem.tiedBank(i).getAsInt()).cost();
    }
    return cost;
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
