package dev.stowage.onnx;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A model for a test. Names are separated by spaces in one text; {@code _} is an omitted input. A
 * dimension is a number, a name, or null if it is unknown.
 */
final class TestGraph {

  static final int FLOAT = 1;
  static final int INT32 = 6;
  static final int INT64 = 7;
  static final int STRING = 8;
  static final int BOOL = 9;
  static final int FLOAT16 = 10;
  static final int INT4 = 22;
  static final int UINT2 = 25;

  private final GraphProto.Builder graph = GraphProto.newBuilder().setName("test");
  private final List<FunctionProto> functions = new ArrayList<>();
  private final List<String> domains = new ArrayList<>();
  private long operatorSet = 17;

  /** Sets an earlier version of the standard. */
  TestGraph operatorSet(long version) {
    operatorSet = version;
    return this;
  }

  /*
   *   x -> Relu -> a -> Relu -> b -> Add(a, b) -> y
   *         0            1            2
   */
  static TestGraph residual() {
    return new TestGraph()
        .input("x", FLOAT, 1, 4)
        .node("Relu", "x", "a")
        .node("Relu", "a", "b")
        .node("Add", "a b", "y")
        .type("a b", FLOAT, 1, 4)
        .output("y", FLOAT, 1, 4);
  }

  TestGraph input(String name, int elements, @Nullable Object... dimensions) {
    graph.addInput(info(name, tensor(elements, dimensions)));
    return this;
  }

  TestGraph input(String name, TypeProto type) {
    graph.addInput(info(name, type));
    return this;
  }

  TestGraph output(String name, int elements, @Nullable Object... dimensions) {
    graph.addOutput(info(name, tensor(elements, dimensions)));
    return this;
  }

  /** Adds outputs without types. */
  TestGraph outputs(String names) {
    split(names).forEach(name -> graph.addOutput(ValueInfoProto.newBuilder().setName(name)));
    return this;
  }

  TestGraph type(String names, int elements, @Nullable Object... dimensions) {
    split(names).forEach(name -> graph.addValueInfo(info(name, tensor(elements, dimensions))));
    return this;
  }

  TestGraph type(String name, TypeProto type) {
    graph.addValueInfo(info(name, type));
    return this;
  }

  /** Adds an initializer of zeros. */
  TestGraph weights(String name, long... dimensions) {
    graph.addInitializer(zeros(dimensions).setName(name));
    return this;
  }

