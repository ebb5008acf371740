package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.TfliteType;
import java.util.ArrayList;
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

  private final OperatorTensors tensors;
  private final List<Long> sizes = new ArrayList<>();

  private ReferenceScratch(OperatorTensors tensors) {
    this.tensors = tensors;
  }

  /** {@return the bytes of the buffers, in the order of the requests; none of custom operators} */
  static List<Long> of(OperatorTensors tensors) throws MalformedFileException {
    ReferenceScratch scratch = new ReferenceScratch(tensors);
    scratch.addAll();
    return scratch.sizes;
  }

  private void addAll() throws MalformedFileException {
    switch (tensors.builtinCode()) {
      case BuiltinOperator.ADD_N -> add(WORD * tensors.operator().inputs().size());
      case BuiltinOperator.MEAN, BuiltinOperator.SUM -> {
        if (OperatorTensors.isInteger(tensors.inputType(0))) {
          add(WORD * tensors.outputElements());
        }
        addAxes();
      }
      case BuiltinOperator.REDUCE_ALL, BuiltinOperator.REDUCE_MAX, BuiltinOperator.REDUCE_MIN ->
          addAxes();
      case BuiltinOperator.MIRROR_PAD -> {
        long rank = tensors.inputShape(0).size();
        add(WORD * rank);
        add(WORD * rank);
      }
      case BuiltinOperator.SVDF -> addSvdf();
      case BuiltinOperator.UNIDIRECTIONAL_SEQUENCE_LSTM -> {
        int state = cellState();
        long elementBytes = tensors.inputType(state) == TfliteType.INT16 ? Short.BYTES : WORD;
        for (int i = 0; i < LSTM_BUFFERS; i++) {
          add(elementBytes * tensors.inputElements(state));
        }
      }
      case BuiltinOperator.TRANSPOSE_CONV -> addTransposedConvolution();
      case BuiltinOperator.CONV_2D,
          BuiltinOperator.DEPTHWISE_CONV_2D,
          BuiltinOperator.FULLY_CONNECTED -> {
        if (tensors.inputType(1) == TfliteType.INT4) {
          add(tensors.inputElements(1)); // the unpacked filter
        }
      }
      default -> {}
    }
  }

  private void addAxes() throws MalformedFileException {
    add(WORD * tensors.inputShape(0).size());
    add(WORD * tensors.inputElements(1));
  }

  private void addSvdf() throws MalformedFileException {
    long filters = tensors.inputElements(1) == 0 ? 0 : tensors.table().dimension(0);
    add(
        filters == 0 || !tensors.moveToInput(0)
            ? 0
            : WORD * tensors.table().dimension(0) * filters);
    if (OperatorTensors.isInteger(tensors.inputType(0))) {
      add(WORD * tensors.outputElements());
    }
  }

  /** {@return the index of the state of LSTM cells, the last variable that the operator reads} */
  private int cellState() throws MalformedFileException {
    int count = tensors.operator().inputs().size();
    for (int i = count - 1; i >= 0; i--) {
      if (tensors.moveToInput(i) && tensors.table().isVariable()) {
        return i;
      }
    }
    return count;
  }

  private void addTransposedConvolution() throws MalformedFileException {
    // The inputs are the shape of the result, the filter, the values and the bias.
    TfliteType type = tensors.inputType(2);
    if (type == TfliteType.INT8) {
      add(WORD * tensors.outputElements());
    }
    if (type == TfliteType.INT16) {
      add(Long.BYTES * tensors.outputElements());
      if (tensors.inputType(3) == TfliteType.INT16) {
        add(Long.BYTES * tensors.inputElements(3));
      }
    }
  }

  private void add(long bytes) {
    sizes.add(bytes);
  }
}
