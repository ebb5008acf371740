package dev.stowage.bench;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Inputs of any length for a session. The tensors of an input share one buffer. Open dimensions
 * that are not the length are 1.
 */
final class SequenceInputs {

  /** Values are smaller than this number, which is below the size of any vocabulary. */
  private static final int VALUES = 17;

  private final List<Input> inputs = new ArrayList<>();

  /** An input; the sizes of its axes are -1 if they are the length. */
  private static final class Input {

    private final String name;
    private final OnnxJavaType type;
    private final long[] axes;
    private final ByteBuffer values;

    Input(String name, OnnxJavaType type, long[] axes, ByteBuffer values) {
      this.name = name;
      this.type = type;
      this.axes = axes;
      this.values = values;
    }

    OnnxTensor ofLength(long length) throws OrtException {
      long[] shape = shape(axes, length);
      int bytes = Math.toIntExact(count(shape) * type.size);
      return OnnxTensor.createTensor(
          OrtEnvironment.getEnvironment(),
          values.slice(0, bytes).order(ByteOrder.nativeOrder()),
          shape,
          type);
    }
  }

  /**
   * Creates the buffers.
   *
   * @param dimension the name of the dimension that is the length
   * @throws IllegalArgumentException if no input has the dimension, or if an input is no tensor of
   *     numbers
   */
  SequenceInputs(OrtSession session, String dimension, int longest) throws OrtException {
    boolean isFound = false;
    for (NodeInfo input : session.getInputInfo().values()) {
      if (!(input.getInfo() instanceof TensorInfo info)) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "input '%s' must be a tensor", input.getName()));
      }
      long[] axes = axes(info, dimension);
      isFound |= Arrays.stream(axes).anyMatch(size -> size < 0);
      inputs.add(
          new Input(input.getName(), info.type, axes, values(info.type, shape(axes, longest))));
    }
    if (!isFound) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "no input has the dimension '%s': %s",
              dimension,
              session.getInputInfo()));
    }
  }

  private static long[] axes(TensorInfo info, String dimension) {
    long[] axes = info.getShape();
    for (int axis = 0; axis < axes.length; axis++) {
      boolean isLength = axes[axis] < 0 && info.getDimensionNames()[axis].equals(dimension);
      axes[axis] = isLength ? -1 : Math.max(1, axes[axis]);
    }
    return axes;
  }

  private static long[] shape(long[] axes, long length) {
    long[] shape = axes.clone();
    for (int axis = 0; axis < shape.length; axis++) {
      shape[axis] = shape[axis] < 0 ? length : shape[axis];
    }
    return shape;
  }

  private static long count(long[] shape) {
    long count = 1;
    for (long size : shape) {
      count *= size;
    }
    return count;
  }

  private static ByteBuffer values(OnnxJavaType type, long[] shape) {
    int count = Math.toIntExact(count(shape));
    ByteBuffer values = ByteBuffer.allocateDirect(count * type.size).order(ByteOrder.nativeOrder());
    for (int index = 0; index < count; index++) {
      int value = index % VALUES;
      switch (type) {
        case FLOAT -> values.putFloat((float) value / VALUES);
        case INT64 -> values.putLong(value);
        case INT32 -> values.putInt(value);
        case INT8, UINT8 -> values.put((byte) value);
        default -> throw new IllegalArgumentException("an input has type " + type);
      }
    }
    return values.flip();
  }

  /** {@return a tensor for each input; the caller closes them} */
  Map<String, OnnxTensor> ofLength(int length) throws OrtException {
    Map<String, OnnxTensor> tensors = new HashMap<>();
    for (Input input : inputs) {
      tensors.put(input.name, input.ofLength(length));
    }
    return tensors;
  }
}
