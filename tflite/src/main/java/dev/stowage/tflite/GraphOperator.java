package dev.stowage.tflite;

import java.util.ArrayList;
import java.util.List;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * One operator of a graph.
 *
 * @param builtinCode its number in the schema
 * @param inputs indices of the tensors it reads, or {@link #ABSENT}
 * @param output index of the tensor it makes
 * @param options its options
 */
record GraphOperator(int builtinCode, List<Integer> inputs, int output, OperatorOptions options) {

  /** The schema's mark for an input that is not there. */
  static final int ABSENT = -1;

  GraphOperator {
    inputs = List.copyOf(inputs);
  }

  static GraphOperator of(
      int builtinCode, List<GraphTensor> read, GraphTensor made, OperatorOptions options) {
    List<Integer> inputs = new ArrayList<>();
    if (builtinCode == BuiltinOperator.TRANSPOSE_CONV) {
      // The output's shape and the weights come before the image.
      inputs.addAll(List.of(ABSENT, ABSENT));
    }
    read.forEach(tensor -> inputs.add(tensor.index()));
    return new GraphOperator(builtinCode, inputs, made.index(), options);
  }
}
