package dev.stowage.onnxbudget;

import dev.stowage.onnx.engine.ServiceSessions;
import dev.stowage.plan.MalformedFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A service that runs a model in sessions of ONNX Runtime with default options, to measure its
 * memory. Inputs are zeros in memory outside the heap.
 */
public final class ModelService implements AutoCloseable {

  private final ServiceSessions sessions;

  /**
   * Creates a service without sessions, and loads ONNX Runtime.
   *
   * @param model the file
   * @param dimensions the sizes of open dimensions, by name or by position as {@code input[axis]}
   * @param threads the number of threads of each session
   * @throws LinkageError if ONNX Runtime is missing
   */
  public ModelService(Path model, Map<String, Long> dimensions, int threads) {
    sessions = new ServiceSessions(model, dimensions, threads);
  }

  /** {@return the version of ONNX Runtime} */
  public static String engineVersion() {
    return ServiceSessions.version();
  }

  /**
   * Creates a further session.
   *
   * @throws MalformedFileException if ONNX Runtime rejects the model
   */
  public void addSession() throws MalformedFileException {
    sessions.addSession();
  }

  /**
   * Creates the inputs of all sessions.
   *
   * @throws MalformedFileException if an input is not a tensor of numbers with known dimensions
   */
  public void createInputs() throws MalformedFileException {
    sessions.createInputs();
  }

  /**
   * Runs each session once, one after the other.
   *
   * @throws MalformedFileException if a run fails
   */
  public void run() throws MalformedFileException {
    sessions.run();
  }

  @Override
  public void close() {
    sessions.close();
  }
}
