package dev.stowage.tflite.order;

import java.util.Arrays;
import java.util.List;

/** The record of each planned tensor of a subgraph. */
public final class TensorRecords {

  private static final int NONE = -1;

  private final int[] records;

  /**
   * Creates a table without records.
   *
   * @param tensorCount the number of tensors
   */
  public TensorRecords(int tensorCount) {
    records = new int[tensorCount];
    Arrays.fill(records, NONE);
  }

  /**
   * Sets the record of a tensor.
   *
   * @param tensor the tensor
   * @param record the record
   */
  public void put(int tensor, int record) {
    records[tensor] = record;
  }

  /** {@return the record of a planned tensor} */
  public int of(int tensor) {
    return records[tensor];
  }

  /** {@return the records of tensors, each once; tensors that are not planned have none} */
  public List<Integer> of(List<Integer> tensors) {
    return tensors.stream()
        .map(tensor -> records[tensor])
        .filter(record -> record != NONE)
        .distinct()
        .toList();
  }
}
