package dev.stowage.cli.check;

import dev.stowage.cli.input.PlacedInput;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.violations.PlanViolations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * The violations of a plan in several banks.
 *
 * @param input the problem, with the alignment of the user
 * @param violations the violations in all banks; lists are in the order of the banks
 * @param cost the cost of the plan, if the costs of the banks are known
 */
public record BankCheckReport(
    PlanInput.Tensors input,
    List<CheckedBank> banks,
    PlanViolations violations,
    OptionalLong cost) {

  public BankCheckReport {
    banks = List.copyOf(banks);
  }

  /**
   * A bank of a plan in several memories.
   *
   * @param records the indices of the records in the bank, ascending
   * @param problem the problem of these records, with the alignment of the bank
   * @param plan the offsets of these records, in the smallest arena that contains them
   * @param bounds the lower bounds of all plans of these records in the bank
   */
  public record CheckedBank(
      MemoryBank bank,
      List<Integer> records,
      PlanProblem problem,
      OffsetsAssignment plan,
      LowerBounds bounds) {

    public CheckedBank {
      records = List.copyOf(records);
    }

    /**
     * {@return a bank}
     *
     * @param all the records of all banks
     * @param records the indices of the records in the bank
     * @param offset returns the offset of a record of the problem
     * @throws IllegalArgumentException if the aligned records have more than 2^63 - 1 bytes
     */
    public static CheckedBank of(
        MemoryBank bank, PlanProblem all, List<Integer> records, IntToLongFunction offset) {
      PlanProblem problem = bank.problemOf(all, records);
      long[] offsets = records.stream().mapToLong(offset::applyAsLong).toArray();
      return new CheckedBank(
          bank,
          records,
          problem,
          OffsetsAssignment.inSmallestArena(problem, offsets),
          LowerBounds.of(problem));
    }

    /**
     * {@return by how many bytes the bank exceeds the lower bound; negative only if the plan is
     * invalid}
     */
    public long bytesAboveBound() {
      return plan.totalBytes() - bounds.offsetsBytes();
    }
  }

  /**
   * {@return a report on a plan in banks}
   *
   * @param alignment the alignment of all offsets
   * @param declared the banks; empty for those of the file, without capacities, alignments and
   *     costs
   * @throws IllegalArgumentException if a record has no bank or another bank, if the aligned
   *     records of a bank have more than 2^63 - 1 bytes, or if the cost exceeds 2^63 - 1
   */
  public static BankCheckReport of(PlacedInput placed, long alignment, List<MemoryBank> declared) {
    PlanInput.Tensors given = placed.input();
    PlanInput.Tensors input = given.withProblem(given.problem().withAlignment(alignment));
    Map<Integer, String> names = input.banks().ties();
    List<Integer> all = IntStream.range(0, input.labels().size()).boxed().toList();
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
              PlanViolations.of(one.problem, one.plan, bank.bytes(), CheckReport.MAX_LISTED)
                  .withRecords(members::get));
    }
    return new BankCheckReport(
        input,
        checked,
        violations,
        declared.isEmpty() ? OptionalLong.empty() : OptionalLong.of(cost(input, banks)));
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
}
