package dev.stowage.onnx.engine;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import dev.stowage.plan.MalformedFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Sessions of a model with the options of a service: all optimizations, memory patterns and the
 * arena.
 *
 * <p>Each session has inputs of its own in memory outside the heap, filled with zeros.
 */
public final class ServiceSessions implements AutoCloseable {

  private final Path model;
  private final Map<String, Long> dimensions;
  private final int threadCount;
  private final List<OrtSession> sessions = new ArrayList<>();
  private final List<ZeroInputs> inputs = new ArrayList<>();

  /**
   * Creates a service without sessions. The first one starts the environment of the process.
   *
   * @param model the file
   * @param dimensions the sizes of open dimensions, by name or by position as {@code input[axis]}
   * @param threadCount the number of threads in an operator
   */
  public ServiceSessions(Path model, Map<String, Long> dimensions, int threadCount) {
    this.model = model;
    this.dimensions = Map.copyOf(dimensions);
    this.threadCount = threadCount;
    EngineEnvironment.get();
  }

  /** {@return the version of ONNX Runtime} */
  public static String version() {
    return EngineEnvironment.get().getVersion();
  }

  /**
   * Creates a further session.
   *
   * @throws MalformedFileException if ONNX Runtime rejects the model
   */
  public void addSession() throws MalformedFileException {
    try (SessionOptions options = EngineEnvironment.options(OptLevel.ALL_OPT)) {
      options.setIntraOpNumThreads(threadCount);
      sessions.add(EngineEnvironment.get().createSession(model.toString(), options));
    } catch (OrtException e) {
      throw EngineRefusal.of(model.toString(), e);
    }
  }

  /**
   * Creates the inputs of all sessions.
   *
   * @throws MalformedFileException if an input is not a tensor of numbers with known dimensions
   */
  public void createInputs() throws MalformedFileException {
    try {
      for (OrtSession session : sessions) {
        inputs.add(ZeroInputs.of(model, session, dimensions));
      }
    } catch (OrtException e) {
      throw EngineRefusal.of(model.toString(), e);
    }
  }

  /**
   * Runs each session once, one after the other.
   *
   * @throws MalformedFileException if a run fails
   */
  public void run() throws MalformedFileException {
    for (int i = 0; i < sessions.size(); i++) {
      inputs.get(i).run(model, sessions.get(i));
    }
  }

  @Override
  public void close() {
    inputs.forEach(ZeroInputs::close);
    sessions.forEach(ZeroInputs::close);
  }
}
