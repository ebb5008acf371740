package dev.stowage.tflite.micro;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.Violation;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.tflite.offline.OfflinePlan;
import java.util.List;
import java.util.Optional;

/** The tensors of executed subgraphs that a plan places, including variables. */
public final class PlacedTensors {

  private final List<MicroTensor> tensors;
  private final OfflinePlan plan;
  private final List<InPlace> inPlace;
  private final long endBytes;

  private PlacedTensors(
      List<MicroTensor> tensors, OfflinePlan plan, List<InPlace> inPlace, long endBytes) {
    this.tensors = List.copyOf(tensors);
    this.plan = plan;
    this.inPlace = List.copyOf(inPlace);
    this.endBytes = endBytes;
  }

  /** {@return the tensors of a model that a plan places} */
  static PlacedTensors of(MicroModel model, OfflinePlan plan) {
    List<MicroTensor> placed =
        model.tensors().inMemory().stream()
            .filter(tensor -> plan.offset(tensor.id().planIndex()).isPresent())
            .toList();
    List<MicroTensor> used = placed.stream().filter(MicroTensor::isUsed).toList();
    long endBytes =
        placed.stream()
            .mapToLong(
                tensor -> plan.offset(tensor.id().planIndex()).orElseThrow() + tensor.bytes())
            .max()
            .orElse(0);
    return new PlacedTensors(used, plan, MicroInPlace.pairs(model.inPlace(), used), endBytes);
  }

  /** {@return the tensors, in the order of the records of the problem} */
  public List<MicroTensor> tensors() {
    return tensors;
  }

  /**
   * {@return the bytes of the plan: the highest end of a tensor, including tensors of subgraphs
   * that are not executed}
   */
  public long endBytes() {
    return endBytes;
  }

  /**
   * {@return the tensors as a problem without pins}
   *
   * <p>Task 0 is the time before scope 0. Each record has the alignment of {@link
   * MicroArena#ALIGNMENT_BYTES}. Results of operators that work in place may share the memory of
   * their input, because the kernels support it in any plan.
   */
  public PlanProblem problem() {
    return PlanProblem.of(
            tensors.stream()
                .map(
                    tensor -> tensor.recordFromScopeBeforeAll().withAlignment(MicroAlignment.BYTES))
                .toList())
        .withInPlace(inPlace);
  }

  /** {@return the offsets of the plan for the records of the problem} */
  public OffsetsAssignment offsets() {
    return OffsetsAssignment.inSmallestArena(
        problem(),
        tensors.stream()
            .mapToLong(tensor -> plan.offset(tensor.id().planIndex()).orElseThrow())
            .toArray());
  }

  /** {@return two tensors that overlap although both are live; empty if there are none} */
  public Optional<Violation> violation() {
    return AssignmentChecker.violation(problem(), offsets())
        .filter(violation -> violation.kind() == Violation.Kind.OVERLAP);
  }
}
