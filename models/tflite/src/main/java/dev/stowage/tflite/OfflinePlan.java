package dev.stowage.tflite;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** The offsets that a model prescribes to TensorFlow Lite Micro for its tensors. */
public final class OfflinePlan {

  private final int[] offsets;

  OfflinePlan(int[] offsets) {
    this.offsets = offsets;
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
    return offsets[planIndex] == OfflinePlanEntry.AT_RUN_TIME
        ? OptionalLong.empty()
        : OptionalLong.of(offsets[planIndex]);
  }

  /** {@return true if the plan has an offset for a tensor} */
  public boolean hasOffsets() {
    return IntStream.of(offsets).anyMatch(offset -> offset != OfflinePlanEntry.AT_RUN_TIME);
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
    long count = IntStream.of(offsets).filter(o -> o != OfflinePlanEntry.AT_RUN_TIME).count();
    return "offline plan with offsets for " + count + " of " + offsets.length + " tensors";
  }
}
