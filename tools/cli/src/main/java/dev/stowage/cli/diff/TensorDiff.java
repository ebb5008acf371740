package dev.stowage.cli.diff;

import java.util.Comparator;
import java.util.Optional;

/**
 * A tensor in one or both of two plans.
 *
 * @param a the tensor in the first plan; empty if it is new
 * @param b the tensor in the second plan; empty if it is gone
 * @param peakGrowthBytes the bytes that it has more at the peak of the second plan
 */
public record TensorDiff(
    Optional<TensorPairs.Tensor> a, Optional<TensorPairs.Tensor> b, long peakGrowthBytes) {

  /** The largest difference at the peaks first, and of equal ones the largest difference. */
  static final Comparator<TensorDiff> LARGEST_FIRST =
      Comparator.comparingLong((TensorDiff tensor) -> Math.abs(tensor.peakGrowthBytes))
          .thenComparingLong(tensor -> Math.abs(tensor.growthBytes()))
          .thenComparingLong(TensorDiff::bytesB)
          .reversed()
          .thenComparing(TensorDiff::name)
          .thenComparingLong(tensor -> tensor.latest().firstTask());

  private TensorPairs.Tensor latest() {
    return b.or(() -> a).orElseThrow();
  }

  /** {@return the name in the second plan, or in the first one if the tensor is gone} */
  public String name() {
    return latest().name();
  }

  /** {@return the name in the first plan if the tensor was renamed} */
  public Optional<String> formerName() {
    return a.map(TensorPairs.Tensor::name).filter(former -> !former.equals(name()));
  }

  public long bytesA() {
    return a.map(TensorPairs.Tensor::size).orElse(0L);
  }

  public long bytesB() {
    return b.map(TensorPairs.Tensor::size).orElse(0L);
  }

  /** {@return the bytes that the tensor has more in the second plan; negative if it has fewer} */
  public long growthBytes() {
    return bytesB() - bytesA();
  }

  /** {@return the number of tasks during which it is live in the first plan} */
  public long tasksA() {
    return tasks(a);
  }

  /** {@return the number of tasks during which it is live in the second plan} */
  public long tasksB() {
    return tasks(b);
  }

  private static long tasks(Optional<TensorPairs.Tensor> record) {
    return record.map(it -> it.lastTask() - it.firstTask() + 1).orElse(0L);
  }

  public Change change() {
    Change ofBytes = Change.of(tasksA(), tasksB(), growthBytes());
    if (ofBytes != Change.SAME || tasksA() == tasksB()) {
      return ofBytes;
    }
    return tasksB() > tasksA() ? Change.LONGER : Change.SHORTER;
  }
}
