package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.NodeAttributes;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The requests of ONNX Runtime to the allocator of a session while it creates the session.
 *
 * <p>A session copies initializers of at most 127 bytes; larger ones stay in the memory of the
 * loaded model. {@link EngineVersion} has the other copies of older versions. CPU kernels then make
 * copies of weights in the form that their matrix multiplication reads. A packed matrix has its
 * columns rounded up to a multiple of 16. Copies with the same content in bodies exist once: ONNX
 * Runtime frees the second one after it has made it. {@code ConvTranspose} keeps a transposed copy.
 * This class covers 32-bit floating-point weights of {@code MatMul}, {@code Gemm}, {@code LSTM},
 * {@code ConvTranspose}, {@code Attention} and fused forms; {@link QuantizedWeights} covers
 * quantized operators.
 */
final class LoadRequests {

  private static final long LARGEST_SMALL_BYTES = 127;
  private static final int COLUMN_MULTIPLE = 16;
  private static final int MATRIX = 2;
  private static final int ATTENTION_MATRICES = 3;
  private static final String BLOCKED = "com.microsoft.nchwc";

  /** The start of the names of weights that the engine reorders. */
  private static final String REORDERED = "reorder";

  /**
   * A packed copy of a weight.
   *
   * @param weight the name of the weight, which the session frees after it has made the copy
   * @param bytes the size of the copy
   */
  record Packing(String weight, long bytes) {}

  private record Content(String operator, List<Long> shape, ByteString data) {}

  private final Map<String, TensorProto> weights = new HashMap<>();
  private final Set<Content> packed = new HashSet<>();

  /** The number of operators that read each value. */
  private final Map<String, Integer> readers = new HashMap<>();

  /** The copies of initializers by name. */
  private final Map<String, Integer> copies = new LinkedHashMap<>();

  private final Set<String> largeCopies = new HashSet<>();

  /** The weights in blocks of channels. */
  private final Set<String> blocked = new HashSet<>();

  private final List<Request> requests = new ArrayList<>();
  private final List<Packing> packings = new ArrayList<>();
  private int count;

  private final EngineSettings settings;

  private LoadRequests(EngineSettings settings) {
    this.settings = settings;
  }

  /** {@return the requests for a model, with the numbers from 0} */
  static List<Request> of(GraphProto graph, EngineSettings settings) {
    return List.copyOf(read(graph, settings).requests);
  }

  /** {@return the bytes of copies that the session keeps, without large weights as they are} */
  static long packedBytes(GraphProto graph, EngineSettings settings) {
    LoadRequests load = read(graph, settings);
    Set<Integer> large =
        load.largeCopies.stream().map(load.copies::get).collect(Collectors.toSet());
    return RunPrediction.liveBytes(
        load.requests.stream().filter(request -> !large.contains(request.id())).toList());
  }

  /** {@return the copies that replace weights of a model, in the order of their creation} */
  static List<Packing> packings(GraphProto graph, EngineSettings settings) {
    return List.copyOf(read(graph, settings).packings);
  }

  /** {@return the sizes of the weights that the session copies into its arena, by their names} */
  static Map<String, Long> arenaCopies(GraphProto graph, EngineSettings settings) {
    LoadRequests load = read(graph, settings);
    Map<Integer, Long> sizes = new HashMap<>();
    for (Request request : load.requests) {
      if (request instanceof Request.Allocate(int id, long bytes)) {
        sizes.put(id, bytes);
      }
    }
    Map<String, Long> copies = new LinkedHashMap<>();
    load.copies.forEach((name, id) -> {
      Long bytes = sizes.get(id);
      if (bytes != null && bytes > 0) {
        copies.put(name, bytes);
      }
    });
    return copies;
  }

