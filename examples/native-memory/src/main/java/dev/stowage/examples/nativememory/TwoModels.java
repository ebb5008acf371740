package dev.stowage.examples.nativememory;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.TensorInfo;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.examples.nativememory.Figures.Loaded;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.OnnxRuntimeAllocator;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two models that run in turn in one process: a language model and a network of images. */
public final class TwoModels {

  private static final String IMAGE_MODEL = "examples/tiny_cnn.onnx";
  private static final int TEXTS = 32;
  private static final int TOKENS = 256;
  private static final int IMAGES = 1_000;

  private TwoModels() {}

  /**
   * Compares an arena for each session with one allocator.
   *
   * @param args optionally the number of runs
   */
  public static void main(String[] args) throws Exception {
    Comparison.main(args, TwoModels.class, 4, List.of("defaults", "stowage"), TwoModels::serve);
  }

  private static Figures serve(String way, int runs) throws Exception {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (SessionOptions options = new SessionOptions()) {
      if (way.equals("defaults")) {
        return serve(environment, options, runs, () -> {});
      }
      try (HostMemory host = HostMemory.open();
          OnnxRuntimeAllocator allocator =
              OnnxRuntimeAllocator.register("models", host, BfcOptions.expandable())) {
        allocator.configure(options);
        return serve(environment, options, runs, allocator::trim);
      }
    }
  }

  private static Figures serve(
      OrtEnvironment environment, SessionOptions options, int runs, Runnable trim)
      throws Exception {
    MiniLm files = MiniLm.unpacked();
    try (OrtSession texts = environment.createSession(files.model().toString(), options);
        OrtSession pictures = environment.createSession(IMAGE_MODEL, options)) {
      Loaded loaded = Loaded.now();
      for (int run = 0; run < runs; run++) {
        run(environment, run % 2 == 0 ? texts : pictures);
      }
      trim.run();
      return loaded.after(runs);
    }
  }

  private static void run(OrtEnvironment environment, OrtSession session) throws OrtException {
    Map<String, OnnxTensor> inputs = new HashMap<>();
    try {
      for (NodeInfo input : session.getInputInfo().values()) {
        inputs.put(input.getName(), ones(environment, (TensorInfo) input.getInfo()));
      }
      session.run(inputs).close();
    } finally {
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  private static OnnxTensor ones(OrtEnvironment environment, TensorInfo info) throws OrtException {
    boolean isText = info.type == OnnxJavaType.INT64;
    long[] shape = info.getShape();
    shape[0] = isText ? TEXTS : IMAGES;
    if (isText) {
      shape[1] = TOKENS;
      long[] values = new long[TEXTS * TOKENS];
      Arrays.fill(values, 1);
      return OnnxTensor.createTensor(environment, LongBuffer.wrap(values), shape);
    }
    int count = Math.toIntExact(Arrays.stream(shape).reduce(1, Math::multiplyExact));
    return OnnxTensor.createTensor(environment, FloatBuffer.allocate(count), shape);
  }
}
