package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import dev.stowage.tflite.model.TensorTable;
import dev.stowage.tflite.model.TfliteType;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * The scratch buffers that the reference kernels of TensorFlow Lite Micro request.
 *
 * <p>Source: the calls of {@code RequestScratchBufferInArena} in {@code
 * tensorflow/lite/micro/kernels} of tflite-micro, 2026-08, on a machine with pointers of 4 bytes.
 */
final class ReferenceScratch {

  private static final int LSTM_BUFFERS = 4;
  private static final long WORD = 4;

  private final TensorTable tensors;
  private final ModelOperator operator;
  private final List<Long> sizes = new ArrayList<>();

  private ReferenceScratch(TensorTable tensors, ModelOperator operator) {
    this.tensors = tensors;
    this.operator = operator;
  }

  /** {@return the buffers of all operators; without those of custom operators} */
  static List<ScratchBuffer> of(List<Subgraph> subgraphs) throws MalformedFileException {
    List<ScratchBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < subgraphs.size(); i++) {
      List<ModelOperator> operators = subgraphs.get(i).operators();
      for (int k = 0; k < operators.size(); k++) {
        ReferenceScratch scratch =
            new ReferenceScratch(subgraphs.get(i).tensors(), operators.get(k));
        scratch.addAll();
        for (long bytes : scratch.sizes) {
          buffers.add(new ScratchBuffer(i, k, Math.min(bytes, Integer.MAX_VALUE)));
        }
      }
    }
    return buffers;
  }

  private void addAll() throws MalformedFileException {
    switch (operator.kind().builtinCode()) {
      case BuiltinOperator.ADD_N -> add(WORD * operator.inputs().size());
      case BuiltinOperator.MEAN, BuiltinOperator.SUM -> {
        if (isInteger(inputType(0))) {
          add(WORD * elements(operator.outputs(), 0));
        }
        addAxes();
      }
      case BuiltinOperator.REDUCE_ALL, BuiltinOperator.REDUCE_MAX, BuiltinOperator.REDUCE_MIN ->
          addAxes();
      case BuiltinOperator.MIRROR_PAD -> {
        add(WORD * rank());
        add(WORD * rank());
      }
      case BuiltinOperator.SVDF -> addSvdf();
      case BuiltinOperator.UNIDIRECTIONAL_SEQUENCE_LSTM -> {
        int state = cellState();
        long elementBytes = inputType(state) == TfliteType.INT16 ? Short.BYTES : WORD;
        for (int i = 0; i < LSTM_BUFFERS; i++) {
          add(elementBytes * elements(operator.inputs(), state));
        }
      }
      case BuiltinOperator.TRANSPOSE_CONV -> addTransposedConvolution();
      case BuiltinOperator.CONV_2D,
          BuiltinOperator.DEPTHWISE_CONV_2D,
          BuiltinOperator.FULLY_CONNECTED -> {
        if (inputType(1) == TfliteType.INT4) {
          add(elements(operator.inputs(), 1));
        }
      }
      default -> {}
    }
  }

  private void addAxes() throws MalformedFileException {
    add(WORD * rank());
    add(WORD * elements(operator.inputs(), 1));
  }

  private void addSvdf() throws MalformedFileException {
    long filters = elements(operator.inputs(), 1) == 0 ? 0 : dimension(1, 0);
    add(WORD * dimension(0, 0) * filters);
    if (isInteger(inputType(0))) {
      add(WORD * elements(operator.outputs(), 0));
    }
  }

  /** {@return the index of the state of LSTM cells, the last variable that the operator reads} */
  private int cellState() throws MalformedFileException {
    for (int i = operator.inputs().size() - 1; i >= 0; i--) {
      tensors.moveTo(operator.inputs().get(i));
      if (tensors.isVariable()) {
        return i;
      }
    }
    return operator.inputs().size();
  }

  private void addTransposedConvolution() throws MalformedFileException {
    // The inputs are the shape of the result, the filter, the values and the bias.
    TfliteType type = inputType(2);
    if (type == TfliteType.INT8) {
      add(WORD * elements(operator.outputs(), 0));
    }
    if (type == TfliteType.INT16) {
      add(Long.BYTES * elements(operator.outputs(), 0));
      if (inputType(3) == TfliteType.INT16) {
        add(Long.BYTES * elements(operator.inputs(), 3));
      }
    }
  }

  private void add(long bytes) {
    sizes.add(bytes);
  }

  private static boolean isInteger(TfliteType type) {
    return type == TfliteType.INT8 || type == TfliteType.INT16;
  }

  private TfliteType inputType(int index) throws MalformedFileException {
    return moveTo(operator.inputs(), index) ? tensors.type() : TfliteType.VARIANT;
  }

  private long rank() throws MalformedFileException {
    return moveTo(operator.inputs(), 0) ? tensors.shape().size() : 0;
  }

  private long dimension(int input, int index) throws MalformedFileException {
    return moveTo(operator.inputs(), input) ? tensors.dimension(index) : 0;
  }

  /** {@return the elements of a tensor, at most 2^31 - 1; 0 if there is no such tensor} */
  private long elements(List<Integer> indices, int index) throws MalformedFileException {
    if (!moveTo(indices, index)) {
      return 0;
    }
    long count = 1;
    for (int size : tensors.shape()) {
      count = Math.min(Integer.MAX_VALUE, count * Math.max(0, size));
    }
    return count;
  }

  private boolean moveTo(List<Integer> indices, int index) throws MalformedFileException {
    if (index >= indices.size()) {
      return false;
    }
    tensors.moveTo(indices.get(index));
    return true;
  }
}
