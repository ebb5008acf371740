package dev.stowage.onnx.memory;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import ai.onnxruntime.TensorInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The requests of a session and of its first runs.
 *
 * @param optimized the model that the session wrote
 * @param load the requests while the session was created
 * @param runs the requests of each run, in parts of operators and others
 */
record RecordedRuns(ModelProto optimized, List<Request> load, List<List<List<Request>>> runs) {

  private static final int RUN_COUNT = 2;

  static SessionOptions options(EngineSettings settings) throws OrtException {
    SessionOptions options = new SessionOptions();
    options.setOptimizationLevel(
        settings.optimizationLevel() == 0 ? OptLevel.NO_OPT : OptLevel.ALL_OPT);
    options.setIntraOpNumThreads(settings.threads());
    options.setMemoryPatternOptimization(settings.hasPattern());
    options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
    return options;
  }

  static RecordedRuns of(
      EngineRecorder recorder,
      Path model,
      Map<String, Long> dimensions,
      EngineSettings settings,
      Path folder)
      throws OrtException, IOException {
    Path optimized = folder.resolve("optimized.onnx");
    try (SessionOptions options = options(settings)) {
      options.setOptimizedModelFilePath(optimized.toString());
      options.addConfigEntry("session.use_env_allocators", "1");
      options.enableProfiling(folder.resolve("profile").toString());
      recorder.take();
      List<List<List<Request>>> runs = new ArrayList<>();
      List<Request> load;
      try (OrtSession session =
          OrtEnvironment.getEnvironment().createSession(model.toString(), options)) {
        load = flat(recorder.take());
        Map<String, OnnxTensor> inputs = inputs(session, dimensions);
        for (int run = 0; run < RUN_COUNT; run++) {
          session.run(inputs).close();
          runs.add(recorder.take());
        }
        inputs.values().forEach(OnnxTensor::close);
      }
      ModelProto written = ModelProto.parseFrom(Files.readAllBytes(optimized));
      Files.delete(optimized);
      return new RecordedRuns(written, load, runs);
    }
  }

  /** {@return zeros for every input} */
  static Map<String, OnnxTensor> inputs(OrtSession session, Map<String, Long> dimensions)
      throws OrtException {
    Map<String, OnnxTensor> inputs = new HashMap<>();
    for (NodeInfo input : session.getInputInfo().values()) {
      TensorInfo info = (TensorInfo) input.getInfo();
      long[] shape = info.getShape();
      long count = 1;
      for (int axis = 0; axis < shape.length; axis++) {
        if (shape[axis] < 0) {
          shape[axis] =
              dimensions.getOrDefault(
                  info.getDimensionNames()[axis],
                  dimensions.getOrDefault(input.getName() + "[" + axis + "]", 1L));
        }
        count *= shape[axis];
      }
      ByteBuffer zeros =
          ByteBuffer.allocateDirect(Math.toIntExact(count * info.type.size))
              .order(ByteOrder.nativeOrder());
      inputs.put(
          input.getName(),
          OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), zeros, shape, info.type));
    }
    return inputs;
  }

  static List<Request> flat(List<List<Request>> parts) {
    return parts.stream().flatMap(List::stream).toList();
  }

  /** {@return the requests of each operator in the first run} */
  List<List<Request>> operators() {
    List<List<Request>> operators = new ArrayList<>();
    for (int part = 1; part < runs.getFirst().size(); part += 2) {
      operators.add(runs.getFirst().get(part));
    }
    return operators;
  }

  /** {@return all requests} */
  List<Request> all() {
    List<Request> all = new ArrayList<>(load);
    runs.forEach(run -> all.addAll(flat(run)));
    return all;
  }

  /** {@return all requests except those for workspaces} */
  List<Request> withoutWorkspaces() {
    List<Request> kept = new ArrayList<>(load);
    for (List<List<Request>> run : runs) {
      for (int part = 0; part < run.size(); part++) {
        Set<Integer> own = part % 2 == 1 ? own(run.get(part)) : Set.of();
        for (Request request : run.get(part)) {
          if (!own.contains(id(request))) {
            kept.add(request);
          }
        }
      }
    }
    return kept;
  }

  /** {@return the requests that a part makes and frees} */
  private static Set<Integer> own(List<Request> part) {
    Set<Integer> made = new HashSet<>();
    Set<Integer> own = new HashSet<>();
    for (Request request : part) {
      if (request instanceof Request.Free(int id)) {
        if (made.contains(id)) {
          own.add(id);
        }
      } else {
        made.add(id(request));
      }
    }
    return own;
  }

  private static int id(Request request) {
    return switch (request) {
      case Request.Reserve(int id, long bytes) -> id;
      case Request.Allocate(int id, long bytes) -> id;
      case Request.Free(int id) -> id;
    };
  }
}
