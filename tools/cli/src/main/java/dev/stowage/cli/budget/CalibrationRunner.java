package dev.stowage.cli.budget;

import dev.stowage.budget.SampleAxis;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.onnxbudget.EngineConstants;
import dev.stowage.onnxbudget.ModelService;
import dev.stowage.onnxbudget.memory.CpuDetection;
import dev.stowage.onnxbudget.memory.CreationMemory;
import dev.stowage.onnxbudget.memory.EngineSettings;
import dev.stowage.onnxbudget.memory.EngineVersion;
import dev.stowage.onnxbudget.memory.OptimizedModel;
import dev.stowage.onnxbudget.memory.WorkspaceCalibration;
import dev.stowage.onnxbudget.memory.WorkspaceMeasurement;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Measures constants of this machine with models.
 *
 * <p>Each model runs in processes with one session, with three sessions, and with two threads. The
 * constants of the engine are the largest of all models. Small models give the best constants,
 * because their weights hide nothing.
 */
public final class CalibrationRunner {

  private static final long HEAP_BYTES = 64L << 20;
  private static final int SESSIONS = 3;

  private final BudgetRequest request;
  private long engineBytes;
  private long firstSessionBytes;
  private long sessionBytes;
  private long threadBytes;
  private long jvmBytes;
  private WorkspaceCalibration workspaces;

  public CalibrationRunner(BudgetRequest request) {
    this.request = request;
    this.workspaces = request.machine().workspaces();
  }

  /**
   * Measures a model.
   *
   * @throws MalformedFileException if the engine rejects the model or its inputs
   * @throws IOException if the file cannot be read, or a measurement fails
   */
  public void measure(String path) throws IOException {
    Path file = ExistingFile.regular(path);
    Map<String, Long> sizes = new TreeMap<>(request.sizes().fixed());
    request.sizes().axes().forEach(axis -> sizes.put(axis.dimension(), axis.points().getFirst()));
    OptimizedModel model = OptimizedModel.load(file, EngineSettings.defaults());
    CreationMemory creation = model.creation(SESSIONS);
    long operators =
        model.weights().operatorCount() * request.machine().constants().session().operatorBytes();
    ServiceMeasurement one = ServiceMeasurement.largest(file, sizes, 1, 1, HEAP_BYTES);
    ServiceMeasurement more = ServiceMeasurement.largest(file, sizes, SESSIONS, 1, HEAP_BYTES);
    ServiceMeasurement two = ServiceMeasurement.largest(file, sizes, SESSIONS, 2, HEAP_BYTES);
    engineBytes = Math.max(engineBytes, one.engine().residentBytes() - one.start().residentBytes());
    long created = one.sessions().getFirst().residentBytes() - one.engine().residentBytes();
    firstSessionBytes =
        Math.max(
            firstSessionBytes, created + runCodeBytes(one) - operators - creation.firstBytes());
    long further =
        (last(more.sessions()).residentBytes() - more.sessions().getFirst().residentBytes())
            / (SESSIONS - 1);
    sessionBytes = Math.max(sessionBytes, further - operators - creation.furtherBytes());
    long threads = last(two.sessions()).residentBytes() - last(more.sessions()).residentBytes();
    threadBytes = Math.max(threadBytes, threads / SESSIONS);
    jvmBytes = Math.max(jvmBytes, one.start().residentBytes() - HEAP_BYTES);
    measureWorkspaces(file);
  }

  /**
   * Records the requests of kernels at the smallest and the largest sizes, with one and two threads
   * and with the threads of the service.
   */
  private void measureWorkspaces(Path file) throws IOException {
    Map<String, Long> smallest = new TreeMap<>(request.sizes().fixed());
    Map<String, Long> largest = new TreeMap<>(request.sizes().fixed());
    for (SampleAxis axis : request.sizes().axes()) {
      smallest.put(axis.dimension(), axis.points().getFirst());
      largest.put(axis.dimension(), axis.points().getLast());
    }
    for (int threads : new TreeSet<>(List.of(1, 2, request.service().threads()))) {
      EngineSettings settings = EngineSettings.defaults().withThreads(threads);
      for (Map<String, Long> sizes : new LinkedHashSet<>(List.of(smallest, largest))) {
        workspaces = workspaces.and(WorkspaceMeasurement.run(file, sizes, settings));
      }
    }
  }

  /** {@return the code of the engine that runs touch: pages of its library} */
  private static long runCodeBytes(ServiceMeasurement measurement) {
    return measurement.end().fileBytes() - measurement.sessions().getFirst().fileBytes();
  }

  private static ResidentMemory last(List<ResidentMemory> memory) {
    return memory.getLast();
  }

  /** {@return a sentence if the engine does not report the requests of operators} */
  public Optional<String> missingWorkspaces() {
    return EngineVersion.reportsOperators()
        ? Optional.empty()
        : Optional.of(
            "ONNX Runtime "
                + ModelService.engineVersion()
                + " does not report the requests of operators; the file has no workspaces");
  }

  /** {@return the constants of the measured models} */
  public Calibration calibration() {
    EngineConstants shipped = request.machine().constants();
    EngineConstants measured =
        new EngineConstants(
            new EngineConstants.Origin(Calibration.thisMachine(), ModelService.engineVersion()),
            new EngineConstants.ProcessConstants(engineBytes, firstSessionBytes, jvmBytes),
            new EngineConstants.SessionConstants(
                Math.max(shipped.session().modelBytes(), sessionBytes),
                shipped.session().operatorBytes(),
                Math.max(shipped.session().threadBytes(), threadBytes)),
            shipped.allowance());
    return new Calibration(measured, workspaces, Optional.of(CpuDetection.thisMachine()));
  }
}
