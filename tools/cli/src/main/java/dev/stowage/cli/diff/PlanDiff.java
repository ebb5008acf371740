package dev.stowage.cli.diff;

import dev.stowage.cli.text.DifferenceText;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.LoadPeak;
import dev.stowage.plan.explain.LoadPeak.TaskRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The difference between two plans.
 *
 * @param a the first plan
 * @param b the second plan
 * @param peakA the task of the first plan at which the most bytes are first live; empty without
 *     records
 * @param peakB the same task of the second plan
 * @param tensors the tensors of both, the largest difference first
 */
public record PlanDiff(
    ComparedPlan a,
    ComparedPlan b,
    OptionalLong peakA,
    OptionalLong peakB,
    List<TensorDiff> tensors) {

  private static final Comparator<TensorDiff> LARGEST_AT_PEAKS =
      Comparator.comparingLong((TensorDiff tensor) -> Math.abs(tensor.peakGrowthBytes()))
          .reversed()
          .thenComparing(TensorDiff.LARGEST_FIRST);

  public PlanDiff {
    tensors = List.copyOf(tensors);
  }

  /** {@return the difference} */
  public static PlanDiff of(ComparedPlan a, ComparedPlan b) {
    OptionalLong peakA = peak(a);
    OptionalLong peakB = peak(b);
    List<TensorPairs.Tensor> recordsA = records(a);
    List<TensorPairs.Tensor> recordsB = records(b);
    IdentityHashMap<TensorPairs.Tensor, TensorDiff.Side> sidesA = sides(a, recordsA, peakA);
    IdentityHashMap<TensorPairs.Tensor, TensorDiff.Side> sidesB = sides(b, recordsB, peakB);
    List<TensorDiff> tensors =
        new TensorPairs(recordsA, recordsB)
            .all().stream()
                .map(pair ->
                    new TensorDiff(pair.before().map(sidesA::get), pair.now().map(sidesB::get)))
                .sorted(TensorDiff.LARGEST_FIRST)
                .toList();
    return new PlanDiff(a, b, peakA, peakB, tensors);
  }

  private static OptionalLong peak(ComparedPlan plan) {
    return LoadPeak.of(plan.input().problem()).tasks().stream()
        .mapToLong(TaskRange::firstTask)
        .findFirst();
  }

  private static List<TensorPairs.Tensor> records(ComparedPlan plan) {
    List<TensorPairs.Tensor> all = new ArrayList<>();
    for (int i = 0; i < plan.records().size(); i++) {
      TensorUsageRecord record = plan.records().get(i);
      String name = plan.input().labels().get(i).name();
      all.add(new TensorPairs.Tensor(name, record.bytes(), record.firstTask(), record.lastTask()));
    }
    return all;
  }

  /** {@return the tensors by their records; equal records are different keys} */
  private static IdentityHashMap<TensorPairs.Tensor, TensorDiff.Side> sides(
      ComparedPlan plan, List<TensorPairs.Tensor> records, OptionalLong peak) {
    IdentityHashMap<TensorPairs.Tensor, TensorDiff.Side> sides = new IdentityHashMap<>();
    for (int i = 0; i < records.size(); i++) {
      long live = peak.isEmpty() ? 0 : plan.records().get(i).bytesNeededAt(peak.getAsLong());
      sides.put(records.get(i), new TensorDiff.Side(i, records.get(i), live));
    }
    return sides;
  }

  /** {@return the bytes that the second plan needs more; negative if it needs fewer} */
  public long growthBytes() {
    return b.arenaBytes() - a.arenaBytes();
  }

  /** {@return the tensors that are live at a peak, the largest differences of the peaks first} */
  public List<TensorDiff> atPeaks() {
    return tensors.stream()
        .filter(tensor -> tensor.peakBytesA() > 0 || tensor.peakBytesB() > 0)
        .sorted(LARGEST_AT_PEAKS)
        .toList();
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
    return DifferenceText.sentence(a.path(), b.path(), "needs", "", a.arenaBytes(), b.arenaBytes())
        + cause()
        + ".";
  }

  /** {@return the tensor that explains most of the difference of the peaks} */
  private String cause() {
    Optional<TensorDiff> largest =
        atPeaks().stream()
            .filter(tensor -> Long.signum(tensor.peakGrowthBytes()) == Long.signum(growthBytes()))
            .findFirst();
    return largest
        .map(tensor -> DifferenceText.cause(tensor.name(), growthBytes(), tensor.peakGrowthBytes()))
        .orElse("");
  }
}
