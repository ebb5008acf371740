package dev.stowage.cli;

import com.google.flatbuffers.FlatBufferBuilder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.tensorflow.lite.schema.BufferT;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.BuiltinOptions;
import org.tensorflow.lite.schema.BuiltinOptionsUnion;
import org.tensorflow.lite.schema.CallOnceOptionsT;
import org.tensorflow.lite.schema.IfOptionsT;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.ModelT;
import org.tensorflow.lite.schema.OperatorCodeT;
import org.tensorflow.lite.schema.OperatorT;
import org.tensorflow.lite.schema.SubGraphT;
import org.tensorflow.lite.schema.TensorT;
import org.tensorflow.lite.schema.WhileOptionsT;

/** {@code .tflite} models with operators that call subgraphs. */
final class CallingModel {

  private static final byte INT8 = 9;

  private CallingModel() {}

  /** {@return a model with one operator, a WHILE, which calls two subgraphs} */
  static byte[] bytes() {
    SubGraphT main = subgraph(2);
    WhileOptionsT called = new WhileOptionsT();
    called.setCondSubgraphIndex(1);
    called.setBodySubgraphIndex(2);
    main.setOperators(
        new OperatorT[] {operator(0, BuiltinOptions.WhileOptions, called, new int[] {0}, 1)});
    return model(
        new int[] {BuiltinOperator.WHILE}, new SubGraphT[] {main, subgraph(1), subgraph(1)});
  }

  /**
   * {@return a model with a CALL_ONCE, whose subgraph has no tensors, and an IF, whose branches
   * have one tensor each: as many tensors as operators that call subgraphs}
   */
  static byte[] callOnceAndIf() {
    SubGraphT main = subgraph(2);
    CallOnceOptionsT once = new CallOnceOptionsT();
    once.setInitSubgraphIndex(1);
    IfOptionsT branches = new IfOptionsT();
    branches.setThenSubgraphIndex(2);
    branches.setElseSubgraphIndex(3);
    main.setOperators(
        new OperatorT[] {
          operator(0, BuiltinOptions.CallOnceOptions, once, new int[0]),
          operator(1, BuiltinOptions.IfOptions, branches, new int[] {0}, 1)
        });
    return model(
        new int[] {BuiltinOperator.CALL_ONCE, BuiltinOperator.IF},
        new SubGraphT[] {main, subgraph(0), subgraph(1), subgraph(1)});
  }

  private static byte[] model(int[] operators, SubGraphT[] subgraphs) {
    ModelT model = new ModelT();
    model.setVersion(3);
    BufferT empty = new BufferT();
    empty.setData(new int[0]);
    model.setBuffers(new BufferT[] {empty});
    OperatorCodeT[] codes = new OperatorCodeT[operators.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = new OperatorCodeT();
      codes[i].setBuiltinCode(operators[i]);
      codes[i].setDeprecatedBuiltinCode((byte) Math.min(operators[i], 127));
    }
    model.setOperatorCodes(codes);
    model.setSubgraphs(subgraphs);
    FlatBufferBuilder builder = new FlatBufferBuilder();
    Model.finishModelBuffer(builder, Model.pack(builder, model));
    return builder.sizedByteArray();
  }

  private static OperatorT operator(
      int code, byte kind, Object called, int[] inputs, int... outputs) {
    BuiltinOptionsUnion options = new BuiltinOptionsUnion();
    options.setType(kind);
    options.setValue(called);
    OperatorT operator = new OperatorT();
    operator.setOpcodeIndex(code);
    operator.setBuiltinOptions(options);
    operator.setInputs(inputs);
    operator.setOutputs(outputs);
    return operator;
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
    subgraph.setInputs(tensorCount == 0 ? new int[0] : new int[] {0});
    subgraph.setOutputs(tensorCount == 0 ? new int[0] : new int[] {tensorCount - 1});
    subgraph.setOperators(new OperatorT[0]);
    return subgraph;
  }
}
