package dev.stowage.testing.tflite;

import java.util.ArrayList;
import java.util.List;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * An operator of a graph.
 *
 * @param builtinCode the code in the schema
 * @param inputs the indices of the tensors that it reads, or {@link #ABSENT}
 * @param output the index of the tensor that it computes
 * @param options the options
 */
record GraphOperator(int builtinCode, List<Integer> inputs, int output, OperatorOptions options) {

  /** The index of an omitted input in the schema. */
  static final int ABSENT = -1;

  GraphOperator {
    inputs = List.copyOf(inputs);
  }

  static GraphOperator of(
      int builtinCode, List<GraphTensor> read, GraphTensor made, OperatorOptions options) {
    List<Integer> inputs = new ArrayList<>();
    if (builtinCode == BuiltinOperator.TRANSPOSE_CONV) {
      // The image follows the shape of the output and the weights.
      inputs.addAll(List.of(ABSENT, ABSENT));
    }
    read.forEach(tensor -> inputs.add(tensor.index()));
    return new GraphOperator(builtinCode, inputs, made.index(), options);
  }
}
