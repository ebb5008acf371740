package dev.stowage.testing.tflite;

import com.google.flatbuffers.FlatBufferBuilder;
import java.util.List;
import org.tensorflow.lite.schema.Buffer;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.Operator;
import org.tensorflow.lite.schema.OperatorCode;
import org.tensorflow.lite.schema.SubGraph;
import org.tensorflow.lite.schema.Tensor;

/** A writer of a graph as a {@code .tflite} file. Equal graphs give equal bytes. */
final class TfliteModelWriter {

  /*
   * A FlatBuffer is written from its leaves to its root: a table follows the parts to which it refers.
   * All tensors refer to buffer 0, which is always empty and means no data.
   */

  private static final long SCHEMA_VERSION = 3;

  /** The largest code in the byte that older readers use. */
  private static final int LARGEST_DEPRECATED_CODE = 127;

  private final FlatBufferBuilder buffer = new FlatBufferBuilder();
  private final String name;

  TfliteModelWriter(String name) {
    this.name = name;
  }

  /** {@return the bytes of the file; can be called once} */
  byte[] write(
      List<GraphTensor> tensors,
      List<GraphOperator> operators,
      List<GraphTensor> inputs,
      List<GraphTensor> outputs) {
    List<Integer> codes = operators.stream().map(GraphOperator::builtinCode).distinct().toList();
    int noData = Buffer.createBuffer(buffer, 0);
    int buffers = Model.createBuffersVector(buffer, new int[] {noData});
    int codeVector =
        Model.createOperatorCodesVector(
            buffer, codes.stream().mapToInt(this::writeOperatorCode).toArray());
    int subgraph = writeSubgraph(tensors, operators, codes, inputs, outputs);
    int subgraphs = Model.createSubgraphsVector(buffer, new int[] {subgraph});
    int description = buffer.createString(name);
    int model =
        Model.createModel(
            buffer, SCHEMA_VERSION, codeVector, subgraphs, description, buffers, 0, 0, 0);
    Model.finishModelBuffer(buffer, model);
    return buffer.sizedByteArray();
  }

  private int writeOperatorCode(int code) {
    byte deprecatedCode = (byte) Math.min(code, LARGEST_DEPRECATED_CODE);
    return OperatorCode.createOperatorCode(buffer, deprecatedCode, 0, 1, code);
  }

  private int writeSubgraph(
      List<GraphTensor> tensors,
      List<GraphOperator> operators,
      List<Integer> codes,
      List<GraphTensor> inputs,
      List<GraphTensor> outputs) {
    int tensorVector =
        SubGraph.createTensorsVector(
            buffer, tensors.stream().mapToInt(this::writeTensor).toArray());
    int operatorVector =
        SubGraph.createOperatorsVector(
            buffer,
            operators.stream()
                .mapToInt(
                    operator -> writeOperator(operator, codes.indexOf(operator.builtinCode())))
                .toArray());
    int inputVector = SubGraph.createInputsVector(buffer, indices(inputs));
    int outputVector = SubGraph.createOutputsVector(buffer, indices(outputs));
    int subgraphName = buffer.createString(name);
    return SubGraph.createSubGraph(
        buffer, tensorVector, inputVector, outputVector, operatorVector, subgraphName);
  }

  private int writeTensor(GraphTensor tensor) {
    int shape = Tensor.createShapeVector(buffer, ints(tensor.shape()));
    int tensorName = buffer.createString(tensor.name());
    return Tensor.createTensor(
        buffer, shape, tensor.type(), 0, tensorName, 0, false, 0, 0, false, 0);
  }

  private int writeOperator(GraphOperator operator, int codeIndex) {
    int inputs = Operator.createInputsVector(buffer, ints(operator.inputs()));
    int outputs = Operator.createOutputsVector(buffer, new int[] {operator.output()});
    int options = operator.options().table().applyAsInt(buffer);
    byte unionType = operator.options().unionType();
    return Operator.createOperator(
        buffer, codeIndex, inputs, outputs, unionType, options, 0, (byte) 0, 0, 0);
  }

  private static int[] indices(List<GraphTensor> tensors) {
    return tensors.stream().mapToInt(GraphTensor::index).toArray();
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
