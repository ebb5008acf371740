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
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Inputs for any model: random floats, and zeros for other types. */
final class OnnxRuntimeInputs {

  private static final long SEED = 1;

  private OnnxRuntimeInputs() {}

  /** {@return a tensor for each input of a session; open dimensions are 1} */
  static Map<String, OnnxTensor> of(OrtSession session) throws OrtException {
    Map<String, OnnxTensor> inputs = new HashMap<>();
    for (NodeInfo input : session.getInputInfo().values()) {
      if (!(input.getInfo() instanceof TensorInfo info)) {
        throw new IllegalArgumentException(
            String.format(Locale.ROOT, "input '%s' must be a tensor", input.getName()));
      }
      inputs.put(input.getName(), tensor(info));
    }
    return inputs;
  }

  private static OnnxTensor tensor(TensorInfo info) throws OrtException {
    long[] shape = info.getShape();
    long count = 1;
    for (int axis = 0; axis < shape.length; axis++) {
      shape[axis] = Math.max(1, shape[axis]);
      count *= shape[axis];
    }
    ByteBuffer values =
        ByteBuffer.allocateDirect(Math.toIntExact(count * info.type.size))
            .order(ByteOrder.nativeOrder());
    if (info.type == OnnxJavaType.FLOAT) {
      Random random = new Random(SEED);
      while (values.hasRemaining()) {
        values.putFloat(random.nextFloat());
      }
      values.flip();
    }
    return OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), values, shape, info.type);
  }
}
