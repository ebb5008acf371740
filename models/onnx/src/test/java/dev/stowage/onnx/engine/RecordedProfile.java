package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.ExecutionMode;
import java.nio.file.Path;
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
    try (SessionOptions options = EngineEnvironment.options(EngineOptimization.levelOf(level))) {
      options.setExecutionMode(mode);
      options.setInterOpNumThreads(2);
      options.setIntraOpNumThreads(1);
      options.enableProfiling(folder.resolve("profile").toString());
      try (OrtSession session = EngineEnvironment.get().createSession(model.toString(), options)) {
        for (Map<String, Long> shape : shapes) {
          try (ZeroInputs inputs = ZeroInputs.of(model, session, shape)) {
            inputs.run(model, session);
          }
        }
        return Path.of(session.endProfiling());
      }
    }
  }
}
