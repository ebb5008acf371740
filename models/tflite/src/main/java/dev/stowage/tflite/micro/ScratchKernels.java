package dev.stowage.tflite.micro;

import dev.stowage.tflite.model.OperatorKind;
import dev.stowage.tflite.model.TfliteType;
import java.util.Set;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * The operators whose kernels in TensorFlow Lite Micro request scratch buffers.
 *
 * <p>Source: the calls of {@code RequestScratchBufferInArena} in {@code
 * tensorflow/lite/micro/kernels} of tflite-micro, 2026-08. The sizes depend on the kernels, so that
 * the table has none.
 */
enum ScratchKernels {
  /** The kernels of the operator request none. */
  NONE,

  /** The reference kernel requests scratch buffers, and so do the optimized ones. */
  REFERENCE,

  /** Only optimized kernels request scratch buffers, for example those of CMSIS-NN or Xtensa. */
  OPTIMIZED,

  /** The kernel of a custom operator is not known. */
  CUSTOM;

  private static final Set<Integer> ALWAYS =
      Set.of(
          BuiltinOperator.ADD_N,
          BuiltinOperator.MEAN,
          BuiltinOperator.MIRROR_PAD,
          BuiltinOperator.REDUCE_ALL,
          BuiltinOperator.REDUCE_MAX,
          BuiltinOperator.REDUCE_MIN,
          BuiltinOperator.SUM,
          BuiltinOperator.SVDF,
          BuiltinOperator.UNIDIRECTIONAL_SEQUENCE_LSTM);

  /** Operators whose reference kernel unpacks filters of 4 bits into a scratch buffer. */
  private static final Set<Integer> WITH_FILTER =
      Set.of(
          BuiltinOperator.CONV_2D,
          BuiltinOperator.DEPTHWISE_CONV_2D,
          BuiltinOperator.FULLY_CONNECTED);

  private static final Set<Integer> OTHERS_OF_INTEGERS =
      Set.of(
          BuiltinOperator.AVERAGE_POOL_2D,
          BuiltinOperator.BATCH_MATMUL,
          BuiltinOperator.MAX_POOL_2D,
          BuiltinOperator.SOFTMAX);

  /**
   * {@return the kernels of an operator that request scratch buffers}
   *
   * @param kind the kind of the operator
   * @param resultType the type of its first result, whose values it computes
   * @param filterType the type of its second input
   */
  static ScratchKernels of(OperatorKind kind, TfliteType resultType, TfliteType filterType) {
    int builtinCode = kind.builtinCode();
    boolean isInteger = resultType == TfliteType.INT8 || resultType == TfliteType.INT16;
    if (builtinCode == BuiltinOperator.CUSTOM) {
      return kind.isDecode() ? NONE : CUSTOM;
    }
    if (ALWAYS.contains(builtinCode)
        || (builtinCode == BuiltinOperator.TRANSPOSE_CONV && isInteger)
        || (WITH_FILTER.contains(builtinCode) && filterType == TfliteType.INT4)) {
      return REFERENCE;
    }
    boolean isOptimized =
        WITH_FILTER.contains(builtinCode) || OTHERS_OF_INTEGERS.contains(builtinCode);
    return isOptimized && isInteger ? OPTIMIZED : NONE;
  }
}
