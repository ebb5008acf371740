package dev.stowage.cli.budget;

import dev.stowage.budget.BudgetPart;
import dev.stowage.budget.MemoryBudget;
import dev.stowage.budget.MemoryPart;
import dev.stowage.budget.ModelBudget;
import dev.stowage.budget.PartPhase;
import dev.stowage.budget.PartSource;
import dev.stowage.budget.PartUnit;
import dev.stowage.budget.SampleAxis;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.onnxbudget.EngineRules;
import dev.stowage.onnxbudget.ModelService;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Computes the budgets of models, and measures them if requested. */
public final class BudgetRunner {

  /** The heap of a process that measures a model whose budget has no heap. */
  private static final long DEFAULT_HEAP_BYTES = 64L << 20;

  private static final Set<String> TENSOR_PARTS =
      Set.of("weights", "packed weights", "activations", "workspace");

  private final BudgetRequest request;

  public BudgetRunner(BudgetRequest request) {
    this.request = request;
  }

  /**
   * {@return the budgets of a model}
   *
   * @throws MalformedFileException if the file is not a model, the engine rejects it or a shape, or
   *     the memory has more than 2^63 - 1 bytes
   * @throws dev.stowage.onnx.OpenDimensionsException if the model leaves dimensions open
   * @throws dev.stowage.onnx.engine.MissingEngineException if ONNX Runtime is missing
   * @throws IOException if the file cannot be read, or a measurement fails
   */
  public BudgetReport run(String path) throws IOException {
    Path file = ExistingFile.regular(path);
    if (BudgetRequest.isMicro(path)) {
      return new BudgetRunner(request.forMicro()).report(path, file, MicroBudget.read(path, file));
    }
    return report(path, file, EngineBudget.read(path, file, request));
  }

  private BudgetReport report(String path, Path file, PlannedBudget read) throws IOException {
    try {
      return computed(path, file, read);
    } catch (ArithmeticException | IllegalArgumentException e) {
      MalformedFileException malformed =
          new MalformedFileException(path, String.valueOf(e.getMessage()));
      malformed.initCause(e);
      throw malformed;
    }
  }

  private BudgetReport computed(String path, Path file, PlannedBudget read) throws IOException {
    ModelBudget model = withProcess(read.budget());
    List<ShapeBudget> shapes = new ArrayList<>();
    for (DimensionValues shape : points(request.sizes().fixed(), read.axes())) {
      shapes.add(shape(path, file, model, shape));
    }
    Optional<BudgetFit> fit = Optional.empty();
    if (request.fit().isPresent() && request.service().limitBytes().isPresent()) {
      fit =
          Optional.of(
              BudgetFit.of(
                  model,
                  request.fit().get(),
                  request.service().sessions(),
                  request.service().threads(),
                  request.service().limitBytes().getAsLong()));
    }
    boolean isMicro = BudgetRequest.isMicro(path);
    return new BudgetReport(
        model,
        shapes,
        read.evidence(),
        fit,
        isMicro ? Optional.empty() : Optional.of(request.machine().cpu()),
        isMicro
            ? BudgetReport.Engine.MICRO
            : new BudgetReport.Engine(
                "ONNX Runtime " + ModelService.engineVersion(),
                EngineRules.difference().isEmpty(),
                read.hasVariants()));
  }

  private ModelBudget withProcess(ModelBudget budget) {
    if (request.service().heapBytes().isEmpty()) {
      return budget;
    }
    List<BudgetPart> parts = new ArrayList<>(budget.parts());
    parts.add(
        BudgetPart.of(
            ShapeBudget.HEAP_PART,
            PartSource.COMPUTED,
            PartUnit.PROCESS,
            PartPhase.ALWAYS,
            request.service().heapBytes().getAsLong()));
    parts.add(
        BudgetPart.of(
            ShapeBudget.JAVA_PART,
            PartSource.CALIBRATED,
            PartUnit.PROCESS,
            PartPhase.ALWAYS,
            request.machine().constants().process().jvmBytes()));
    return new ModelBudget(budget.model(), budget.ranges(), parts);
  }

  private ShapeBudget shape(String path, Path file, ModelBudget model, DimensionValues shape)
      throws IOException {
    Map<String, Long> dimensions = new LinkedHashMap<>(request.sizes().fixed());
    dimensions.putAll(shape.toMap());
    Optional<ServiceMeasurement> measured =
        request.isMeasured()
            ? Optional.of(
                ServiceMeasurement.largest(
                    file,
                    dimensions,
                    request.service().sessions(),
                    request.service().threads(),
                    request.service().heapBytes().orElse(DEFAULT_HEAP_BYTES)))
            : Optional.empty();
    MemoryBudget budget =
        model.at(shape, request.service().sessions(), request.service().threads());
    long tensorBytes =
        budget.parts().stream()
            .filter(part -> TENSOR_PARTS.contains(part.name()))
            .mapToLong(MemoryPart::runningBytes)
            .sum();
    return new ShapeBudget(
        path,
        dimensions,
        request.service(),
        budget,
        new ShapeBudget.Comparisons(
            measured,
            // Services run .onnx models.
            BudgetRequest.isMicro(path)
                ? List.of()
                : ServiceRule.of(Files.size(file), tensorBytes)));
  }

  /** {@return the shapes of a grid; the last dimension changes first} */
  private static List<DimensionValues> points(Map<String, Long> dimensions, List<SampleAxis> axes) {
    Map<String, Long> positive = new LinkedHashMap<>(dimensions);
    positive.values().removeIf(size -> size == 0);
    List<DimensionValues> points = List.of(DimensionValues.of(positive));
    for (SampleAxis axis : axes) {
      List<DimensionValues> more = new ArrayList<>();
      for (DimensionValues point : points) {
        axis.points().forEach(size -> more.add(point.with(axis.dimension(), size)));
      }
      points = more;
    }
    return points;
  }
}