  private static LoadRequests read(GraphProto graph, EngineSettings settings) {
    LoadRequests load = new LoadRequests(settings);
    if (settings.version().copies() == EngineVersion.Copies.SMALL_AND_BLOCKED) {
      load.findBlocked(graph);
    }
    load.copy(graph);
    load.pack(graph, false);
    return load;
  }

  /** Finds the weights that were reordered into blocks, and biases that were extended with them. */
  private void findBlocked(GraphProto graph) {
    for (NodeProto node : graph.getNodeList()) {
      if (node.getDomain().equals(BLOCKED) && node.getOpType().equals("Conv")) {
        blocked.add(node.getInput(1));
        if (node.getInputCount() > 2 && node.getInput(2).startsWith(REORDERED)) {
          blocked.add(node.getInput(2));
        }
      }
    }
  }

  private void copy(GraphProto graph) {
    graph.getInitializerList().forEach(this::copyIfNeeded);
    for (NodeProto node : graph.getNodeList()) {
      node.getInputList().forEach(name -> readers.merge(name, 1, Integer::sum));
      for (AttributeProto attribute : node.getAttributeList()) {
        if (node.getOpType().equals("Constant") && attribute.hasT()) {
          copyIfNeeded(attribute.getT());
        }
        if (attribute.hasG()) {
          copy(attribute.getG());
        }
      }
    }
  }

  private void copyIfNeeded(TensorProto tensor) {
    ValueType type = ValueType.Tensor.of(tensor.getDataType(), tensor.getDimsList());
    if (ValueBytes.of(type) instanceof ValueBytes.Known(long bytes) && isCopied(tensor, bytes)) {
      copies.put(tensor.getName(), count);
      boolean isReserved = settings.version().copies() == EngineVersion.Copies.RESERVED;
      requests.add(
          isReserved ? new Request.Reserve(count, bytes) : new Request.Allocate(count, bytes));
      count++;
      if (bytes > LARGEST_SMALL_BYTES) {
        largeCopies.add(tensor.getName());
      }
    }
  }

  private boolean isCopied(TensorProto tensor, long bytes) {
    return switch (settings.version().copies()) {
      case ALL -> true;
      case SMALL_AND_BLOCKED -> bytes <= LARGEST_SMALL_BYTES || blocked.contains(tensor.getName());
      case RESERVED -> bytes <= LARGEST_SMALL_BYTES;
    };
  }

  private void pack(GraphProto graph, boolean isBody) {
    graph.getInitializerList().forEach(tensor -> weights.put(tensor.getName(), tensor));
    for (NodeProto node : graph.getNodeList()) {
      switch (node.getOpType()) {
        case "MatMul" -> packMatrix(node, false, isBody);
        case "Gemm", "FusedGemm", "FusedMatMul" ->
            packMatrix(node, NodeAttributes.integer(node, "transB", 0) != 0, isBody);
        case "LSTM" -> packRecurrent(node, isBody);
        case "Attention" -> packAttention(node);
        case "ConvTranspose" -> transpose(node);
        default ->
            QuantizedWeights.of(node, weights, settings.cpu())
                .forEach(copy -> pack(node, copy, isBody));
      }
      for (AttributeProto attribute : node.getAttributeList()) {
        if (attribute.hasG()) {
          pack(attribute.getG(), true);
        }
      }
    }
  }

  private void pack(NodeProto node, PackedWeight copy, boolean isBody) {
    int before = count;
    if (copy.beforeBytes() > 0) {
      requests.add(new Request.Allocate(count++, copy.beforeBytes()));
    }
    switch (copy.kind()) {
      case RESERVED -> reserve(node, copy.input(), copy.bytes(), isBody);
      case ALLOCATED -> {
        requests.add(new Request.Allocate(count++, copy.bytes()));
        packings.add(new Packing(node.getInput(copy.input()), copy.bytes()));
      }
      case ADDED -> requests.add(new Request.Reserve(count++, copy.bytes()));
    }
    boolean isAdded = copy.kind() == PackedWeight.Kind.ADDED;
    if (copy.afterBytes() > 0 && (!isAdded || settings.version().convertsScalesTwice())) {
      requests.add(new Request.Reserve(count, copy.afterBytes()));
      requests.add(new Request.Free(count++));
    }
    if (copy.beforeBytes() > 0) {
      requests.add(new Request.Free(before));
    }
    if (copy.kind() == PackedWeight.Kind.RESERVED) {
      freeCopy(node.getInput(copy.input()));
    }
  }

