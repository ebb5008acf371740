package dev.stowage.onnx.engine;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.stowage.plan.MalformedFileException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Inputs of a session, tensors of zeros in memory outside the heap. */
final class ZeroInputs implements AutoCloseable {

  private final Map<String, OnnxTensor> tensors = new LinkedHashMap<>();

  private ZeroInputs() {}

  /**
   * {@return the inputs of a session}
   *
   * @param model the file in messages
   * @param session the session
   * @param dimensions the sizes of open dimensions, by name or by position as {@code input[axis]}
   * @throws MalformedFileException if an input is not a tensor of numbers with known dimensions
   * @throws OrtException if ONNX Runtime rejects a tensor
   */
  static ZeroInputs of(Path model, OrtSession session, Map<String, Long> dimensions)
      throws MalformedFileException, OrtException {
    ZeroInputs inputs = new ZeroInputs();
    for (NodeInfo input : session.getInputInfo().values()) {
      inputs.tensors.put(input.getName(), zeros(model, input, dimensions));
    }
    return inputs;
  }

  private static OnnxTensor zeros(Path model, NodeInfo input, Map<String, Long> dimensions)
      throws MalformedFileException, OrtException {
    if (!(input.getInfo() instanceof TensorInfo tensor)
        || tensor.type == OnnxJavaType.STRING
        || tensor.type == OnnxJavaType.UNKNOWN) {
      throw rejected(model, input, "is not a tensor of numbers, expected one");
    }
    long[] shape = tensor.getShape();
    long bytes = tensor.type.size;
    for (int axis = 0; axis < shape.length; axis++) {
      shape[axis] = size(input.getName(), tensor, axis, dimensions);
      if (shape[axis] < 0) {
        throw rejected(
            model,
            input,
            String.format(Locale.ROOT, "leaves dimension %d open, expected --dim", axis));
      }
      bytes = Math.multiplyExact(bytes, shape[axis]);
    }
    ByteBuffer buffer =
        ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    return OnnxTensor.createTensor(EngineEnvironment.get(), buffer, shape, tensor.type);
  }

  private static long size(
      String input, TensorInfo tensor, int axis, Map<String, Long> dimensions) {
    if (tensor.getShape()[axis] >= 0) {
      return tensor.getShape()[axis];
    }
    Long byPosition = dimensions.get(String.format(Locale.ROOT, "%s[%d]", input, axis));
    return byPosition != null
        ? byPosition
        : dimensions.getOrDefault(tensor.getDimensionNames()[axis], -1L);
  }

  private static MalformedFileException rejected(Path model, NodeInfo input, String problem) {
    return new MalformedFileException(
        model.toString(),
        String.format(Locale.ROOT, "input '%s'", MalformedFileException.excerpt(input.getName())),
        problem);
  }

  /**
   * Runs a session with the inputs, and closes its outputs.
   *
   * @throws MalformedFileException if the run fails
   */
  void run(Path model, OrtSession session) throws MalformedFileException {
    try (OrtSession.Result outputs = session.run(tensors)) {
      outputs.size();
    } catch (OrtException e) {
      throw EngineRefusal.of(model.toString(), e);
    }
  }

  /** Closes a session. */
  static void close(OrtSession session) {
    try {
      session.close();
    } catch (OrtException e) {
      throw new AssertionError("a session failed to close: " + Arrays.asList(e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    tensors.values().forEach(OnnxTensor::close);
  }
}
