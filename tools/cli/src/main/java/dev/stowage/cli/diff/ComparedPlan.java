package dev.stowage.cli.diff;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.XlaProgram;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.Violation;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.explain.LoadPeak;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A plan that is compared with another one.
 *
 * @param input the records
 * @param strategy the name of the strategy, or {@code as written}
 * @param plan the offsets
 * @param boundBytes the lower bound of all plans
 * @param isOptimal true if it is proved that no plan is smaller
 * @param arenaBytes the bytes of the plan; for TensorFlow Lite Micro, the bytes of the arena that
 *     the file needs as it is
 */
public record ComparedPlan(
    PlanInput.Tensors input,
    String strategy,
    OffsetsAssignment plan,
    long boundBytes,
    boolean isOptimal,
    long arenaBytes) {

  /** {@return the best plan of a report} */
  public static ComparedPlan of(PlanReport report) throws InputRefusedException {
    Plan.Offsets best =
        report
            .bestOffsets()
            .orElseThrow(() -> new InputRefusedException("has no plan of offsets in one arena"));
    return new ComparedPlan(
        (PlanInput.Tensors) report.input(),
        best.name(),
        best.assignment(),
        report.offsetsBoundBytes(),
        report.isOptimal(best),
        report.micro().map(micro -> micro.fileSize().arenaBytes()).orElseGet(best::totalBytes));
  }

  /**
   * {@return the plan in a file: XLA's own plan, or the offsets of a problem; empty if there is
   * none}
   *
   * @throws InputRefusedException if the plan is not valid, or one in several memories
   */
  public static Optional<ComparedPlan> inFile(PlanInput.Tensors input)
      throws InputRefusedException {
    Optional<OffsetsAssignment> written =
        input.xla().map(XlaProgram::plan).or(() -> pins(input.problem()));
    if (written.isEmpty()) {
      return Optional.empty();
    }
    if (input.banks().ties().size() == input.labels().size()) {
      throw new InputRefusedException(
          "is a plan in several memories, expected one in one arena; stowage check prints its cost");
    }
    OffsetsAssignment plan = written.get();
    Optional<Violation> violation =
        AssignmentChecker.violation(input.problem(), plan)
            .or(() -> AssignmentChecker.pinnedOverlap(input.problem()));
    if (violation.isPresent()) {
      throw new InputRefusedException(
          "the plan is not valid: "
              + violation.get().message()
              + "; stowage check lists all violations");
    }
    long bound = LowerBounds.of(input.problem()).offsetsBytes();
    return Optional.of(
        new ComparedPlan(
            input,
            input.xla().isPresent() ? Plan.XLA : "as written",
            plan,
            bound,
            plan.totalBytes() == bound,
            plan.totalBytes()));
  }

  /** {@return the offsets of a problem if all of its records are pinned} */
  private static Optional<OffsetsAssignment> pins(PlanProblem problem) {
    return problem.records().isEmpty()
            || problem.records().stream().anyMatch(record -> record.pinnedOffset().isEmpty())
        ? Optional.empty()
        : Optional.of(
            OffsetsAssignment.inSmallestArena(
                problem,
                problem.records().stream()
                    .mapToLong(record -> record.pinnedOffset().orElseThrow())
                    .toArray()));
  }

  /** {@return the file as on the command line} */
  public String path() {
    return input.file().path();
  }

  /** {@return the task at which the most bytes are first live; empty without records} */
  OptionalLong peakTask() {
    return LoadPeak.of(input.problem()).tasks().stream()
        .mapToLong(LoadPeak.TaskRange::firstTask)
        .findFirst();
  }

  /** {@return the records, in their order} */
  public List<TensorPairs.Tensor> records() {
    List<TensorPairs.Tensor> all = new ArrayList<>();
    for (TensorUsageRecord record : input.problem().records()) {
      String name = input.labels().get(all.size()).name();
      all.add(new TensorPairs.Tensor(name, record.bytes(), record.firstTask(), record.lastTask()));
    }
    return all;
  }
}
