package dev.stowage.cli.diff;

import dev.stowage.cli.text.DifferenceText;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The difference between two plans.
 *
 * @param a the first plan
 * @param b the second plan
 * @param tensors the tensors of both, the largest difference at the peaks first
 */
public record PlanDiff(ComparedPlan a, ComparedPlan b, List<TensorDiff> tensors) {

  public PlanDiff {
    tensors = List.copyOf(tensors);
  }

  /** {@return the difference} */
  public static PlanDiff of(ComparedPlan a, ComparedPlan b) {
    OptionalLong peakA = a.peakTask();
    OptionalLong peakB = b.peakTask();
    List<TensorDiff> tensors =
        new TensorPairs(a.records(), b.records())
            .all().stream()
                .map(pair ->
                    new TensorDiff(
                        pair.before(),
                        pair.now(),
                        bytesAt(pair.now(), peakB) - bytesAt(pair.before(), peakA)))
                .sorted(TensorDiff.LARGEST_FIRST)
                .toList();
    return new PlanDiff(a, b, tensors);
  }

  private static long bytesAt(Optional<TensorPairs.Tensor> record, OptionalLong task) {
    return record
        .filter(_ -> task.isPresent())
        .filter(it -> it.firstTask() <= task.getAsLong() && task.getAsLong() <= it.lastTask())
        .map(TensorPairs.Tensor::size)
        .orElse(0L);
  }

  /** {@return the bytes that the second plan needs more; negative if it needs fewer} */
  public long growthBytes() {
    return b.arenaBytes() - a.arenaBytes();
  }

  /**
   * {@return true if both plans have the same totals and bounds, and all tensors have the same
   * sizes and lengths}
   */
  public boolean isNone() {
    return growthBytes() == 0
        && a.boundBytes() == b.boundBytes()
        && tensors.stream().allMatch(tensor -> tensor.change() == Change.SAME);
  }

  /** {@return the difference and its largest cause, with a full stop} */
  public String sentence() {
    if (isNone()) {
      return "No difference: both have tensors of the same sizes and lifetimes.";
    }
    String cause =
        tensors.stream()
            .filter(tensor -> Long.signum(tensor.peakGrowthBytes()) == Long.signum(growthBytes()))
            .findFirst()
            .map(tensor ->
                DifferenceText.cause(tensor.name(), growthBytes(), tensor.peakGrowthBytes()))
            .orElse("");
    return DifferenceText.sentence(a.path(), b.path(), "needs", "", a.arenaBytes(), b.arenaBytes())
        + cause
        + ".";
  }
}
