package dev.stowage.onnx.engine;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.ExecutionMode;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import ai.onnxruntime.TensorInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A profile of a session of ONNX Runtime that runs a model with zeros. */
public final class RecordedProfile {

  private RecordedProfile() {}

  /** {@return the file of the profile of a session that runs a model once for each shape} */
  public static Path of(Path model, Path folder, int level, List<Map<String, Long>> shapes)
      throws Exception {
    return of(model, folder, level, ExecutionMode.SEQUENTIAL, shapes);
  }

  /** {@return the file of the profile of a session that runs operators in parallel, once} */
  public static Path ofParallel(Path model, Path folder, Map<String, Long> shape) throws Exception {
    return of(model, folder, 0, ExecutionMode.PARALLEL, List.of(shape));
  }

  private static Path of(
      Path model, Path folder, int level, ExecutionMode mode, List<Map<String, Long>> shapes)
      throws Exception {
    OptLevel optLevel =
        List.of(OptLevel.NO_OPT, OptLevel.BASIC_OPT, OptLevel.EXTENDED_OPT, OptLevel.ALL_OPT)
            .get(level);
    try (SessionOptions options = EngineEnvironment.options(optLevel)) {
      options.setExecutionMode(mode);
      options.setInterOpNumThreads(2);
      options.setIntraOpNumThreads(1);
      options.enableProfiling(folder.resolve("profile").toString());
      try (OrtSession session = EngineEnvironment.get().createSession(model.toString(), options)) {
        for (Map<String, Long> shape : shapes) {
          run(session, shape);
        }
        return Path.of(session.endProfiling());
      }
    }
  }

  private static void run(OrtSession session, Map<String, Long> sizes) throws OrtException {
    Map<String, OnnxTensor> inputs = new HashMap<>();
    for (NodeInfo input : session.getInputInfo().values()) {
      TensorInfo type = (TensorInfo) input.getInfo();
      long[] shape = type.getShape();
      long bytes = type.type.size;
      for (int axis = 0; axis < shape.length; axis++) {
        String place = input.getName() + "[" + axis + "]";
        String name = type.getDimensionNames()[axis];
        shape[axis] =
            shape[axis] >= 0
                ? shape[axis]
                : sizes.getOrDefault(place, sizes.getOrDefault(name, 1L));
        bytes *= shape[axis];
      }
      ByteBuffer zeros =
          ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
      inputs.put(
          input.getName(),
          OnnxTensor.createTensor(EngineEnvironment.get(), zeros, shape, type.type));
    }
    session.run(inputs).close();
    inputs.values().forEach(OnnxTensor::close);
  }
}
