package dev.stowage.onnxruntime;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** ONNX Runtime sessions and inputs for tests. */
final class Engine {

  private static final long SEED = 42;

  private Engine() {}

  /** Skips a test with an older version of ONNX Runtime. */
  static void require123() {
    OrtEnvironment.getEnvironment(); // loads the library
    assumeTrue(
        OnnxRuntimeApi.ofLoadedLibrary().hasStatistics(), "needs ONNX Runtime 1.23 or newer");
  }

  /** {@return a session with ONNX Runtime's own arena} */
  static OrtSession session(byte[] model) throws OrtException {
    try (OrtSession.SessionOptions options = options()) {
      return OrtEnvironment.getEnvironment().createSession(model, options);
    }
  }

  /** {@return a session on an allocator} */
  static OrtSession session(byte[] model, OnnxRuntimeAllocator allocator) throws OrtException {
    try (OrtSession.SessionOptions options = options()) {
      allocator.configure(options);
      return OrtEnvironment.getEnvironment().createSession(model, options);
    }
  }

  private static OrtSession.SessionOptions options() throws OrtException {
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setIntraOpNumThreads(2);
    options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
    return options;
  }

  /** {@return random values for an input of some rows and columns} */
  static OnnxTensor rows(int rows) throws OrtException {
    return random(rows, TinyModel.COLUMNS);
  }

  /** {@return random values for every input; open dimensions are 1} */
  static Map<String, OnnxTensor> inputs(OrtSession session) throws OrtException {
    Map<String, OnnxTensor> inputs = new HashMap<>();
    for (NodeInfo input : session.getInputInfo().values()) {
      long[] shape = ((TensorInfo) input.getInfo()).getShape();
      for (int axis = 0; axis < shape.length; axis++) {
        shape[axis] = Math.max(1, shape[axis]);
      }
      inputs.put(input.getName(), random(shape));
    }
    return inputs;
  }

  static OnnxTensor random(long... shape) throws OrtException {
    Random random = new Random(SEED);
    long count = 1;
    for (long size : shape) {
      count *= size;
    }
    float[] values = new float[Math.toIntExact(count)];
    for (int index = 0; index < values.length; index++) {
      values[index] = random.nextFloat();
    }
    return OnnxTensor.createTensor(
        OrtEnvironment.getEnvironment(), FloatBuffer.wrap(values), shape);
  }

  /** {@return the values of all outputs of a run} */
  static List<float[]> run(OrtSession session, Map<String, OnnxTensor> inputs) throws OrtException {
    try (OrtSession.Result result = session.run(inputs)) {
      return values(result);
    }
  }

  static List<float[]> values(OrtSession.Result result) {
    List<float[]> values = new ArrayList<>();
    for (Map.Entry<String, OnnxValue> output : result) {
      FloatBuffer buffer = ((OnnxTensor) output.getValue()).getFloatBuffer();
      float[] copy = new float[buffer.remaining()];
      buffer.get(copy);
      values.add(copy);
    }
    return values;
  }
}
