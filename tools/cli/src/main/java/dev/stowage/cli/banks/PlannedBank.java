package dev.stowage.cli.banks;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.bounds.LowerBounds;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * A bank of a plan in several memories.
 *
 * @param records the indices of the records in the bank, ascending
 * @param problem the problem of these records, with the alignment of the bank
 * @param plan the offsets of these records, in the smallest arena that contains them
 * @param bounds the lower bounds of all plans of these records in the bank
 */
public record PlannedBank(
    MemoryBank bank,
    List<Integer> records,
    PlanProblem problem,
    OffsetsAssignment plan,
    LowerBounds bounds) {

  public PlannedBank {
    records = List.copyOf(records);
  }

  /**
   * {@return a bank}
   *
   * @param all the records of all banks
   * @param records the indices of the records in the bank
   * @param offset returns the offset of a record of the problem
   */
  static PlannedBank of(
      MemoryBank bank, PlanProblem all, List<Integer> records, IntToLongFunction offset) {
    PlanProblem problem = bank.problemOf(all, records);
    long[] offsets = records.stream().mapToLong(offset::applyAsLong).toArray();
    return new PlannedBank(
        bank,
        records,
        problem,
        OffsetsAssignment.inSmallestArena(problem, offsets),
        LowerBounds.of(problem));
  }

  /** {@return by how many bytes the bank exceeds the lower bound} */
  public long bytesAboveBound() {
    return plan.totalBytes() - bounds.offsetsBytes();
  }
}
