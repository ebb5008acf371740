package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.Convolution;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import dev.stowage.tflite.model.TensorTable;
import dev.stowage.tflite.model.TfliteType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * A request of a kernel of esp-tflite-micro for a buffer of which ESP-NN determines the size. The
 * kernel requests the buffers of the reference kernel first.
 *
 * <p>Source: {@code tensorflow/lite/micro/kernels/esp_nn/{conv,depthwise_conv,softmax}.cc} of
 * esp-tflite-micro 1.4.0. Its other kernels request no such buffers.
 *
 * @param subgraph the subgraph of the operator
 * @param operator the operator
 * @param builtinCode the code of the operator
 * @param shape the arguments
 */
record EspNnRequest(int subgraph, int operator, int builtinCode, EspNnShape shape) {

  private static final int RANK = 4;
  private static final long UINT16 = 0xFFFF;

  /** {@return the requests of a model} */
  static List<EspNnRequest> allOf(List<Subgraph> subgraphs) throws MalformedFileException {
    List<EspNnRequest> requests = new ArrayList<>();
    for (int i = 0; i < subgraphs.size(); i++) {
      List<ModelOperator> operators = subgraphs.get(i).operators();
      for (int k = 0; k < operators.size(); k++) {
        int code = operators.get(k).kind().builtinCode();
        Optional<EspNnShape> shape = shape(subgraphs.get(i).tensors(), operators.get(k));
        if (shape.isPresent()) {
          requests.add(new EspNnRequest(i, k, code, shape.get()));
        }
      }
    }
    return requests;
  }

  /** {@return the buffer; empty if the kernel requests none} */
  Optional<ScratchBuffer> buffer(EspNn kernels) {
    long bytes = kernels.bytes(builtinCode, shape);
    return bytes == 0
        ? Optional.empty()
        : Optional.of(new ScratchBuffer(subgraph, operator, bytes));
  }

  private static Optional<EspNnShape> shape(TensorTable tensors, ModelOperator operator)
      throws MalformedFileException {
    if (operator.inputs().isEmpty() || operator.outputs().isEmpty()) {
      return Optional.empty();
    }
    List<Integer> input = shapeOfInt8(tensors, operator.inputs().getFirst());
    boolean isConvolution =
        operator.convolution().isPresent()
            && operator.inputs().size() > 1
            && input.size() == RANK
            && (operator.kind().builtinCode() == BuiltinOperator.CONV_2D
                || operator.kind().builtinCode() == BuiltinOperator.DEPTHWISE_CONV_2D);
    if (isConvolution) {
      tensors.moveTo(operator.inputs().get(1));
      List<Integer> filter = tensors.shape();
      tensors.moveTo(operator.outputs().getFirst());
      List<Integer> output = tensors.shape();
      return filter.size() == RANK && output.size() == RANK
          ? Optional.of(
              shape(
                  operator.convolution().get(),
                  operator.kind().builtinCode() == BuiltinOperator.DEPTHWISE_CONV_2D,
                  input,
                  filter,
                  output))
          : Optional.empty();
    }
    // The kernel passes dimensions 1 and 2 of a softmax, and not the last one.
    return operator.kind().builtinCode() == BuiltinOperator.SOFTMAX
            && input.size() > 1
            && !shapeOfInt8(tensors, operator.outputs().getFirst()).isEmpty()
        ? Optional.of(EspNnShape.ofSoftmax(input.get(1)))
        : Optional.empty();
  }

  /** {@return the dimensions of a tensor of 8-bit integers; empty for other tensors} */
  private static List<Integer> shapeOfInt8(TensorTable tensors, int index)
      throws MalformedFileException {
    tensors.moveTo(index);
    return tensors.type() == TfliteType.INT8 ? tensors.shape() : List.of();
  }

  /** {@return the arguments, which the functions convert to 16 bits, except for some results} */
  private static EspNnShape shape(
      Convolution options,
      boolean isDepthwise,
      List<Integer> input,
      List<Integer> filter,
      List<Integer> output) {
    long resultMask = isDepthwise ? UINT16 : -1;
    return new EspNnShape(
        size(input, UINT16),
        input.get(3) & UINT16,
        size(filter, UINT16),
        size(output, resultMask),
        output.get(3) & UINT16,
        new EspNnShape.Size(options.strideWidth(), options.strideHeight()),
        new EspNnShape.Size(
            padding(input, filter, output, 2, options.strideWidth(), options.dilationWidth()),
            padding(input, filter, output, 1, options.strideHeight(), options.dilationHeight())),
        options.multiplier());
  }

  private static EspNnShape.Size size(List<Integer> shape, long mask) {
    return new EspNnShape.Size(shape.get(2) & mask, shape.get(1) & mask);
  }

  /** {@return half of the elements that the filter reads outside of the input, rounded down} */
  private static long padding(
      List<Integer> input,
      List<Integer> filter,
      List<Integer> output,
      int axis,
      long stride,
      long dilation) {
    long end = (output.get(axis) - 1) * stride + (filter.get(axis) - 1) * dilation + 1;
    return Math.max(0, end - input.get(axis)) / 2;
  }
}
