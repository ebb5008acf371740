package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import ai.onnxruntime.TensorInfo;
import dev.stowage.onnx.graph.ValueType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * A run of a whole model in ONNX Runtime, in its own memory.
 *
 * @param outputs the outputs, which this run closes
 * @param peakBytes the peak of the bytes of intermediate tensors, if requested
 * @param peakFailure the reason why a requested peak is unknown
 */
record WholeRun(OrtSession.Result outputs, OptionalLong peakBytes, Optional<String> peakFailure)
    implements AutoCloseable {

  private static final String BEFORE_END = "stopped in ONNX Runtime's own run of the model";

  /** The session entry with the folder of the other files of a model that is passed as bytes. */
  private static final String EXTERNAL_WEIGHTS =
      "session.model_external_initializers_file_folder_path";

  /**
   * {@return a run without optimizations, with the peak of its memory}
   *
   * @param model the file
   * @param instead a model that replaces it, with the same weights
   * @throws CancellationException if the caller stops the run
   */
  static WholeRun asWritten(
      Path model, Optional<ModelProto> instead, Map<String, OnnxTensor> inputs, EngineStop stop)
      throws IOException, OrtException {
    try (SessionOptions options = EngineEnvironment.options(OptLevel.NO_OPT);
        ProfileFile profile = ProfileFile.create()) {
      options.enableProfiling(profile.prefix().toString());
      try (OrtSession session = session(model, instead, options)) {
        profile.take();
        OrtSession.Result outputs = run(session, inputs, session.getOutputNames(), stop);
        session.endProfiling();
        return withPeak(outputs, profile);
      }
    }
  }

  private static WholeRun withPeak(OrtSession.Result outputs, ProfileFile profile) {
    try {
      return new WholeRun(outputs, profile.peakBytes(), Optional.empty());
    } catch (IOException e) {
      return new WholeRun(
          outputs, OptionalLong.empty(), Optional.of(String.valueOf(e.getMessage())));
    }
  }

  private static OrtSession.Result run(
      OrtSession session, Map<String, OnnxTensor> inputs, Set<String> names, EngineStop stop)
      throws OrtException {
    stop.check(BEFORE_END);
    try {
      return session.run(inputs, names, stop.options());
    } catch (OrtException e) {
      stop.check(BEFORE_END);
      throw e;
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

  /**
   * {@return a run with default optimizations}
   *
   * @throws CancellationException if the caller stops the run
   */
  static WholeRun optimized(Path model, Map<String, OnnxTensor> inputs, EngineStop stop)
      throws OrtException {
    try (SessionOptions options = EngineEnvironment.options(OptLevel.ALL_OPT);
        OrtSession session = EngineEnvironment.get().createSession(model.toString(), options)) {
      OrtSession.Result outputs = run(session, inputs, session.getOutputNames(), stop);
      return new WholeRun(outputs, OptionalLong.empty(), Optional.empty());
    }
  }

  /**
   * {@return the types of tensors in a run}
   *
   * @param model the model, with all its weights
   * @param names the tensors
   * @throws CancellationException if the caller stops the run
   */
  static Map<String, ValueType> typesOf(
      ModelProto model, Map<String, OnnxTensor> inputs, List<String> names, EngineStop stop)
      throws OrtException {
    GraphProto.Builder graph = model.getGraph().toBuilder();
    Set<String> outputs = new HashSet<>();
    graph.getOutputList().forEach(output -> outputs.add(output.getName()));
    names.stream()
        .filter(outputs::add)
        .forEach(name -> graph.addOutput(ValueInfoProto.newBuilder().setName(name)));
    byte[] bytes = model.toBuilder().setGraph(graph).build().toByteArray();
    Map<String, ValueType> types = new HashMap<>();
    try (SessionOptions options = EngineEnvironment.options(OptLevel.NO_OPT);
        OrtSession session = EngineEnvironment.get().createSession(bytes, options);
        OrtSession.Result result = run(session, inputs, Set.copyOf(names), stop)) {
      for (Map.Entry<String, OnnxValue> output : result) {
        if (output.getValue().getInfo() instanceof TensorInfo tensor) {
          EngineTypes.typeOf(tensor).ifPresent(type -> types.put(output.getKey(), type));
        }
      }
    }
    return types;
  }

  @Override
  public void close() {
    outputs.close();
  }
}