  private void packMatrix(NodeProto node, boolean isTransposed, boolean isBody) {
    List<Long> shape = shape(node, 1);
    if (shape.size() == MATRIX) {
      long rows = shape.get(isTransposed ? 1 : 0);
      long columns = shape.get(isTransposed ? 0 : 1);
      keep(node, 1, packedBytes(rows, columns), isBody);
    }
  }

  /** Packs the weights and the recurrent weights, which are [directions, columns, rows]. */
  private void packRecurrent(NodeProto node, boolean isBody) {
    for (int input = 1; input <= 2; input++) {
      List<Long> shape = shape(node, input);
      if (shape.size() == MATRIX + 1) {
        keep(node, input, shape.get(0) * packedBytes(shape.get(2), shape.get(1)), isBody);
      }
    }
  }

  /** Packs the three matrices of an attention, [rows, 3 × heads × columns], for each head. */
  private void packAttention(NodeProto node) {
    List<Long> shape = shape(node, 1);
    long heads = NodeAttributes.integer(node, "num_heads", 0);
    if (shape.size() == MATRIX && heads > 0) {
      long columns = shape.get(1) / ATTENTION_MATRICES / heads;
      for (int i = 0; i < ATTENTION_MATRICES; i++) {
        long bytes = heads * packedBytes(shape.get(0), columns);
        requests.add(new Request.Reserve(count++, bytes));
        packings.add(new Packing(node.getInput(1), bytes));
      }
    }
  }

  private void transpose(NodeProto node) {
    List<Long> shape = shape(node, 1);
    if (!shape.isEmpty()) {
      long elements = shape.stream().mapToLong(Long::longValue).reduce(1, (a, b) -> a * b);
      requests.add(new Request.Allocate(count++, elements * Float.BYTES));
      packings.add(new Packing(node.getInput(1), elements * Float.BYTES));
    }
  }

  private void keep(NodeProto node, int input, long bytes, boolean isBody) {
    reserve(node, input, bytes, isBody);
    freeCopy(node.getInput(input));
  }

  private void reserve(NodeProto node, int input, long bytes, boolean isBody) {
    TensorProto weight = Objects.requireNonNull(weights.get(node.getInput(input)));
    ByteString data = weight.hasRawData() ? weight.getRawData() : weight.toByteString();
    requests.add(new Request.Reserve(count, bytes));
    packings.add(new Packing(weight.getName(), bytes));
    if (isBody && !packed.add(new Content(node.getOpType(), weight.getDimsList(), data))) {
      requests.add(new Request.Free(count));
    }
    count++;
  }

  /** Frees the copy of a weight if only its packed copy is read. */
  private void freeCopy(String weight) {
    Integer copy = copies.get(weight);
    if (copy != null && readers.getOrDefault(weight, 0) == 1) {
      requests.add(new Request.Free(copy));
    }
  }

  private static long packedBytes(long rows, long columns) {
    return rows * Math.ceilDiv(columns, COLUMN_MULTIPLE) * COLUMN_MULTIPLE * Float.BYTES;
  }

  /** {@return the shape of a weight; empty for other tensors and other types of elements} */
  private List<Long> shape(NodeProto node, int input) {
    TensorProto tensor = input < node.getInputCount() ? weights.get(node.getInput(input)) : null;
    return tensor != null && tensor.getDataType() == ElementType.FLOAT.code()
        ? tensor.getDimsList()
        : List.of();
  }
}
