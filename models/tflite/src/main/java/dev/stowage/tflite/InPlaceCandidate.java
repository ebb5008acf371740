package dev.stowage.tflite;

import dev.stowage.tflite.model.InPlaceOperators;
import dev.stowage.tflite.model.TensorTable;
import java.util.List;

/**
 * An operator that may write its result into the memory of an input.
 *
 * @param task the task of the operator
 * @param rule the inputs that it may overwrite
 * @param inputs the tensors that it reads, or {@link TensorTable#OMITTED}
 * @param output the tensor that it computes first
 */
record InPlaceCandidate(int task, InPlaceOperators.Rule rule, List<Integer> inputs, int output) {

  InPlaceCandidate {
    inputs = List.copyOf(inputs);
  }
}
