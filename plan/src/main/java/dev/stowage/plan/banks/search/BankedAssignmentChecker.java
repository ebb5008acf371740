package dev.stowage.plan.banks.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.text.Message;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * An independent check of assignments to banks. It shares no code with the planner.
 *
 * <p>A check costs O(n log n).
 */
public final class BankedAssignmentChecker {

  /*
   * An assignment is valid if
   *
   *   B1  every record of the problem has a bank of the problem;
   *   B2  every tied record is in its bank;
   *   B3  every offset is a multiple of the alignment of its bank;
   *   B4  the offsets of each bank are a valid plan (V1 to V7 of AssignmentChecker);
   *   B5  the used bytes of each bank are within its capacity.
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
    int banks = assignment.bankBytes().length;
    if (assignment.recordCount() != problem.recordCount() || banks != problem.banks().size()) {
      return violation(
          "B1 %d records in %d banks, expected %d in %d",
          assignment.recordCount(), banks, problem.recordCount(), problem.banks().size());
    }
    BankedAssignmentChecker checker = new BankedAssignmentChecker(problem, assignment);
    return IntStream.range(0, problem.recordCount())
        .mapToObj(checker::ofRecord)
        .flatMap(Optional::stream)
        .findFirst()
        .or(() ->
            IntStream.range(0, banks)
                .mapToObj(checker::ofBank)
                .flatMap(Optional::stream)
                .findFirst());
  }

  /** {@return a violation of B2 or B3} */
  private Optional<String> ofRecord(int record) {
    int bank = assignment.bank(record);
    int tied = problem.tiedBank(record).orElse(bank);
    if (tied != bank) {
      return violation("B2 record %d is in bank %s but tied to %s", record, name(bank), name(tied));
    }
    long alignment = problem.banks().get(bank).alignment();
    return assignment.offset(record) % alignment == 0
        ? Optional.empty()
        : violation(
            "B3 record %d has offset %d in bank %s, expected a multiple of %d",
            record, assignment.offset(record), name(bank), alignment);
  }

  /** {@return a violation of B4 or B5} */
  private Optional<String> ofBank(int bank) {
    List<Integer> records = assignment.members(bank);
    long usedBytes = assignment.bankBytes()[bank];
    PlanProblem inBank = problem.problem().subset(records);
    long[] offsets = records.stream().mapToLong(assignment::offset).toArray();
    Optional<String> invalid =
        AssignmentChecker.violation(inBank, OffsetsAssignment.of(offsets, usedBytes))
            .map(Object::toString);
    if (invalid.isPresent()) {
      return violation(
          "B4 in bank %s, whose records are %s: %s", name(bank), records, invalid.get());
    }
    long capacity = problem.banks().get(bank).bytes().orElse(Long.MAX_VALUE);
    return usedBytes <= capacity
        ? Optional.empty()
        : violation("B5 bank %s uses %d of %d bytes", name(bank), usedBytes, capacity);
  }

  private String name(int bank) {
    return problem.banks().get(bank).name();
  }

  @SuppressWarnings("AnnotateFormatMethod") // would need a further library
  private static Optional<String> violation(String format, Object... values) {
    return Optional.of(Message.of(format, values));
  }
}
