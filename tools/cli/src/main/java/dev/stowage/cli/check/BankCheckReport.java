package dev.stowage.cli.check;

import dev.stowage.cli.input.PlacedInput;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.violations.PlanViolations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
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

  /**
   * A bank of a checked plan.
   *
   * @param recordCount the number of records in the bank
   * @param totalBytes the end of the record that ends last
   * @param bounds the lower bounds of all plans of the records in the bank
   */
  public record CheckedBank(MemoryBank bank, int recordCount, long totalBytes, LowerBounds bounds) {

    /**
     * {@return by how many bytes the bank exceeds the lower bound; negative only if the plan is
     * invalid}
     */
    public long bytesAboveBound() {
      return totalBytes - bounds.offsetsBytes();
    }
  }

  public BankCheckReport {
    banks = List.copyOf(banks);
  }

  /**
   * {@return a report on a plan in the banks of the file, without capacities, alignments and costs}
   *
   * @param alignment the alignment of all offsets
   * @throws IllegalArgumentException if the aligned records of a bank have more than 2^63 - 1 bytes
   */
  public static BankCheckReport of(PlacedInput placed, long alignment) {
    Map<Integer, String> names = placed.input().banks().ties();
    List<MemoryBank> banks =
        IntStream.range(0, placed.input().labels().size())
            .mapToObj(i -> names.getOrDefault(i, ""))
            .filter(name -> !name.isEmpty())
            .distinct()
            .map(MemoryBank::unlimited)
            .toList();
    return of(placed, alignment, banks, OptionalLong.empty());
  }

  /**
   * {@return a report on a plan in banks}
   *
   * @param alignment the alignment of all offsets
   * @throws IllegalArgumentException if a record has no bank or another bank, if the aligned
   *     records of a bank have more than 2^63 - 1 bytes, or if the cost exceeds 2^63 - 1
   */
  public static BankCheckReport of(PlacedInput placed, long alignment, List<MemoryBank> banks) {
    Map<String, MemoryBank> byName = new LinkedHashMap<>();
    banks.forEach(bank -> byName.put(bank.name(), bank));
    return of(placed, alignment, banks, OptionalLong.of(cost(placed.input(), byName)));
  }

  private static BankCheckReport of(
      PlacedInput placed, long alignment, List<MemoryBank> banks, OptionalLong cost) {
    PlanInput.Tensors given = placed.input();
    PlanInput.Tensors input =
        new PlanInput.Tensors(
            given.file(), given.labels(), given.problem().withAlignment(alignment), given.banks());
    List<CheckedBank> checked = new ArrayList<>();
    PlanViolations violations = new PlanViolations(0, 0, 0, 0, List.of());
    for (MemoryBank bank : banks) {
      List<Integer> members =
          IntStream.range(0, input.labels().size())
              .filter(i -> bank.name().equals(input.banks().ties().get(i)))
              .boxed()
              .toList();
      PlanProblem problem = bank.problemOf(input.problem(), members);
      OffsetsAssignment plan = inBank(placed, members);
      checked.add(
          new CheckedBank(bank, members.size(), plan.totalBytes(), LowerBounds.of(problem)));
      violations =
          violations.plus(
              PlanViolations.of(problem, plan, bank.bytes(), CheckReport.MAX_LISTED)
                  .withRecords(members::get));
    }
    return new BankCheckReport(input, checked, violations, cost);
  }

  private static OffsetsAssignment inBank(PlacedInput placed, List<Integer> members) {
    List<TensorUsageRecord> records = placed.input().problem().records();
    return OffsetsAssignment.of(
        members.stream().mapToLong(placed.plan()::offset).toArray(),
        members.stream()
            .mapToLong(i -> placed.plan().offset(i) + records.get(i).bytes())
            .max()
            .orElse(0));
  }

  /** {@return the sum of bytes × (1 + reads) × cost of the bank over all records} */
  private static long cost(PlanInput.Tensors input, Map<String, MemoryBank> banks) {
    long cost = 0;
    for (int i = 0; i < input.labels().size(); i++) {
      TensorUsageRecord record = input.problem().records().get(i);
      MemoryBank bank = banks.get(input.banks().ties().getOrDefault(i, ""));
      if (bank == null) {
        throw new IllegalArgumentException(unknownBank(input, i, banks));
      }
      try {
        long moved = Math.multiplyExact(record.bytes(), Math.addExact(1, input.banks().reads(i)));
        cost = Math.addExact(cost, Math.multiplyExact(moved, bank.cost()));
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the cost of records up to %s exceeds 2^63 - 1: bytes=%d, reads=%d, cost of bank %s=%d",
                record.label(i),
                record.bytes(),
                input.banks().reads(i),
                bank.name(),
                bank.cost()),
            e);
      }
    }
    return cost;
  }

  private static String unknownBank(
      PlanInput.Tensors input, int record, Map<String, MemoryBank> banks) {
    String id = input.labels().get(record).id();
    String expected = String.join(", ", banks.keySet());
    return input.banks().ties().containsKey(record)
        ? String.format(
            Locale.ROOT,
            "record '%s' is in bank '%s', expected one of %s; add a --bank for it",
            id,
            input.banks().ties().get(record),
            expected)
        : String.format(
            Locale.ROOT,
            "record '%s' has no bank, expected one of %s for every record",
            id,
            expected);
  }
}
