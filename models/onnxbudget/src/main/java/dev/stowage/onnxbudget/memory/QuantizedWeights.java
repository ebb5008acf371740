package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.NodeAttributes;
import dev.stowage.onnxbudget.memory.PackedWeight.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The copies that quantized operators make of their weights, by the kernels of ONNX Runtime 1.29
 * for x86-64.
 *
 * <p>These kernels multiply unsigned inputs only. If a model has signed ones, its kernels do not
 * pack matrices.
 */
final class QuantizedWeights {

  private static final int MATRIX = 2;
  private static final int DIRECTIONS_AND_MATRIX = 3;
  private static final int ATTENTION_MATRICES = 3;

  /** The level of accuracy at which a kernel multiplies integers. */
  private static final int INTEGER_LEVEL = 4;

  private static final int SMALLEST_BLOCK = 16;
  private static final int LARGEST_BLOCK = 256;

  private final NodeProto node;
  private final Map<String, TensorProto> weights;
  private final QuantizedPacking packing;

  private QuantizedWeights(NodeProto node, Map<String, TensorProto> weights, CpuClass cpu) {
    this.node = node;
    this.weights = weights;
    this.packing = new QuantizedPacking(cpu);
  }

  /**
   * {@return the copies of an operator; none for other operators}
   *
   * @param node the operator
   * @param weights the initializers
   * @param cpu the processor
   */
  static List<PackedWeight> of(NodeProto node, Map<String, TensorProto> weights, CpuClass cpu) {
    QuantizedWeights rules = new QuantizedWeights(node, weights, cpu);
    return switch (node.getOpType()) {
      case "MatMulInteger" -> rules.matrix(1, 2);
      case "MatMulIntegerToFloat" -> rules.matrix(1, 4);
      case "DynamicQuantizeMatMul" -> rules.matrix(1, node.getInputCount());
      case "QLinearMatMul", "QGemm" -> rules.matrix(3, 2);
      case "QLinearConv" -> rules.convolution();
      case "QAttention" -> rules.attention();
      case "DynamicQuantizeLSTM" -> rules.recurrent();
      case "MatMulNBits" -> rules.blocks();
      default -> List.of();
    };
  }

  private List<PackedWeight> matrix(int input, int zeroPoint) {
    Optional<TensorProto> weight = bytes(input);
    if (weight.isEmpty() || weight.get().getDimsCount() != MATRIX || isSigned(zeroPoint)) {
      return List.of();
    }
    boolean isTransposed = NodeAttributes.integer(node, "transB", 0) != 0;
    long rows = weight.get().getDims(isTransposed ? 1 : 0);
    long columns = weight.get().getDims(isTransposed ? 0 : 1);
    long packed = packing.matrixBytes(rows, columns, isSigned(input));
    long transposed = isTransposed ? rows * columns : 0;
    if (packed == 0) {
      // The kernel transposes the weight before it asks for the size of the copy.
      return isTransposed
          ? List.of(new PackedWeight(input, transposed, 0, Kind.ADDED, 0))
          : List.of();
    }
    return List.of(new PackedWeight(input, transposed, packed, Kind.RESERVED, 0));
  }

  private List<PackedWeight> convolution() {
    Optional<TensorProto> weight = bytes(3);
    long groups = Math.max(1, NodeAttributes.integer(node, "group", 0));
    if (weight.isEmpty() || weight.get().getDimsCount() <= MATRIX) {
      return List.of();
    }
    List<Long> shape = weight.get().getDimsList();
    if (shape.getFirst() % groups != 0) {
      return List.of();
    }
    long inputs = shape.get(1);
    long outputs = shape.getFirst() / groups;
    long window = product(shape.subList(2, shape.size()));
    boolean isUnsigned = !isSigned(2);
    long symmetric = symmetricBytes();
    if (symmetric > 0) {
      return List.of(new PackedWeight(3, 0, symmetric, Kind.ALLOCATED, 0));
    }
    long packed = packing.matrixBytes(inputs * window, outputs, isSigned(3));
    if (packed > 0 && isUnsigned && (inputs != 1 || outputs != 1)) {
      return List.of(
          new PackedWeight(3, 0, groups * packed, Kind.RESERVED, outputs * inputs * window));
    }
    return List.of(PackedWeight.of(3, product(shape)));
  }

  /** {@return the bytes of weights for the symmetric kernel; 0 if another kernel runs} */
  private long symmetricBytes() {
    List<Long> shape = bytes(3).map(TensorProto::getDimsList).orElse(List.of());
    long groups = Math.max(1, NodeAttributes.integer(node, "group", 0));
    boolean isCandidate =
        !isSigned(2) && isSigned(3) && isZero(5) && tensor(2).isPresent() && shape.size() > MATRIX;
    return isCandidate && shape.getFirst() % groups == 0
        ? packing.symmetricBytes(
            groups,
            shape.get(1),
            shape.getFirst() / groups,
            product(shape.subList(2, shape.size())))
        : 0;
  }

  /**
   * {@return true if a {@code QLinearConv} has the kernel for weights with zero points of 0}
   *
   * @param node the operator
   * @param weights the initializers
   * @param cpu the processor
   */
  static boolean isSymmetric(NodeProto node, Map<String, TensorProto> weights, CpuClass cpu) {
    return new QuantizedWeights(node, weights, cpu).symmetricBytes() > 0;
  }

