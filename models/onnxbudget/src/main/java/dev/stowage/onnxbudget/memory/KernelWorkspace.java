package dev.stowage.onnxbudget.memory;

import static dev.stowage.onnxbudget.memory.KernelOperands.broadcast;
import static dev.stowage.onnxbudget.memory.KernelOperands.product;

import dev.stowage.onnx.graph.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The workspace of kernels that follows from the types and shapes of their operands, for operators
 * that were not measured.
 *
 * <p>The sizes are those of the CPU kernels of ONNX Runtime. {@link QuantizedWorkspace} and {@link
 * AttentionWorkspace} have the rules for quantized operators and for attention.
 */
final class KernelWorkspace {

  private static final int RANK_OF_SEQUENCES = 3;
  private static final int LSTM_GATES = 4;
  private static final int GRU_GATES = 3;

  /** The vectors of a direction of a recurrent operator: states for each sequence, and biases. */
  private static final int STATES_OF_SEQUENCES = 5;

  private static final int BIASES = 8;

  /** The floating-point numbers of a part of the unfolded input, one part for each thread. */
  private static final long UNFOLDED_PART = 128 * 128;

  /** The multiplications for which a thread is worthwhile. */
  private static final long MULTIPLICATIONS_OF_A_THREAD = 1 << 16;

  /** The first version of {@code Softmax} that works along one axis. */
  private static final int SOFTMAX_OF_AXIS = 13;

  /** The number of pixels that a deformable convolution rounds up to, and the bytes for each. */
  private static final int SAMPLED_PIXELS = 8;

  private static final int SAMPLE_BYTES = 32;

  /** The bytes of a coordinate of a linear interpolation: two indices and two factors. */
  private static final int COORDINATE_BYTES = 24;

  /**
   * The operators whose kernels request workspace, and for which there is no rule for all types and
   * attributes: those of ONNX Runtime 1.29 that ask for an allocator of temporary memory.
   */
  private static final Set<String> REQUESTING =
      Set.of(
          ":Attention",
          ":DFT",
          ":Einsum",
          ":Multinomial",
          ":Resize",
          ":STFT",
          ":Upsample",
          "ai.onnx.ml:SVMClassifier",
          "ai.onnx.ml:SVMRegressor",
          "com.microsoft:Attention",
          "com.microsoft:AttnLSTM",
          "com.microsoft:BeamSearch",
          "com.microsoft:DecoderMaskedMultiHeadAttention",
          "com.microsoft:GreedySearch",
          "com.microsoft:GroupQueryAttention",
          "com.microsoft:LinearAttention",
          "com.microsoft:MatMulBnb4",
          "com.microsoft:MatMulFpQ4",
          "com.microsoft:MatMulNBits",
          "com.microsoft:MoE",
          "com.microsoft:MultiHeadAttention",
          "com.microsoft:QAttention",
          "com.microsoft:QMoE",
          "com.microsoft:Sampling",
          "com.microsoft:SkipLayerNormalization",
          "com.microsoft:SkipSimplifiedLayerNormalization",
          "com.microsoft:SparseAttention",
          "com.microsoft:WordConvEmbedding");

  private KernelWorkspace() {}

  /** {@return true if the kernel of an operator may request workspace that no rule predicts} */
  static boolean mayBeUnknown(KernelOperands operands) {
    return REQUESTING.contains(operands.operator());
  }

  /**
   * {@return the sizes of the requests of a kernel; empty if no rule is known}
   *
   * @param operands the operator with its operands
   * @param threads the number of threads of the operator
   */
  static Optional<List<Long>> of(KernelOperands operands, int threads) {
    return floating(operands, threads)
        .or(() -> QuantizedWorkspace.of(operands))
        .or(() -> AttentionWorkspace.of(operands, threads))
        .map(sizes -> sizes.stream().filter(size -> size > 0).toList());
  }

