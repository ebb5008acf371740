package dev.stowage.cli;

import com.google.flatbuffers.FlatBufferBuilder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.tensorflow.lite.schema.BufferT;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.BuiltinOptions;
import org.tensorflow.lite.schema.BuiltinOptionsUnion;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.ModelT;
import org.tensorflow.lite.schema.OperatorCodeT;
import org.tensorflow.lite.schema.OperatorT;
import org.tensorflow.lite.schema.SubGraphT;
import org.tensorflow.lite.schema.TensorT;
import org.tensorflow.lite.schema.WhileOptionsT;

/** A {@code .tflite} model with one operator, a WHILE, which calls two subgraphs. */
final class CallingModel {

  private static final byte INT8 = 9;

  private CallingModel() {}

  /** {@return the bytes of the model} */
  static byte[] bytes() {
    ModelT model = new ModelT();
    model.setVersion(3);
    BufferT empty = new BufferT();
    empty.setData(new int[0]);
    model.setBuffers(new BufferT[] {empty});
    OperatorCodeT code = new OperatorCodeT();
    code.setBuiltinCode(BuiltinOperator.WHILE);
    code.setDeprecatedBuiltinCode((byte) BuiltinOperator.WHILE);
    model.setOperatorCodes(new OperatorCodeT[] {code});
    SubGraphT main = subgraph(2);
    OperatorT loop = new OperatorT();
    loop.setInputs(new int[] {0});
    loop.setOutputs(new int[] {1});
    WhileOptionsT called = new WhileOptionsT();
    called.setCondSubgraphIndex(1);
    called.setBodySubgraphIndex(2);
    BuiltinOptionsUnion options = new BuiltinOptionsUnion();
    options.setType(BuiltinOptions.WhileOptions);
    options.setValue(called);
    loop.setBuiltinOptions(options);
    main.setOperators(new OperatorT[] {loop});
    model.setSubgraphs(new SubGraphT[] {main, subgraph(1), subgraph(1)});
    FlatBufferBuilder builder = new FlatBufferBuilder();
    Model.finishModelBuffer(builder, Model.pack(builder, model));
    return builder.sizedByteArray();
  }

  /** {@return a subgraph of which the first tensor is the input, and the last one the output} */
  private static SubGraphT subgraph(int tensorCount) {
    SubGraphT subgraph = new SubGraphT();
    TensorT[] tensors = new TensorT[tensorCount];
    Arrays.setAll(tensors, _ -> new TensorT());
    IntStream.range(0, tensorCount).forEach(i -> tensors[i].setName("tensor" + i));
    for (TensorT tensor : tensors) {
      tensor.setShape(new int[] {16});
      tensor.setType(INT8);
    }
    subgraph.setTensors(tensors);
    subgraph.setInputs(new int[] {0});
    subgraph.setOutputs(new int[] {tensorCount - 1});
    subgraph.setOperators(new OperatorT[0]);
    return subgraph;
  }
}
