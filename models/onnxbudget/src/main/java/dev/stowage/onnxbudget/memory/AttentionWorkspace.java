package dev.stowage.onnxbudget.memory;

import dev.stowage.onnx.graph.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The workspace of attention kernels for 32-bit floating-point numbers, by the kernels of ONNX
 * Runtime 1.29. Those of older versions request more, and have no rule.
 */
final class AttentionWorkspace {

  private static final int PROJECTIONS = 3;
  private static final int RANK_OF_SEQUENCES = 3;
  private static final int LENGTH_OF_PAST = 3;

  /** The parameters of a matrix multiplication, of which there is one for each head. */
  private static final int PARAMETERS_BYTES = 64;

  private AttentionWorkspace() {}

  /** {@return the sizes of the requests of a kernel; empty if no rule is known} */
  static Optional<List<Long>> of(KernelOperands operands, int threads) {
    if (!operands.graph().engine().hasRulesOfAttention()) {
      return Optional.empty();
    }
    return switch (operands.operator()) {
      case "com.microsoft:Attention" -> projected(operands, 3, 4);
      case "com.microsoft:QAttention" -> projected(operands, 5, 8);
      case "com.microsoft:MultiHeadAttention" -> separate(operands, threads);
      case ":Attention" -> standard(operands);
      default -> Optional.empty();
    };
  }

  /**
   * {@return the workspace of a kernel that multiplies its input with the weights: the queries,
   * keys and values, the mask, the probabilities, and the result of each head}
   */
  private static Optional<List<Long>> projected(KernelOperands operands, int mask, int past) {
    List<Long> input = operands.shape(0);
    List<Long> weight = operands.shape(1);
    List<Long> result = operands.resultShape();
    long heads = operands.integer("num_heads", 0);
    boolean isKnown =
        operands.isType(0, ElementType.FLOAT) || operands.isType(0, ElementType.UINT8);
    if (!isKnown || input.size() != RANK_OF_SEQUENCES || weight.size() != 2 || heads <= 0) {
      return Optional.empty();
    }
    long batch = input.get(0);
    long length = input.get(1);
    long pastLength =
        operands.shape(past).size() > LENGTH_OF_PAST ? operands.shape(past).get(LENGTH_OF_PAST) : 0;
    long total = length + pastLength;
    boolean isCausal = operands.integer("unidirectional", 0) != 0;
    List<Long> sizes = new ArrayList<>();
    sizes.add(Float.BYTES * batch * length * weight.get(1));
    if (isCausal || operands.hasInput(mask)) {
      boolean isOfKeys = !isCausal && operands.shape(mask).size() <= 2;
      sizes.add(Float.BYTES * batch * (isOfKeys ? 1 : length) * total);
    }
    sizes.add(Float.BYTES * batch * heads * length * total);
    sizes.add(PARAMETERS_BYTES * batch * heads);
    long columns = result.isEmpty() ? weight.get(1) / PROJECTIONS : result.getLast();
    sizes.add(Float.BYTES * batch * length * columns);
    return Optional.of(sizes);
  }

  /**
   * {@return the workspace of a kernel for queries, keys and values: their transposed copies, and a
   * block of probabilities for each thread or all of them}
   *
   * <p>The blocks depend on the cache of the processor; their largest size counts.
   */
  private static Optional<List<Long>> separate(KernelOperands operands, int threads) {
    List<Long> queries = operands.shape(0);
    List<Long> keys = operands.shape(1);
    List<Long> values = operands.shape(2);
    long heads = operands.integer("num_heads", 0);
    boolean isSplit = queries.size() == RANK_OF_SEQUENCES && keys.size() >= RANK_OF_SEQUENCES;
    boolean hasPast = operands.hasInput(6) || operands.hasInput(7);
    if (!operands.isType(0, ElementType.FLOAT) || !isSplit || hasPast || heads <= 0) {
      return Optional.empty();
    }
    int bias = 3;
    int keyMask = 4;
    boolean hasBias = operands.hasInput(bias);
    long batch = queries.get(0);
    long length = queries.get(1);
    long total = keys.size() == RANK_OF_SEQUENCES ? keys.get(1) : keys.get(2);
    long width = queries.get(2);
    long valueWidth = values.isEmpty() ? width : operands.elements(2) / (batch * total);
    List<Long> sizes = new ArrayList<>();
    sizes.add(Float.BYTES * batch * length * width);
    if (keys.size() == RANK_OF_SEQUENCES) {
      sizes.add(operands.bytes(1));
      sizes.add(operands.bytes(2));
    }
    if (hasBias) { // the sum before it is transposed
      sizes.add(Float.BYTES * batch * Math.max(length, total) * Math.max(width, valueWidth));
      sizes.add((long) PARAMETERS_BYTES);
    }
    if (operands.hasInput(keyMask)) {
      long lengthOfMask = operands.shape(keyMask).size() <= 2 ? 1 : length;
      sizes.add(Float.BYTES * batch * lengthOfMask * total);
    }
    boolean hasBlocks = !operands.hasInput(keyMask) && !operands.hasInput(keyMask + 1);
    if (hasBlocks) {
      long rows = Math.min(length, (width + valueWidth) / heads);
      sizes.add((long) threads * Float.BYTES * rows * (2 + total + valueWidth / heads));
    } else {
      sizes.add(Float.BYTES * batch * heads * length * total);
      sizes.add(PARAMETERS_BYTES * batch * heads);
      sizes.add(Float.BYTES * batch * length * valueWidth);
    }
    return Optional.of(sizes);
  }

  /** {@return the workspace of the operator of the standard: the probabilities and the mask} */
  private static Optional<List<Long>> standard(KernelOperands operands) {
    List<Long> queries = operands.shape(0);
    List<Long> keys = operands.shape(1);
    boolean isSplit = queries.size() == RANK_OF_SEQUENCES;
    long heads = isSplit || queries.isEmpty() ? operands.integer("q_num_heads", 0) : queries.get(1);
    int mask = 3;
    int past = 4;
    boolean hasShapes = queries.size() >= RANK_OF_SEQUENCES && keys.size() == queries.size();
    if (!operands.isType(0, ElementType.FLOAT) || !hasShapes || operands.hasInput(past)) {
      return Optional.empty();
    }
    int axis = isSplit ? 1 : 2;
    long length = queries.get(axis);
    long total = keys.get(axis);
    List<Long> sizes = new ArrayList<>();
    sizes.add(Float.BYTES * queries.getFirst() * heads * length * total);
    boolean isCausal = operands.integer("is_causal", 0) != 0;
    if (isCausal || operands.isType(mask, ElementType.BOOL)) {
      sizes.add(Float.BYTES * Math.max(length * total, operands.elements(mask)));
    }
    return Optional.of(sizes);
  }
}
