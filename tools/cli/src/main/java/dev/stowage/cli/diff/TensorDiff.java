package dev.stowage.cli.diff;

import java.util.Comparator;
import java.util.Optional;

/**
 * A tensor in one or both of two plans.
 *
 * @param a the tensor in the first plan; empty if it is new
 * @param b the tensor in the second plan; empty if it is gone
 */
public record TensorDiff(Optional<Side> a, Optional<Side> b) {

  /** The largest difference first, and of equal ones the largest difference at the peaks. */
  static final Comparator<TensorDiff> LARGEST_FIRST =
      Comparator.comparingLong((TensorDiff tensor) -> Math.abs(tensor.growthBytes()))
          .thenComparingLong(tensor -> Math.abs(tensor.peakGrowthBytes()))
          .thenComparingLong(TensorDiff::bytesB)
          .reversed()
          .thenComparing(TensorDiff::name)
          .thenComparingLong(tensor -> tensor.latest().record.firstTask());

  /**
   * A tensor in a plan.
   *
   * @param index the index of the record
   * @param peakBytes the bytes that it needs at the first peak of the plan
   */
  public record Side(int index, TensorPairs.Tensor record, long peakBytes) {

    long taskCount() {
      return record.lastTask() - record.firstTask() + 1;
    }
  }

  private Side latest() {
    return b.or(() -> a).orElseThrow();
  }

  /** {@return the name in the second plan, or in the first one if the tensor is gone} */
  public String name() {
    return latest().record.name();
  }

  /** {@return the name in the first plan if the tensor was renamed} */
  public Optional<String> formerName() {
    return a.map(side -> side.record.name()).filter(former -> !former.equals(name()));
  }

  public long bytesA() {
    return a.map(side -> side.record.size()).orElse(0L);
  }

  public long bytesB() {
    return b.map(side -> side.record.size()).orElse(0L);
  }

  /** {@return the bytes that the tensor has more in the second plan; negative if it has fewer} */
  public long growthBytes() {
    return bytesB() - bytesA();
  }

  public long peakBytesA() {
    return a.map(Side::peakBytes).orElse(0L);
  }

  public long peakBytesB() {
    return b.map(Side::peakBytes).orElse(0L);
  }

  /** {@return the bytes that the tensor has more at the peak of the second plan} */
  public long peakGrowthBytes() {
    return peakBytesB() - peakBytesA();
  }

  /** {@return the number of tasks during which it is live in the first plan} */
  public long tasksA() {
    return a.map(Side::taskCount).orElse(0L);
  }

  /** {@return the number of tasks during which it is live in the second plan} */
  public long tasksB() {
    return b.map(Side::taskCount).orElse(0L);
  }

  public Change change() {
    Change ofBytes = Change.of(tasksA(), tasksB(), growthBytes());
    if (ofBytes != Change.SAME || tasksA() == tasksB()) {
      return ofBytes;
    }
    return tasksB() > tasksA() ? Change.LONGER : Change.SHORTER;
  }
}