  /**
   * {@return true if a {@code MatMulNBits} packs its weights}
   *
   * @param node the operator
   * @param weights the initializers
   * @param cpu the processor
   */
  static boolean arePacked(NodeProto node, Map<String, TensorProto> weights, CpuClass cpu) {
    QuantizedWeights rules = new QuantizedWeights(node, weights, cpu);
    return rules.arePacked() && rules.blockBytes(isInteger(node)) > 0;
  }

  /** {@return true if a {@code MatMulNBits} multiplies integers} */
  static boolean isInteger(NodeProto node) {
    return NodeAttributes.integer(node, "accuracy_level", 0) == INTEGER_LEVEL;
  }

  /** Packs the three matrices, [rows, 3 × heads × columns], for each head. */
  private List<PackedWeight> attention() {
    Optional<TensorProto> weight = bytes(1);
    long heads = NodeAttributes.integer(node, "num_heads", 0);
    if (weight.isEmpty() || weight.get().getDimsCount() != MATRIX || heads <= 0) {
      return List.of();
    }
    long columns = weight.get().getDims(1) / ATTENTION_MATRICES / heads;
    long packed = packing.matrixBytes(weight.get().getDims(0), columns, isSigned(1));
    return packed == 0
        ? List.of()
        : List.of(PackedWeight.of(1, ATTENTION_MATRICES * heads * packed));
  }

  /** Packs the weights and the recurrent weights, which are [directions, rows, columns]. */
  private List<PackedWeight> recurrent() {
    List<PackedWeight> packed = new ArrayList<>();
    for (int input = 1; input <= 2; input++) {
      Optional<TensorProto> weight = bytes(input);
      if (weight.isPresent() && weight.get().getDimsCount() == DIRECTIONS_AND_MATRIX) {
        List<Long> shape = weight.get().getDimsList();
        long matrix = packing.matrixBytes(shape.get(1), shape.get(2), isSigned(input));
        if (matrix > 0) {
          packed.add(PackedWeight.of(input, shape.getFirst() * matrix));
        }
      }
    }
    return packed;
  }

  /** Packs weights in blocks, and converts scales and biases of 16 bits. */
  private List<PackedWeight> blocks() {
    List<PackedWeight> copies = new ArrayList<>();
    boolean isInteger = isInteger(node);
    long packed = arePacked() ? blockBytes(isInteger) : 0;
    if (packed > 0) {
      copies.add(PackedWeight.of(1, packed));
    }
    for (int input : List.of(2, 5)) { // scales and bias
      if (convertedBytes(input) > 0) {
        // The scales are converted a second time to be packed with the weights.
        long again = input == 2 && isInteger && packed > 0 ? convertedBytes(input) : 0;
        copies.add(new PackedWeight(input, 0, convertedBytes(input), Kind.ADDED, again));
      }
    }
    return copies;
  }

  private boolean arePacked() {
    long block = NodeAttributes.integer(node, "block_size", 0);
    boolean hasKernel =
        block >= SMALLEST_BLOCK && block <= LARGEST_BLOCK && Long.bitCount(block) == 1;
    boolean hasOrder = hasInput(4);
    boolean hasOtherZeroPoints = hasInput(3) && type(3) != ElementType.UINT8.code();
    return hasKernel && bytes(1).isPresent() && !hasOrder && !hasOtherZeroPoints;
  }

  private long blockBytes(boolean isInteger) {
    return packing.blockBytes(
        NodeAttributes.integer(node, "K", 0),
        NodeAttributes.integer(node, "N", 0),
        NodeAttributes.integer(node, "bits", 0),
        NodeAttributes.integer(node, "block_size", 0),
        isInteger);
  }

  /** {@return the bytes of a 16-bit weight in 32 bits; 0 for other types} */
  private long convertedBytes(int input) {
    return tensor(input)
        .filter(tensor -> tensor.getDataType() == ElementType.FLOAT16.code())
        .map(tensor -> Float.BYTES * product(tensor.getDimsList()))
        .orElse(0L);
  }

  private boolean hasInput(int input) {
    return input < node.getInputCount() && !node.getInput(input).isEmpty();
  }

  private Optional<TensorProto> tensor(int input) {
    return hasInput(input)
        ? Optional.ofNullable(weights.get(node.getInput(input)))
        : Optional.empty();
  }

  /** {@return an initializer of bytes} */
  private Optional<TensorProto> bytes(int input) {
    return tensor(input)
        .filter(tensor ->
            tensor.getDataType() == ElementType.INT8.code()
                || tensor.getDataType() == ElementType.UINT8.code());
  }

  private int type(int input) {
    return tensor(input).map(TensorProto::getDataType).orElse(0);
  }

  private boolean isSigned(int input) {
    return type(input) == ElementType.INT8.code();
  }

  private boolean isZero(int input) {
    return tensor(input)
        .map(tensor ->
            tensor.hasRawData()
                ? tensor
                    .getRawData()
                    .equals(ByteString.copyFrom(new byte[tensor.getRawData().size()]))
                : tensor.getInt32DataList().stream().allMatch(value -> value == 0))
        .orElse(false);
  }

  private static long product(List<Long> dimensions) {
    return dimensions.stream().mapToLong(Long::longValue).reduce(1, Math::multiplyExact);
  }
}
