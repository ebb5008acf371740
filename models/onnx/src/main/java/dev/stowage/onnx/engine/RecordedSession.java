package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import dev.stowage.onnx.file.OnnxFile;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import dev.stowage.onnxruntime.capi.RequestRecorder;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A session whose requests to its allocator a listener receives.
 *
 * @param model the file
 * @param dimensions the sizes of open dimensions, by name or by position as {@code input[axis]}
 * @param level the optimizations: 0 for none, 1 for basic, 2 for extended ones, 3 for all
 * @param hasPattern true for memory patterns
 * @param threadCount the number of threads in an operator
 */
public record RecordedSession(
    Path model, Map<String, Long> dimensions, int level, boolean hasPattern, int threadCount) {

  /**
   * Creates the session and runs it with zeros.
   *
   * <p>Only one thread of a process may call this method at a time, because the sessions of a
   * process have one registered allocator.
   *
   * @param runCount the number of runs
   * @param listener receives the requests
   * @return the model and the optimized model of the session
   * @throws MalformedFileException if ONNX Runtime rejects the model or an input
   * @throws IOException if the model cannot be read, or the optimized one cannot be written
   * @throws IllegalCallerException if the C API of ONNX Runtime has no native access
   * @throws LinkageError if ONNX Runtime is missing
   */
  public EngineOptimization run(int runCount, SessionListener listener) throws IOException {
    EngineEnvironment.get(); // loads the library
    OnnxRuntimeApi api = OnnxRuntimeApi.ofLoadedLibrary();
    try (EngineFolder folder = new EngineFolder("stowage-recorded");
        RequestRecorder _ = RequestRecorder.register(api, listener)) {
      Path optimized = folder.resolve("model.onnx");
      try (SessionOptions options = options(folder, optimized);
          OrtSession session = EngineEnvironment.get().createSession(model.toString(), options)) {
        listener.sessionCreated();
        try (ZeroInputs inputs = ZeroInputs.of(model, session, dimensions)) {
          for (int run = 0; run < runCount; run++) {
            inputs.run(model, session);
            listener.runEnded();
          }
        }
      } catch (OrtException e) {
        throw EngineRefusal.of(model.toString(), e);
      }
      return new EngineOptimization(OnnxFile.parse(model), OnnxFile.parse(optimized));
    }
  }

  private SessionOptions options(EngineFolder folder, Path optimized) throws OrtException {
    SessionOptions options = EngineEnvironment.options(EngineOptimization.levelOf(level));
    options.setIntraOpNumThreads(threadCount);
    options.setMemoryPatternOptimization(hasPattern);
    options.setOptimizedModelFilePath(optimized.toString());
    options.addConfigEntry("session.use_env_allocators", "1");
    // A session with a profile asks for statistics before and after each operator.
    options.enableProfiling(folder.resolve("profile").toString());
    return options;
  }
}
