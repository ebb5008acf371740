package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.TensorTable;
import dev.stowage.tflite.model.TfliteType;
import java.util.List;

/**
 * The tensors of an operator. Its kernel determines its requests for memory from them.
 *
 * @param table the tensors of the subgraph
 * @param operator the operator
 */
record OperatorTensors(TensorTable table, ModelOperator operator) {

  int builtinCode() {
    return operator.kind().builtinCode();
  }

  /** {@return true if there is such an input; the table has then moved to it} */
  boolean moveToInput(int index) throws MalformedFileException {
    return moveTo(operator.inputs(), index);
  }

  /** {@return true if there is an output; the table has then moved to the first one} */
  boolean moveToOutput() throws MalformedFileException {
    return moveTo(operator.outputs(), 0);
  }

  private boolean moveTo(List<Integer> indices, int index) throws MalformedFileException {
    if (index >= indices.size()) {
      return false;
    }
    table.moveTo(indices.get(index));
    return true;
  }

  /** {@return the type of an input; a type without kernels if there is no such input} */
  TfliteType inputType(int index) throws MalformedFileException {
    return moveToInput(index) ? table.type() : TfliteType.VARIANT;
  }

  /** {@return the type of the first output; a type without kernels if there is no output} */
  TfliteType outputType() throws MalformedFileException {
    return moveToOutput() ? table.type() : TfliteType.VARIANT;
  }

  /** {@return true for integers of 8 or 16 bits: they have optimized kernels} */
  static boolean isInteger(TfliteType type) {
    return type == TfliteType.INT8 || type == TfliteType.INT16;
  }

  /** {@return the dimensions of an input; empty if there is no such input} */
  List<Integer> inputShape(int index) throws MalformedFileException {
    return moveToInput(index) ? table.shape() : List.of();
  }

  /** {@return the dimensions of the first output; empty if there is no output} */
  List<Integer> outputShape() throws MalformedFileException {
    return moveToOutput() ? table.shape() : List.of();
  }

  /** {@return the elements of an input, at most 2^31 - 1; 0 if there is no such input} */
  long inputElements(int index) throws MalformedFileException {
    return moveToInput(index) ? elements() : 0;
  }

  /** {@return the elements of the first output, at most 2^31 - 1; 0 if there is no output} */
  long outputElements() throws MalformedFileException {
    return moveToOutput() ? elements() : 0;
  }

  private long elements() {
    long count = 1;
    for (int size : table.shape()) {
      count = Math.min(Integer.MAX_VALUE, count * Math.max(0, size));
    }
    return count;
  }
}
