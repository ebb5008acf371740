package dev.stowage.onnxbudget.memory;

import static dev.stowage.onnxbudget.memory.KernelOperands.product;

import dev.stowage.onnx.graph.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The workspace of kernels for 8-bit and 4-bit numbers, by the kernels of ONNX Runtime 1.29 for
 * x86-64.
 */
final class QuantizedWorkspace {

  private static final int LARGEST_RANK_IN_PARTS = 2;
  private static final int WEIGHT_OF_CONVOLUTION = 3;

  /** The pixels of the result that a maximum over windows computes at a time. */
  private static final long POOLED_PIXELS = 512;

  private static final int ALIGNMENT_BYTES = 64;

  /** The scale and the sum of a block of quantized numbers. */
  private static final int BLOCK_HEADER_BYTES = 8;

  private QuantizedWorkspace() {}

  /** {@return the sizes of the requests of a kernel; empty if no rule is known} */
  static Optional<List<Long>> of(KernelOperands operands) {
    return switch (operands.operator()) {
      case ":ConvInteger" -> Optional.of(integerConvolution(operands));
      case ":QLinearConv", "com.microsoft:QLinearConv" -> Optional.of(convolution(operands));
      case ":QLinearMatMul" -> Optional.of(List.of(Integer.BYTES * operands.resultElements()));
      case "com.microsoft:QGemm" -> Optional.of(matrixProduct(operands));
      case "com.microsoft:DynamicQuantizeMatMul" -> Optional.of(List.of(operands.elements(0)));
      case "com.microsoft:QLinearAveragePool" ->
          Optional.of(List.of(Float.BYTES * operands.elements(0)));
      case "com.microsoft:NhwcMaxPool" -> Optional.of(maximum(operands));
      case "com.microsoft:MatMulNBits" -> blocks(operands);
      default -> Optional.empty();
    };
  }

  /** {@return the unfolded input of a group} */
  private static List<Long> integerConvolution(KernelOperands operands) {
    List<Long> weight = operands.shape(1);
    List<Long> result = operands.resultShape();
    if (weight.size() <= 2 || result.size() != weight.size() || isDirect(operands, weight)) {
      return List.of();
    }
    return List.of(
        product(weight.subList(1, weight.size())) * product(result.subList(2, result.size())));
  }

  private static boolean isDirect(KernelOperands operands, List<Long> weight) {
    return product(weight.subList(2, weight.size())) == 1 && operands.hasStridesOfOneAndNoPadding();
  }

  /**
   * {@return the reordered weights if they are not constant, the sums, the input and the result
   * with channels last, and the unfolded input or pointers to its pixels}
   */
  private static List<Long> convolution(KernelOperands operands) {
    List<Long> weight = operands.shape(WEIGHT_OF_CONVOLUTION);
    List<Long> result = operands.resultShape();
    if (weight.size() <= 2 || result.size() != weight.size()) {
      return List.of();
    }
    long groups = Math.max(1, operands.integer("group", 1));
    long pixels = operands.resultElements() / Math.max(1, result.getFirst() * weight.getFirst());
    long window = product(weight.subList(2, weight.size()));
    boolean isSymmetric =
        QuantizedWeights.isSymmetric(operands.node().proto(), operands.weights(), operands.cpu());
    boolean isDepthwise = weight.get(1) == 1 && weight.getFirst() == groups;
    List<Long> sizes = new ArrayList<>();
    if (!operands.isConstant(WEIGHT_OF_CONVOLUTION)) {
      sizes.add(product(weight));
    }
    if (!isSymmetric) {
      sizes.add(Integer.BYTES * weight.getFirst() * pixels);
    }
    boolean isChannelsLast = operands.integer("channels_last", 0) != 0;
    if (!isChannelsLast) {
      sizes.add(operands.elements(0) / Math.max(1, operands.shape(0).getFirst()));
      sizes.add(weight.getFirst() * pixels);
    }
    if (isDepthwise || (isSymmetric && !isDirect(operands, weight))) {
      // The symmetric kernel computes all images together if it need not transpose them.
      long images = isSymmetric && isChannelsLast ? result.getFirst() : 1;
      sizes.add(Long.BYTES * window * pixels * images);
    } else if (!isDirect(operands, weight)) {
      boolean isInParts = weight.size() - 2 <= LARGEST_RANK_IN_PARTS;
      sizes.add((isInParts ? 1 : groups) * weight.get(1) * window * pixels);
    }
    return sizes;
  }

  /** {@return the 32-bit result, which the kernel requests only for a quantized result} */
  private static List<Long> matrixProduct(KernelOperands operands) {
    int resultZeroPoint = 8;
    return operands.hasInput(resultZeroPoint)
        ? List.of(Integer.BYTES * operands.resultElements())
        : List.of();
  }

  /** {@return the pointers to the pixels of windows} */
  private static List<Long> maximum(KernelOperands operands) {
    List<Long> result = operands.resultShape();
    if (result.size() <= 2) {
      return List.of();
    }
    long pixels = Math.min(POOLED_PIXELS, product(result.subList(1, result.size() - 1)));
    return List.of(Long.BYTES * product(operands.integers("kernel_shape")) * pixels);
  }

  /**
   * {@return the quantized input for packed weights, else the weights as floating-point numbers}
   */
  private static Optional<List<Long>> blocks(KernelOperands operands) {
    long rows = operands.integer("K", 0);
    long block = operands.integer("block_size", 0);
    if (!operands.isType(0, ElementType.FLOAT) || rows <= 0 || block <= 0) {
      return Optional.empty();
    }
    if (!QuantizedWeights.arePacked(operands.node().proto(), operands.weights(), operands.cpu())) {
      return Optional.of(List.of(Float.BYTES * operands.integer("N", 0) * rows));
    }
    if (!QuantizedWeights.isInteger(operands.node().proto())) {
      return Optional.of(List.of());
    }
    long blocks = Math.ceilDiv(rows, block);
    long quantized = operands.elements(0) / rows * blocks * (block + BLOCK_HEADER_BYTES);
    return Optional.of(
        List.of(Math.ceilDiv(quantized, ALIGNMENT_BYTES) * ALIGNMENT_BYTES + ALIGNMENT_BYTES - 1));
  }
}
