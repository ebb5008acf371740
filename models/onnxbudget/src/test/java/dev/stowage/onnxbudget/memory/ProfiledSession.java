package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.TensorInfo;
import dev.stowage.onnx.engine.ProfiledModel;
import dev.stowage.onnx.profile.NodeStatistics;
import dev.stowage.onnx.profile.ProfileEventParser;
import dev.stowage.onnx.profile.ProfileReader;
import dev.stowage.onnx.profile.ProfiledOperator;
import dev.stowage.onnx.profile.ServiceProfile;
import java.io.BufferedReader;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A session of ONNX Runtime with the default options and one thread that ran a model with zeros.
 *
 * @param optimized the graph that it ran
 * @param events its profile
 * @param arena the largest statistics of its arena
 * @param operators all executions of operators in the profile
 * @param statistics its node memory statistics
 */
record ProfiledSession(
    ModelProto optimized,
    String events,
    ServiceProfile.ArenaUse arena,
    List<ProfiledOperator> operators,
    NodeStatistics statistics) {

  /** {@return a session that runs a model once for each shape} */
  static ProfiledSession of(
      Path model, Path folder, EngineSettings settings, List<Map<String, Long>> shapes)
      throws Exception {
    Path optimized = folder.resolve("optimized.onnx");
    Path statistics = folder.resolve("statistics.csv");
    Path profile;
    try (SessionOptions options = new SessionOptions()) {
      options.setOptimizationLevel(levelOf(settings.optimizationLevel()));
      options.setIntraOpNumThreads(settings.threads());
      options.setMemoryPatternOptimization(settings.hasPattern());
      options.setOptimizedModelFilePath(optimized.toString());
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      options.enableProfiling(folder.resolve("profile").toString());
      options.addConfigEntry("session.collect_node_memory_stats_to_file", statistics.toString());
      try (OrtSession session =
          OrtEnvironment.getEnvironment().createSession(model.toString(), options)) {
        for (Map<String, Long> shape : shapes) {
          run(session, shape);
        }
        profile = Path.of(session.endProfiling());
      }
    }
    List<ProfiledOperator> operators = new ArrayList<>();
    String events = Files.readString(profile);
    ProfileEventParser.parse(
        "profile", new StringReader(events), (operator, _) -> operators.add(operator));
    try (BufferedReader lines = Files.newBufferedReader(statistics)) {
      return new ProfiledSession(
          ModelProto.parseFrom(Files.readAllBytes(optimized)),
          events,
          ProfileReader.read("profile", new StringReader(events), _ -> Map.of()).arena(),
          operators,
          NodeStatistics.read("statistics", lines));
    }
  }

  /** {@return the model with the profile} */
  ProfiledModel of(Path model) throws Exception {
    return ProfiledModel.of(model, "profile", new StringReader(events));
  }

  private static SessionOptions.OptLevel levelOf(int level) {
    return switch (level) {
      case 0 -> SessionOptions.OptLevel.NO_OPT;
      case 1 -> SessionOptions.OptLevel.BASIC_OPT;
      case 2 -> SessionOptions.OptLevel.EXTENDED_OPT;
      default -> SessionOptions.OptLevel.ALL_OPT;
    };
  }

  private static void run(OrtSession session, Map<String, Long> dimensions) throws Exception {
    Map<String, OnnxTensor> inputs = new HashMap<>();
    try {
      for (NodeInfo input : session.getInputInfo().values()) {
        TensorInfo type = (TensorInfo) input.getInfo();
        long[] shape = type.getShape();
        long bytes = type.type.size;
        for (int axis = 0; axis < shape.length; axis++) {
          shape[axis] =
              shape[axis] < 0
                  ? Objects.requireNonNull(dimensions.get(type.getDimensionNames()[axis]))
                  : shape[axis];
          bytes *= shape[axis];
        }
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder());
        inputs.put(
            input.getName(),
            OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), zeros, shape, type.type));
      }
      try (OrtSession.Result result = session.run(inputs)) {
        result.size();
      }
    } finally {
      inputs.values().forEach(OnnxTensor::close);
    }
  }
}
