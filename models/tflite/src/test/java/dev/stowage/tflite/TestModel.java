package dev.stowage.tflite;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.tensorflow.lite.schema.Buffer;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.Operator;
import org.tensorflow.lite.schema.OperatorCode;
import org.tensorflow.lite.schema.SubGraph;
import org.tensorflow.lite.schema.Tensor;

/** A small model, built with the published schema classes. */
public final class TestModel {

  public static final byte FLOAT32 = 0;

  /** The code of operators without a kind. */
  public static final String CUSTOM_CODE = "AnyCode";

  private final FlatBufferBuilder builder = new FlatBufferBuilder();
  private final List<Integer> tensors = new ArrayList<>();
  private final List<Integer> operators = new ArrayList<>();
  private final List<Integer> buffers = new ArrayList<>();
  private final List<Integer> furtherSubgraphs = new ArrayList<>();

  /** The kinds of operators after the first, which is {@link #CUSTOM_CODE}. */
  private final List<Integer> kinds = new ArrayList<>();

  public TestModel() {
    buffer(0); // Stands for no data.
  }

  /** A chain of operators: input, n intermediate tensors of 16 bytes, output. */
  public static TestModel chain(int intermediateCount) {
    TestModel model = new TestModel();
    for (int i = 0; i < intermediateCount + 2; i++) {
      model.tensor("t" + i, 4);
    }
    for (int i = 0; i <= intermediateCount; i++) {
      model.operator(new int[] {i}, i + 1);
    }
    return model;
  }

  /** Adds a tensor of 32-bit floats without data. */
  public TestModel tensor(String name, int... shape) {
    return tensor(name, FLOAT32, 0, false, shape);
  }

  public TestModel tensor(String name, int type, int buffer, boolean isVariable, int... shape) {
    int nameOffset = builder.createString(name);
    return tensor(nameOffset, type, buffer, isVariable, Tensor.createShapeVector(builder, shape));
  }

  public TestModel tensor(
      int nameOffset, int type, int buffer, boolean isVariable, int shapeOffset) {
    Tensor.startTensor(builder);
    Tensor.addName(builder, nameOffset);
    Tensor.addShape(builder, shapeOffset);
    Tensor.addType(builder, (byte) type);
    Tensor.addBuffer(builder, buffer);
    Tensor.addIsVariable(builder, isVariable);
    tensors.add(Tensor.endTensor(builder));
    return this;
  }

  /** Adds a buffer of zeros. */
  public TestModel buffer(int dataBytes) {
    int data = Buffer.createDataVector(builder, new byte[dataBytes]);
    buffers.add(Buffer.createBuffer(builder, data));
    return this;
  }

  /** Adds a buffer with data after the flatbuffer. */
  public TestModel externalBuffer(long offset, long sizeBytes) {
    builder.startTable(3);
    builder.addLong(1, offset, 0);
    builder.addLong(2, sizeBytes, 0);
    buffers.add(builder.endTable());
    return this;
  }

  public TestModel operator(int[] inputs, int... outputs) {
    int inputsOffset = Operator.createInputsVector(builder, inputs);
    return operator(inputsOffset, Operator.createOutputsVector(builder, outputs));
  }

  /** Adds an operator of a kind of the schema. */
  public TestModel operatorOf(int builtinCode, int[] inputs, int... outputs) {
    kinds.add(builtinCode);
    int inputsOffset = Operator.createInputsVector(builder, inputs);
    int outputsOffset = Operator.createOutputsVector(builder, outputs);
    return operator(kinds.size(), inputsOffset, outputsOffset);
  }

  public TestModel operator(int inputsOffset, int outputsOffset) {
    return operator(0, inputsOffset, outputsOffset);
  }

  private TestModel operator(int kind, int inputsOffset, int outputsOffset) {
    Operator.startOperator(builder);
    Operator.addOpcodeIndex(builder, kind);
    Operator.addInputs(builder, inputsOffset);
    Operator.addOutputs(builder, outputsOffset);
    operators.add(Operator.endOperator(builder));
    return this;
  }

  /** Adds references to the last operator, as if there were more operators. */
  public TestModel repeatLastOperator(int times) {
    operators.addAll(Collections.nCopies(times, operators.getLast()));
    return this;
  }

  public TestModel furtherSubgraph(String name) {
    int nameOffset = builder.createString(name);
    furtherSubgraphs.add(SubGraph.createSubGraph(builder, 0, 0, 0, 0, nameOffset));
    return this;
  }

  /** {@return the builder, for parts without a method of this class} */
  FlatBufferBuilder builder() {
    return builder;
  }

  /** {@return the bytes of the model} */
  public ByteBuffer write(int[] graphInputs, int... graphOutputs) {
    int subgraph =
        SubGraph.createSubGraph(
            builder,
            SubGraph.createTensorsVector(builder, ints(tensors)),
            SubGraph.createInputsVector(builder, graphInputs),
            SubGraph.createOutputsVector(builder, graphOutputs),
            SubGraph.createOperatorsVector(builder, ints(operators)),
            0);
    List<Integer> subgraphs = new ArrayList<>(List.of(subgraph));
    subgraphs.addAll(furtherSubgraphs);
    return write(Model.createSubgraphsVector(builder, ints(subgraphs)));
  }

  /** {@return the bytes of a model with these subgraphs} */
  public ByteBuffer write(int subgraphsOffset) {
    int customCode = builder.createString(CUSTOM_CODE);
    int buffersOffset = Model.createBuffersVector(builder, ints(buffers));
    List<Integer> all = new ArrayList<>();
    all.add(OperatorCode.createOperatorCode(builder, (byte) 32, customCode, 1, 32));
    for (int kind : kinds) {
      // Files of older programs have only the first of the two codes.
      byte deprecated = (byte) Math.min(kind, 127);
      int code = kind < 127 ? 0 : kind;
      all.add(OperatorCode.createOperatorCode(builder, deprecated, 0, 1, code));
    }
    int codes = Model.createOperatorCodesVector(builder, ints(all));
    int root = Model.createModel(builder, 3, codes, subgraphsOffset, 0, buffersOffset, 0, 0, 0);
    Model.finishModelBuffer(builder, root);
    return ByteBuffer.wrap(builder.sizedByteArray());
  }

  /** {@return a copy of the bytes of the model} */
  public static byte[] bytesOf(ByteBuffer model) {
    byte[] bytes = new byte[model.capacity()];
    model.get(0, bytes);
    return bytes;
  }

  private static int[] ints(List<Integer> offsets) {
    return offsets.stream().mapToInt(Integer::intValue).toArray();
  }
}
