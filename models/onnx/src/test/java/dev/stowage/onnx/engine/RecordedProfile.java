package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import dev.stowage.onnx.profile.ProfileReader;
import dev.stowage.onnx.profile.ServiceProfile;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A profile of a session of ONNX Runtime that runs a model with zeros. */
public final class RecordedProfile {

  private RecordedProfile() {}

  /** {@return the file of the profile of a session that runs a model once for each shape} */
  public static Path of(Path model, Path folder, int level, List<Map<String, Long>> shapes)
      throws Exception {
    try (SessionOptions options = EngineEnvironment.options(EngineOptimization.levelOf(level))) {
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

  /** {@return the runs of a profile} */
  public static ServiceProfile read(Path file) throws Exception {
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      return ProfileReader.read(file.getFileName().toString(), reader);
    }
  }
}
