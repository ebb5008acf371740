package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.TfliteType;
import java.util.Collections;
import java.util.List;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * The scratch buffers that the reference kernel of an operator in TensorFlow Lite Micro requests.
 *
 * <p>Source: the calls of {@code RequestScratchBufferInArena} in {@code
 * tensorflow/lite/micro/kernels} of tflite-micro, 2026-08, on a machine with pointers of 4 bytes.
 */
final class ReferenceScratch {

  private static final int LSTM_BUFFERS = 4;
  private static final long WORD = 4;

  private ReferenceScratch() {}

  /** {@return the bytes of the buffers, in the order of the requests; none of custom operators} */
  static List<Long> of(OperatorTensors tensors) throws MalformedFileException {
    long shapeBytes = WORD * tensors.inputShape(0).size();
    return switch (tensors.builtinCode()) {
      case BuiltinOperator.ADD_N -> List.of(WORD * tensors.operator().inputs().size());
      case BuiltinOperator.MEAN, BuiltinOperator.SUM -> {
        long axesBytes = WORD * tensors.inputElements(1);
        yield OperatorTensors.isInteger(tensors.inputType(0))
            ? List.of(WORD * tensors.outputElements(), shapeBytes, axesBytes)
            : List.of(shapeBytes, axesBytes);
      }
      case BuiltinOperator.REDUCE_ALL, BuiltinOperator.REDUCE_MAX, BuiltinOperator.REDUCE_MIN ->
          List.of(shapeBytes, WORD * tensors.inputElements(1));
      case BuiltinOperator.MIRROR_PAD -> List.of(shapeBytes, shapeBytes);
      case BuiltinOperator.SVDF -> svdf(tensors);
      case BuiltinOperator.UNIDIRECTIONAL_SEQUENCE_LSTM -> {
        int state = cellState(tensors);
        long elementBytes = tensors.inputType(state) == TfliteType.INT16 ? Short.BYTES : WORD;
        yield Collections.nCopies(LSTM_BUFFERS, elementBytes * tensors.inputElements(state));
      }
      case BuiltinOperator.TRANSPOSE_CONV -> transposedConvolution(tensors);
      case BuiltinOperator.CONV_2D,
          BuiltinOperator.DEPTHWISE_CONV_2D,
          BuiltinOperator.FULLY_CONNECTED -> // the unpacked filter
          tensors.inputType(1) == TfliteType.INT4 ? List.of(tensors.inputElements(1)) : List.of();
      default -> List.of();
    };
  }

  private static List<Long> svdf(OperatorTensors tensors) throws MalformedFileException {
    long filters = tensors.inputElements(1) == 0 ? 0 : tensors.table().dimension(0);
    long batches = tensors.moveToInput(0) ? tensors.table().dimension(0) : 0;
    return OperatorTensors.isInteger(tensors.inputType(0))
        ? List.of(WORD * batches * filters, WORD * tensors.outputElements())
        : List.of(WORD * batches * filters);
  }

  /** {@return the index of the state of LSTM cells, the last variable that the operator reads} */
  private static int cellState(OperatorTensors tensors) throws MalformedFileException {
    int count = tensors.operator().inputs().size();
    for (int i = count - 1; i >= 0; i--) {
      if (tensors.moveToInput(i) && tensors.table().isVariable()) {
        return i;
      }
    }
    return count;
  }

  /** The inputs are the shape of the result, the filter, the values and the bias. */
  private static List<Long> transposedConvolution(OperatorTensors tensors)
      throws MalformedFileException {
    long count = tensors.outputElements();
    return switch (tensors.inputType(2)) {
      case INT8 -> List.of(WORD * count);
      case INT16 ->
          tensors.inputType(3) == TfliteType.INT16
              ? List.of(Long.BYTES * count, Long.BYTES * tensors.inputElements(3))
              : List.of(Long.BYTES * count);
      default -> List.of();
    };
  }
}
