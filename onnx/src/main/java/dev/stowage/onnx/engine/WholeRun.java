package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import ai.onnxruntime.TensorInfo;
import dev.stowage.onnx.graph.ValueType;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A run of a whole model by the engine alone, in memory of its own.
 *
 * @param outputs what it gave, to be closed
 * @param peakBytes the most bytes of intermediates that it had in use, where it was asked to say so
 */
record WholeRun(OrtSession.Result outputs, OptionalLong peakBytes) implements AutoCloseable {

  /** The session's entry that says where the other files of a model lie that comes as bytes. */
  private static final String EXTERNAL_WEIGHTS =
      "session.model_external_initializers_file_folder_path";

  /**
   * {@return a run that does what the file says, operator by operator, with its peak of memory}
   *
   * @param model the file
   * @param instead a model to run in its place, with the same weights
   */
  static WholeRun asWritten(
      Path model, Optional<ModelProto> instead, Map<String, OnnxTensor> inputs)
      throws IOException, OrtException {
    Path folder = Files.createTempDirectory("stowage-profile");
    try (SessionOptions options = options(OptLevel.NO_OPT)) {
      options.enableProfiling(folder.resolve("run").toString());
      try (OrtSession session = session(model, instead, options)) {
        OrtSession.Result outputs = session.run(inputs);
        return new WholeRun(outputs, EngineProfile.peakBytes(Path.of(session.endProfiling())));
      }
    } finally {
      delete(folder);
    }
  }

  private static OrtSession session(
      Path model, Optional<ModelProto> instead, SessionOptions options) throws OrtException {
    if (instead.isEmpty()) {
      return EngineEnvironment.get().createSession(model.toString(), options);
    }
    Path folder = model.toAbsolutePath().normalize().resolveSibling("");
    options.addConfigEntry(EXTERNAL_WEIGHTS, folder.toString());
    return EngineEnvironment.get().createSession(instead.get().toByteArray(), options);
  }

  /** {@return a run with the engine's default optimizations} */
  static WholeRun optimized(Path model, Map<String, OnnxTensor> inputs) throws OrtException {
    try (SessionOptions options = options(OptLevel.ALL_OPT);
        OrtSession session = EngineEnvironment.get().createSession(model.toString(), options)) {
      return new WholeRun(session.run(inputs), OptionalLong.empty());
    }
  }

  /**
   * {@return the types that tensors have in a run}
   *
   * @param model the model, with all its weights
   * @param names the tensors
   */
  static Map<String, ValueType> typesOf(
      ModelProto model, Map<String, OnnxTensor> inputs, List<String> names) throws OrtException {
    GraphProto.Builder graph = model.getGraph().toBuilder();
    Set<String> outputs = new HashSet<>();
    graph.getOutputList().forEach(output -> outputs.add(output.getName()));
    names.stream()
        .filter(outputs::add)
        .forEach(name -> graph.addOutput(ValueInfoProto.newBuilder().setName(name)));
    byte[] bytes = model.toBuilder().setGraph(graph).build().toByteArray();
    Map<String, ValueType> types = new HashMap<>();
    try (SessionOptions options = options(OptLevel.NO_OPT);
        OrtSession session = EngineEnvironment.get().createSession(bytes, options);
        OrtSession.Result result = session.run(inputs, Set.copyOf(names))) {
      for (Map.Entry<String, OnnxValue> output : result) {
        if (output.getValue().getInfo() instanceof TensorInfo tensor) {
          EngineTypes.typeOf(tensor).ifPresent(type -> types.put(output.getKey(), type));
        }
      }
    }
    return types;
  }

  /** {@return options under which the engine computes one thing in one way, and is silent} */
  static SessionOptions options(OptLevel level) throws OrtException {
    SessionOptions options = new SessionOptions();
    options.setOptimizationLevel(level);
    options.setIntraOpNumThreads(1);
    options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
    return options;
  }

  private static void delete(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  @Override
  public void close() {
    outputs.close();
  }
}