  TestGraph weights(String name, float[] values, int... dimensions) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(FLOAT);
    for (int dimension : dimensions) {
      tensor.addDims(dimension);
    }
    graph.addInitializer(tensor.setRawData(ByteString.copyFrom(bytes.flip())));
    return this;
  }

  /** Adds an initializer whose data is in another file. */
  TestGraph externalWeights(String name, long... dimensions) {
    graph.addInitializer(external(dimensions).setName(name));
    return this;
  }

  TestGraph integers(String name, long... values) {
    graph.addInitializer(tensorOf(values).setName(name));
    return this;
  }

  TestGraph sparseWeights(String name, long... dimensions) {
    graph.addSparseInitializer(sparse(dimensions, name));
    return this;
  }

  TestGraph node(String operator, String inputs, String outputs, AttributeProto... attributes) {
    return node("", operator, inputs, outputs, attributes);
  }

  TestGraph node(
      String domain, String operator, String inputs, String outputs, AttributeProto... attributes) {
    NodeProto.Builder node = NodeProto.newBuilder().setDomain(domain).setOpType(operator);
    split(inputs).forEach(node::addInput);
    split(outputs).forEach(node::addOutput);
    for (AttributeProto attribute : attributes) {
      node.addAttribute(attribute);
    }
    graph.addNode(node);
    if (!domain.isEmpty() && !domains.contains(domain)) {
      domains.add(domain);
    }
    return this;
  }

  TestGraph function(String domain, String name, String inputs, String outputs, TestGraph body) {
    FunctionProto.Builder function = FunctionProto.newBuilder().setDomain(domain).setName(name);
    function.addAllInput(split(inputs)).addAllOutput(split(outputs));
    function.addAllNode(body.graph.getNodeList()).addOpsetImport(operators("", 17));
    functions.add(function.build());
    return this;
  }

  ModelProto build() {
    ModelProto.Builder model = ModelProto.newBuilder().setIrVersion(8).setGraph(graph);
    model.addOpsetImport(operators("", operatorSet)).addAllFunctions(functions);
    domains.forEach(domain -> model.addOpsetImport(operators(domain, 1)));
    return model.build();
  }

  OnnxProblem read(OnnxOptions options) throws IOException {
    return OnnxReader.read("test.onnx", ByteBuffer.wrap(build().toByteArray()), options);
  }

  static AttributeProto body(String name, TestGraph body) {
    return attribute(name, AttributeProto.AttributeType.GRAPH).setG(body.graph).build();
  }

  static AttributeProto bodies(String name, TestGraph... bodies) {
    AttributeProto.Builder attribute = attribute(name, AttributeProto.AttributeType.GRAPHS);
    for (TestGraph body : bodies) {
      attribute.addGraphs(body.graph);
    }
    return attribute.build();
  }

  static AttributeProto integer(String name, long value) {
    return attribute(name, AttributeProto.AttributeType.INT).setI(value).build();
  }

  static AttributeProto integers(String name, List<Long> values) {
    return attribute(name, AttributeProto.AttributeType.INTS).addAllInts(values).build();
  }

  static AttributeProto text(String name, String value) {
    return attribute(name, AttributeProto.AttributeType.STRING)
        .setS(ByteString.copyFromUtf8(value))
        .build();
  }

  static AttributeProto value(TensorProto.Builder tensor) {
    return attribute("value", AttributeProto.AttributeType.TENSOR).setT(tensor).build();
  }

  static AttributeProto sparseValue(long... dimensions) {
    return attribute("sparse_value", AttributeProto.AttributeType.SPARSE_TENSOR)
        .setSparseTensor(sparse(dimensions, ""))
        .build();
  }

  private static AttributeProto.Builder attribute(String name, AttributeProto.AttributeType type) {
    return AttributeProto.newBuilder().setName(name).setType(type);
  }

  static TensorProto.Builder zeros(long... dimensions) {
    int bytes = Float.BYTES;
    for (long dimension : dimensions) {
      bytes = Math.toIntExact(bytes * dimension);
    }
    return dimensions(TensorProto.newBuilder(), dimensions)
        .setDataType(FLOAT)
        .setRawData(ByteString.copyFrom(new byte[bytes]));
  }

  static TensorProto.Builder external(long... dimensions) {
    TensorProto.Builder tensor = dimensions(TensorProto.newBuilder(), dimensions);
    tensor.setDataType(FLOAT).setDataLocation(TensorProto.DataLocation.EXTERNAL);
    tensor.addExternalDataBuilder().setKey("location").setValue("there is no such file");
    return tensor;
  }

  static TensorProto.Builder tensorOf(long... values) {
    TensorProto.Builder tensor = TensorProto.newBuilder().setDataType(INT64).addDims(values.length);
    for (long value : values) {
      tensor.addInt64Data(value);
    }
    return tensor;
  }

  private static SparseTensorProto sparse(long[] dimensions, String name) {
    SparseTensorProto.Builder sparse = SparseTensorProto.newBuilder();
    for (long dimension : dimensions) {
      sparse.addDims(dimension);
    }
    return sparse
        .setValues(zeros(1).setName(name))
        .setIndices(TensorProto.newBuilder().setDataType(INT64).addDims(1).addInt64Data(0))
        .build();
  }

  private static TensorProto.Builder dimensions(TensorProto.Builder tensor, long... dimensions) {
    for (long dimension : dimensions) {
      tensor.addDims(dimension);
    }
    return tensor;
  }

  static TypeProto tensor(int elements, @Nullable Object... dimensions) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (@Nullable Object dimension : dimensions) {
      TensorShapeProto.Dimension.Builder built = shape.addDimBuilder();
      if (dimension instanceof Number number) {
        built.setDimValue(number.longValue());
      } else if (dimension instanceof String name) {
        built.setDimParam(name);
      }
    }
    return TypeProto.newBuilder()
        .setTensorType(TypeProto.Tensor.newBuilder().setElemType(elements).setShape(shape))
        .build();
  }

  /** Adds a tensor of unknown rank. */
  static TypeProto tensorOfAnyRank(int elements) {
    return TypeProto.newBuilder()
        .setTensorType(TypeProto.Tensor.newBuilder().setElemType(elements))
        .build();
  }

  static TypeProto sequence(TypeProto elements) {
    return TypeProto.newBuilder()
        .setSequenceType(TypeProto.Sequence.newBuilder().setElemType(elements))
        .build();
  }

  static TypeProto optional(TypeProto element) {
    return TypeProto.newBuilder()
        .setOptionalType(TypeProto.Optional.newBuilder().setElemType(element))
        .build();
  }

  static TypeProto map(TypeProto values) {
    return TypeProto.newBuilder()
        .setMapType(TypeProto.Map.newBuilder().setKeyType(INT64).setValueType(values))
        .build();
  }

  private static ValueInfoProto info(String name, TypeProto type) {
    return ValueInfoProto.newBuilder().setName(name).setType(type).build();
  }

  private static OperatorSetIdProto operators(String domain, long version) {
    return OperatorSetIdProto.newBuilder().setDomain(domain).setVersion(version).build();
  }

  private static List<String> split(String names) {
    return names.isEmpty()
        ? List.of()
        : List.of(names.split(" ", -1)).stream().map(name -> name.equals("_") ? "" : name).toList();
  }
}
