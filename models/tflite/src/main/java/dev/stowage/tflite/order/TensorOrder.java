package dev.stowage.tflite.order;

import dev.stowage.tflite.model.ModelOperator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order that two operators must keep if one of them writes a tensor, and the other one reads or
 * writes it.
 *
 * <p>It holds for all tensors, including tensors without memory in a plan, such as strings.
 */
final class TensorOrder {

  private final Map<Integer, Integer> writers = new HashMap<>();

  /** The operators that read each tensor since it was written. */
  private final Map<Integer, List<Integer>> readers = new HashMap<>();

  /**
   * {@return the operators that must run before the next one}
   *
   * @param operator the next operator
   * @param index its index
   */
  Set<Integer> next(ModelOperator operator, int index) {
    Set<Integer> before = new LinkedHashSet<>();
    for (int tensor : operator.inputs()) {
      addWriter(tensor, before);
    }
    for (int tensor : operator.outputs()) {
      addWriter(tensor, before);
      before.addAll(readers.getOrDefault(tensor, List.of()));
    }
    for (int tensor : operator.inputs()) {
      readers.computeIfAbsent(tensor, _ -> new ArrayList<>()).add(index);
    }
    for (int tensor : operator.outputs()) {
      writers.put(tensor, index);
      readers.remove(tensor);
    }
    return before;
  }

  private void addWriter(int tensor, Set<Integer> before) {
    Integer writer = writers.get(tensor);
    if (writer != null) {
      before.add(writer);
    }
  }
}
