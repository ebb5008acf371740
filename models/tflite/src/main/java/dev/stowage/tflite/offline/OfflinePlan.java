package dev.stowage.tflite.offline;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** The offsets that a model prescribes to TensorFlow Lite Micro for its tensors. */
public final class OfflinePlan {

  /** The offset of a tensor that is placed at run time. */
  public static final int AT_RUN_TIME = -1;

  private final int[] offsets;

  private OfflinePlan(int[] offsets) {
    this.offsets = offsets;
  }

  /**
   * {@return a plan}
   *
   * @param offsets the offset of each tensor of all subgraphs, or {@link #AT_RUN_TIME}
   */
  public static OfflinePlan of(int... offsets) {
    return new OfflinePlan(offsets.clone());
  }

  /** {@return a copy of the offsets, with -1 for tensors that are placed at run time} */
  int[] offsets() {
    return offsets.clone();
  }

  /** {@return the number of tensors of all subgraphs} */
  public int tensorCount() {
    return offsets.length;
  }

  /**
   * {@return the offset of a tensor in bytes; empty if it is placed at run time}
   *
   * @param planIndex the index among the tensors of all subgraphs
   */
  public OptionalLong offset(int planIndex) {
    return offsets[planIndex] == AT_RUN_TIME
        ? OptionalLong.empty()
        : OptionalLong.of(offsets[planIndex]);
  }

  /** {@return true if the plan has an offset for a tensor} */
  public boolean hasOffsets() {
    return IntStream.of(offsets).anyMatch(offset -> offset != AT_RUN_TIME);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OfflinePlan plan && Arrays.equals(offsets, plan.offsets);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(offsets);
  }

  /** {@return the number of offsets and tensors} */
  @Override
  public String toString() {
    long count = IntStream.of(offsets).filter(offset -> offset != AT_RUN_TIME).count();
    return "offline plan with offsets for " + count + " of " + offsets.length + " tensors";
  }
}