  private static Optional<List<Long>> floating(KernelOperands operands, int threads) {
    return switch (operands.operator()) {
      case ":Conv", "com.microsoft:FusedConv" -> Optional.of(parts(operands, threads));
      case ":ConvTranspose" -> Optional.of(unfolded(operands.shape(0), operands.shape(1)));
      case ":DeformConv" -> Optional.of(sampled(operands));
      case ":LSTM", "com.microsoft:DynamicQuantizeLSTM" -> Optional.of(gates(operands, LSTM_GATES));
      case ":GRU" -> Optional.of(gates(operands, GRU_GATES));
      case ":RNN" -> Optional.of(gates(operands, 1));
      case ":LRN" -> Optional.of(squares(operands));
      case ":Hardmax", ":LogSoftmax", ":Softmax", "com.microsoft:QLinearSoftmax" ->
          Optional.of(transposed(operands));
      case ":MeanVarianceNormalization" -> Optional.of(normalized(operands));
      case ":Max", ":Mean", ":Min", ":Sum" -> Optional.of(partialResults(operands));
      case ":Where" -> Optional.of(selections(operands));
      case "com.microsoft:BiasGelu" -> Optional.of(List.of(operands.bytes(0)));
      case "com.microsoft:FastGelu" ->
          Optional.of(operands.hasInput(1) ? List.of(operands.bytes(0)) : List.of());
      case ":Resize", ":Upsample" -> interpolation(operands);
      case "com.microsoft:SkipLayerNormalization",
          "com.microsoft:SkipSimplifiedLayerNormalization" ->
          operands.isType(0, ElementType.FLOAT) ? Optional.of(List.of()) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /**
   * {@return the parts of the unfolded input of a convolution, or all of it if it has more channels
   * of output than pixels}
   *
   * <p>The kernel reads the input itself if the convolution is a matrix multiplication. In some
   * versions, each thread unfolds all of the input of an image and group.
   */
  private static List<Long> parts(KernelOperands operands, int threads) {
    List<Long> weight = operands.shape(1);
    List<Long> result = operands.resultShape();
    if (weight.size() <= 2 || result.size() != weight.size()) {
      return List.of();
    }
    long group = Math.max(1, operands.integer("group", 1));
    long filters = weight.getFirst() / group;
    long depth = product(weight.subList(1, weight.size()));
    long pixels = product(result.subList(2, result.size()));
    boolean isDirect = depth == weight.get(1) && operands.hasStridesOfOneAndNoPadding();
    if (isDirect) {
      return List.of();
    }
    if (filters > pixels) {
      return List.of(Math.multiplyExact(Float.BYTES * pixels, depth));
    }
    if (operands.graph().engine().unfoldsImagesAtOnce() && group * result.getFirst() > 1) {
      long unfolded = Math.max(UNFOLDED_PART, Math.multiplyExact(pixels, depth));
      return List.of(Math.multiplyExact((long) threads * Float.BYTES, unfolded));
    }
    double multiplications = (double) filters * pixels * depth;
    long useful = (long) (multiplications / MULTIPLICATIONS_OF_A_THREAD) + 1;
    return List.of(Float.BYTES * UNFOLDED_PART * Math.min(threads, useful));
  }

  /** {@return the bytes of a column for each element of the image: weights of one input channel} */
  private static List<Long> unfolded(List<Long> input, List<Long> weight) {
    if (input.size() <= 2 || weight.size() != input.size()) {
      return List.of();
    }
    return List.of(
        Float.BYTES
            * product(input.subList(2, input.size()))
            * product(weight.subList(1, weight.size())));
  }

  /**
   * {@return the unfolded input of an image, and the places and weights of its samples}
   *
   * <p>A sample is an element of the window of a pixel, for each group of offsets.
   */
  private static List<Long> sampled(KernelOperands operands) {
    List<Long> weight = operands.shape(1);
    List<Long> result = operands.resultShape();
    if (weight.size() <= 2 || result.size() != weight.size()) {
      return List.of();
    }
    long window = product(weight.subList(2, weight.size()));
    long pixels = product(result.subList(2, result.size()));
    long channels = operands.shape(0).get(1);
    long rounded = Math.ceilDiv(pixels, SAMPLED_PIXELS) * SAMPLED_PIXELS;
    return List.of(
        Float.BYTES * channels * window * pixels,
        SAMPLE_BYTES * operands.integer("offset_group", 1) * window * rounded);
  }

  /**
   * {@return the gates and states of each direction, the quantized input, and the reversed input
   * and result}
   */
  private static List<Long> gates(KernelOperands operands, int gateCount) {
    List<Long> input = operands.shape(0);
    if (input.size() != RANK_OF_SEQUENCES) {
      return List.of();
    }
    long hidden = operands.integer("hidden_size", 0);
    String direction = operands.text("direction");
    int directions = direction.equals("bidirectional") ? 2 : 1;
    long batch = input.get(1);
    long steps = input.get(0) * batch;
    List<Long> sizes = new ArrayList<>();
    for (int i = 0; i < directions; i++) {
      sizes.add((long) Float.BYTES * gateCount * hidden * steps);
      sizes.add(Float.BYTES * (STATES_OF_SEQUENCES * batch * hidden + BIASES * hidden + batch));
      if (operands.operator().equals("com.microsoft:DynamicQuantizeLSTM")) {
        sizes.add(input.get(2) * steps + (long) Float.BYTES * gateCount * hidden * batch);
      }
    }
    if (directions == 2 || direction.equals("reverse")) {
      sizes.add(Float.BYTES * (hidden + input.get(2)) * steps);
    }
    return sizes;
  }

  /** {@return the squares, and those of an image with channels of zeros at both ends} */
  private static List<Long> squares(KernelOperands operands) {
    List<Long> shape = operands.shape(0);
    if (shape.size() <= 2) {
      return List.of();
    }
    long channels = shape.get(1) + operands.integer("size", 1) - 1;
    return List.of(
        operands.bytes(0), Float.BYTES * channels * product(shape.subList(2, shape.size())));
  }

  /** {@return copies of the input and the result if the axis is not the last one} */
  private static List<Long> transposed(KernelOperands operands) {
    int rank = operands.shape(0).size();
    boolean isQuantized = !operands.node().isStandard();
    long version = isQuantized ? operands.integer("opset", 0) : operands.version();
    long axis = operands.integer("axis", -1);
    return version < SOFTMAX_OF_AXIS || axis == -1 || axis == rank - 1
        ? List.of()
        : List.of(operands.bytes(0), operands.bytes(0));
  }

  /** {@return copies of the input and the result if images are normalized together} */
  private static List<Long> normalized(KernelOperands operands) {
    List<Long> axes = operands.integers("axes");
    return axes.isEmpty() || axes.contains(0L)
        ? List.of(operands.bytes(0), operands.bytes(0))
        : List.of();
  }

  /** {@return the results for all inputs except the last one, of which two are live} */
  private static List<Long> partialResults(KernelOperands operands) {
    if (operands.resultElements() == 0) {
      return List.of();
    }
    long elementBytes =
        operands.graph().bytes(operands.node().proto().getOutput(0)) / operands.resultElements();
    List<Long> sizes = new ArrayList<>();
    List<Long> shape = operands.shape(0);
    for (int input = 1; input < operands.inputCount() - 1; input++) {
      shape = broadcast(shape, operands.shape(input));
      sizes.add(elementBytes * product(shape));
    }
    return sizes.subList(Math.max(0, sizes.size() - 2), sizes.size());
  }

  /** {@return the elements selected from each of two inputs} */
  private static List<Long> selections(KernelOperands operands) {
    List<Long> sizes = new ArrayList<>();
    for (int input = 1; input <= 2; input++) {
      if (operands.elements(input) > 0 && operands.elements(0) > 0) {
        long elementBytes = operands.bytes(input) / operands.elements(input);
        sizes.add(elementBytes * product(broadcast(operands.shape(0), operands.shape(input))));
      }
    }
    return sizes;
  }

  /** {@return at most the indices and factors of linear interpolation along each axis} */
  private static Optional<List<Long>> interpolation(KernelOperands operands) {
    if (operands.integer("antialias", 0) != 0) {
      return Optional.empty();
    }
    long coordinates = operands.resultShape().stream().mapToLong(Long::longValue).sum();
    return Optional.of(
        operands.text("mode").equals("linear")
            ? List.of(COORDINATE_BYTES * coordinates)
            : List.of());
  }
}
