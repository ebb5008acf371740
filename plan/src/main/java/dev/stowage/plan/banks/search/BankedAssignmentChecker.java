package dev.stowage.plan.banks.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.check.AssignmentChecker;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An independent check of assignments to banks. It shares no code with the planners.
 *
 * <p>A check costs O(n log n).
 */
public final class BankedAssignmentChecker {

  /*
   * An assignment is valid if
   *
   *   B1  every record has a bank and an offset, and every bank has a number of used bytes;
   *   B2  every tied record is in its bank;
   *   B3  every offset is a multiple of the alignment of its bank;
   *   B4  the offsets of each bank are a valid plan (V1 to V7 of AssignmentChecker);
   *   B5  the used bytes of each bank are the largest end of its records, and within its capacity;
   *   B6  the cost is the sum over all records of bytes × (1 + reads) × cost of the bank.
   */

  private final BankedProblem problem;
  private final BankedAssignment assignment;

  private BankedAssignmentChecker(BankedProblem problem, BankedAssignment assignment) {
    this.problem = problem;
    this.assignment = assignment;
  }

  /**
   * {@return the first violation of an assignment, with the label of the rule; empty if it is
   * valid}
   *
   * @param problem the records and the banks
   * @param assignment the plan
   */
  public static Optional<String> violation(BankedProblem problem, BankedAssignment assignment) {
    return new BankedAssignmentChecker(problem, assignment).violation();
  }

  private Optional<String> violation() {
    List<List<Integer>> members = new ArrayList<>();
    problem.banks().forEach(bank -> members.add(new ArrayList<>()));
    return misassignment(members).or(() -> misplacement(members)).or(this::wrongCost);
  }

  /**
   * {@return a violation of B1, B2 or B3; if there is none, the members of each bank are filled}
   */
  private Optional<String> misassignment(List<List<Integer>> members) {
    int bankCount = problem.banks().size();
    if (assignment.recordCount() != problem.recordCount()
        || assignment.bankBytes().length != bankCount) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "B1 %d records in %d banks, expected %d in %d",
              assignment.recordCount(),
              assignment.bankBytes().length,
              problem.recordCount(),
              bankCount));
    }
    for (int i = 0; i < problem.recordCount(); i++) {
      int bank = assignment.bank(i);
      if (bank < 0 || bank >= bankCount) {
        return Optional.of(
            String.format(Locale.ROOT, "B1 record %d is in bank %d of %d", i, bank, bankCount));
      }
      if (problem.tiedBank(i).orElse(bank) != bank) {
        return Optional.of(
            String.format(
                Locale.ROOT,
                "B2 record %d is in bank %s but tied to %s",
                i,
                name(bank),
                name(problem.tiedBank(i).orElseThrow())));
      }
      long alignment = problem.banks().get(bank).alignment();
      if (assignment.offset(i) % alignment != 0) {
        return Optional.of(
            String.format(
                Locale.ROOT,
                "B3 record %d has offset %d in bank %s, expected a multiple of %d",
                i,
                assignment.offset(i),
                name(bank),
                alignment));
      }
      members.get(bank).add(i);
    }
    return Optional.empty();
  }

  /** {@return a violation of B4 or B5} */
  private Optional<String> misplacement(List<List<Integer>> members) {
    for (int bank = 0; bank < members.size(); bank++) {
      List<Integer> records = members.get(bank);
      PlanProblem inBank = problem.problem().subset(records);
      long[] offsets = records.stream().mapToLong(assignment::offset).toArray();
      long usedBytes = assignment.bankBytes()[bank];
      long end = 0;
      for (int k = 0; k < offsets.length; k++) {
        end = Math.max(end, offsets[k] + inBank.records().get(k).bytes());
      }
      Optional<String> invalid =
          AssignmentChecker.violation(inBank, OffsetsAssignment.of(offsets, Math.max(0, usedBytes)))
              .map(Object::toString);
      if (invalid.isPresent()) {
        return Optional.of(
            String.format(
                Locale.ROOT,
                "B4 in bank %s, whose records are %s: %s",
                name(bank),
                records,
                invalid.get()));
      }
      long capacity = problem.banks().get(bank).bytes().orElse(Long.MAX_VALUE);
      if (usedBytes != end || usedBytes > capacity) {
        return Optional.of(
            String.format(
                Locale.ROOT,
                "B5 bank %s uses %d bytes, expected %d and at most %d",
                name(bank),
                usedBytes,
                end,
                capacity));
      }
    }
    return Optional.empty();
  }

  /** {@return a violation of B6} */
  private Optional<String> wrongCost() {
    BigInteger cost = BigInteger.ZERO;
    for (int i = 0; i < problem.recordCount(); i++) {
      cost =
          cost.add(
              BigInteger.valueOf(problem.problem().records().get(i).bytes())
                  .multiply(BigInteger.ONE.add(BigInteger.valueOf(problem.reads(i))))
                  .multiply(BigInteger.valueOf(problem.banks().get(assignment.bank(i)).cost())));
    }
    return cost.equals(BigInteger.valueOf(assignment.cost()))
        ? Optional.empty()
        : Optional.of(
            String.format(Locale.ROOT, "B6 the cost is %d, expected %d", assignment.cost(), cost));
  }

  private String name(int bank) {
    return problem.banks().get(bank).name();
  }
}
