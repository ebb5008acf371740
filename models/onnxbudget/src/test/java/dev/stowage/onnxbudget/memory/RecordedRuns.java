package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.ModelProto;
import dev.stowage.onnx.engine.EngineOptimization;
import dev.stowage.onnx.engine.RecordedSession;
import dev.stowage.onnx.engine.SessionListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The requests of a session and of its first runs.
 *
 * @param original the model
 * @param optimized the model that the session wrote
 * @param load the requests while the session was created
 * @param runs the requests of each run, in parts: even parts are between operators, odd parts of
 *     operators
 */
record RecordedRuns(
    ModelProto original, ModelProto optimized, List<Request> load, List<List<List<Request>>> runs) {

  /**
   * {@return the requests of a session, which runs with zeros}
   *
   * @param model the file
   * @param dimensions the sizes of open dimensions
   * @param settings the options of the session
   * @param runCount the number of runs
   * @throws IOException if ONNX Runtime rejects the model or the dimensions, or files cannot be
   *     read or written
   */
  static RecordedRuns of(
      Path model, Map<String, Long> dimensions, EngineSettings settings, int runCount)
      throws IOException {
    Log log = new Log();
    EngineOptimization written =
        new RecordedSession(
                model,
                dimensions,
                settings.optimizationLevel(),
                settings.hasPattern(),
                settings.threads())
            .run(runCount, log);
    return new RecordedRuns(
        written.original(), written.optimized(), flat(log.load), List.copyOf(log.runs));
  }

  /** The requests so far. ONNX Runtime calls it in the thread of the session or in its own ones. */
  private static final class Log implements SessionListener {

    private List<List<Request>> load = List.of();
    private final List<List<List<Request>>> runs = new ArrayList<>();
    private final List<List<Request>> parts = new ArrayList<>();

    Log() {
      take();
    }

    private synchronized List<List<Request>> take() {
      List<List<Request>> taken = List.copyOf(parts);
      parts.clear();
      parts.add(new ArrayList<>());
      return taken;
    }

    @Override
    public synchronized void allocated(int id, long bytes) {
      parts.getLast().add(new Request.Allocate(id, bytes));
    }

    @Override
    public synchronized void reserved(int id, long bytes) {
      parts.getLast().add(new Request.Reserve(id, bytes));
    }

    @Override
    public synchronized void freed(int id) {
      parts.getLast().add(new Request.Free(id));
    }

    @Override
    public synchronized void statisticsRead() {
      parts.add(new ArrayList<>());
    }

    @Override
    public void sessionCreated() {
      load = take();
    }

    @Override
    public void runEnded() {
      runs.add(take());
    }
  }

  private static List<Request> flat(List<List<Request>> parts) {
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
}
