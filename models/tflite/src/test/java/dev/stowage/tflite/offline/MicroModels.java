package dev.stowage.tflite.offline;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.lite.schema.BufferT;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.BuiltinOptions;
import org.tensorflow.lite.schema.BuiltinOptionsUnion;
import org.tensorflow.lite.schema.CallOnceOptionsT;
import org.tensorflow.lite.schema.IfOptionsT;
import org.tensorflow.lite.schema.MetadataT;
import org.tensorflow.lite.schema.Model;
import org.tensorflow.lite.schema.ModelT;
import org.tensorflow.lite.schema.OperatorCodeT;
import org.tensorflow.lite.schema.OperatorT;
import org.tensorflow.lite.schema.SubGraphT;
import org.tensorflow.lite.schema.TensorT;
import org.tensorflow.lite.schema.WhileOptionsT;

/** Models of several subgraphs, built with the object classes of the published schema. */
public final class MicroModels {

  private final ModelT model = new ModelT();
  private final List<BufferT> buffers = new ArrayList<>();
  private final List<MetadataT> metadata = new ArrayList<>();
  private final List<OperatorCodeT> codes = new ArrayList<>();
  private final List<SubGraphT> subgraphs = new ArrayList<>();

  public MicroModels() {
    model.setVersion(3);
    model.setDescription("for tests");
    buffers.add(buffer(new byte[0]));
  }

  /** Adds a subgraph with float tensors of these sizes in bytes, and {@return it}. */
  public SubGraphT subgraph(int... tensorBytes) {
    SubGraphT subgraph = new SubGraphT();
    TensorT[] tensors = new TensorT[tensorBytes.length];
    for (int i = 0; i < tensors.length; i++) {
      tensors[i] = new TensorT();
      tensors[i].setName("s" + subgraphs.size() + "t" + i);
      tensors[i].setType((byte) 9); // INT8
      tensors[i].setShape(new int[] {tensorBytes[i]});
    }
    subgraph.setTensors(tensors);
    subgraph.setInputs(new int[0]);
    subgraph.setOutputs(new int[0]);
    subgraph.setOperators(new OperatorT[0]);
    subgraphs.add(subgraph);
    return subgraph;
  }

  /** Adds an operator to a subgraph. */
  public MicroModels operator(SubGraphT subgraph, int code, int[] inputs, int... outputs) {
    return operator(subgraph, code, new BuiltinOptionsUnion(), inputs, outputs);
  }

  /** Adds an operator that calls subgraphs: one by CALL_ONCE, two by IF or WHILE. */
  public MicroModels call(
      SubGraphT subgraph, int code, int[] called, int[] inputs, int... outputs) {
    BuiltinOptionsUnion options = new BuiltinOptionsUnion();
    if (code == BuiltinOperator.IF) {
      IfOptionsT branches = new IfOptionsT();
      branches.setThenSubgraphIndex(called[0]);
      branches.setElseSubgraphIndex(called[1]);
      options.setType(BuiltinOptions.IfOptions);
      options.setValue(branches);
    } else if (code == BuiltinOperator.WHILE) {
      WhileOptionsT loop = new WhileOptionsT();
      loop.setCondSubgraphIndex(called[0]);
      loop.setBodySubgraphIndex(called[1]);
      options.setType(BuiltinOptions.WhileOptions);
      options.setValue(loop);
    } else {
      CallOnceOptionsT once = new CallOnceOptionsT();
      once.setInitSubgraphIndex(called[0]);
      options.setType(BuiltinOptions.CallOnceOptions);
      options.setValue(once);
    }
    return operator(subgraph, code, options, inputs, outputs);
  }

  private MicroModels operator(
      SubGraphT subgraph, int code, BuiltinOptionsUnion options, int[] inputs, int... outputs) {
    OperatorCodeT operatorCode = new OperatorCodeT();
    operatorCode.setDeprecatedBuiltinCode((byte) Math.min(code, 127));
    operatorCode.setBuiltinCode(code);
    operatorCode.setVersion(1);
    codes.add(operatorCode);
    OperatorT operator = new OperatorT();
    operator.setOpcodeIndex(codes.size() - 1);
    operator.setBuiltinOptions(options);
    operator.setInputs(inputs);
    operator.setOutputs(outputs);
    List<OperatorT> operators = new ArrayList<>(List.of(subgraph.getOperators()));
    operators.add(operator);
    subgraph.setOperators(operators.toArray(OperatorT[]::new));
    return this;
  }

  /** Adds a buffer with data and {@return its index}. */
  public int data(byte... bytes) {
    buffers.add(buffer(bytes));
    return buffers.size() - 1;
  }

  /** Adds an entry to the metadata. */
  public MicroModels metadata(String name, int buffer) {
    MetadataT entry = new MetadataT();
    entry.setName(name);
    entry.setBuffer(buffer);
    metadata.add(entry);
    return this;
  }

  /** Sets the buffers of the list that was for metadata in old versions of the schema. */
  public MicroModels metadataBuffer(int... indices) {
    model.setMetadataBuffer(indices);
    return this;
  }

  /** Adds an offline plan. */
  public MicroModels plan(int... offsets) {
    return metadata(OfflinePlanEntry.NAME, planData(offsets));
  }

  /** Adds a buffer with an offline plan and {@return its index}. */
  public int planData(int... offsets) {
    ByteBuffer words = OfflinePlanEntry.words(subgraphs.size(), offsets);
    byte[] bytes = new byte[words.remaining()];
    words.get(bytes);
    return data(bytes);
  }

  /** {@return the bytes of the model} */
  public byte[] write() {
    model.setBuffers(buffers.toArray(BufferT[]::new));
    model.setMetadata(metadata.isEmpty() ? null : metadata.toArray(MetadataT[]::new));
    model.setOperatorCodes(codes.toArray(OperatorCodeT[]::new));
    model.setSubgraphs(subgraphs.toArray(SubGraphT[]::new));
    FlatBufferBuilder builder = new FlatBufferBuilder();
    Model.finishModelBuffer(builder, Model.pack(builder, model));
    return builder.sizedByteArray();
  }

  /** {@return everything that the schema classes read from a model, as text} */
  public static String text(byte[] model) {
    ModelT content = Model.getRootAsModel(ByteBuffer.wrap(model)).unpack();
    return new tools.jackson.databind.ObjectMapper().writeValueAsString(content);
  }

  private static BufferT buffer(byte[] bytes) {
    BufferT buffer = new BufferT();
    int[] data = new int[bytes.length];
    for (int i = 0; i < data.length; i++) {
      data[i] = bytes[i];
    }
    buffer.setData(data);
    return buffer;
  }

  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
