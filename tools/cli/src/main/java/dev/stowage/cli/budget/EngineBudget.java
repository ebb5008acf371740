package dev.stowage.cli.budget;

import dev.stowage.budget.SampleAxis;
import dev.stowage.cli.budget.BudgetReport.Evidence;
import dev.stowage.cli.input.ProfileInput;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxReader;
import dev.stowage.onnx.SymbolicOnnxProblem;
import dev.stowage.onnx.engine.MissingEngineException;
import dev.stowage.onnx.engine.ProfiledModel;
import dev.stowage.onnx.profile.ServiceProfile;
import dev.stowage.onnxbudget.EngineRules;
import dev.stowage.onnxbudget.OnnxBudget;
import dev.stowage.onnxbudget.memory.EngineSettings;
import dev.stowage.onnxbudget.memory.EngineVersion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.explain.LoadPeak;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.LayoutChecker;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.search.LayoutOptions;
import dev.stowage.plan.shapes.search.LayoutSearch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the budget of an ONNX model. */
final class EngineBudget {

  private static final Duration SEARCH_LIMIT = Duration.ofSeconds(1);

  private EngineBudget() {}

  static PlannedBudget read(String path, Path file, BudgetRequest request) throws IOException {
    List<Evidence> evidence = new ArrayList<>();
    Optional<ShapeLayout> layout = Optional.empty();
    Optional<MalformedFileException> unread = Optional.empty();
    try {
      // First, because it names open dimensions and their options.
      layout = Optional.of(layout(file, request, evidence));
    } catch (MalformedFileException e) {
      unread = Optional.of(e);
      evidence.add(
          new Evidence(Evidence.UNKNOWN, "the sizes of tensors as formulas: " + e.getMessage()));
    }
    RefinedAxes refined = refined(file, request);
    OnnxBudget read;
    try {
      read =
          OnnxBudget.largest(
              file,
              settings(request),
              request.sizes().fixed(),
              refined.axes(),
              request.machine().constants(),
              request.profile().map(BudgetRequest.Profile::model));
    } catch (LinkageError e) {
      throw new MissingEngineException(e);
    } catch (MalformedFileException e) {
      // The message of the reader is for users, that of ONNX Runtime for its programmers.
      throw unread.orElse(e);
    }
    evidence.addFirst(
        new Evidence("proved", "weights and their packed copies do not depend on dimensions"));
    evidence.add(
        new Evidence(
            "sampled",
            String.format(
                Locale.ROOT,
                "activations, workspace, inputs and outputs were computed at %s%s",
                Numbers.count(read.sampleCount(), "shape"),
                read.sampleCount() > 1 ? " and are interpolated between them" : "")));
    addProfile(request, read.profiledWorkspaceCount(), evidence);
    if (!refined.isComplete()) {
      evidence.add(
          new Evidence(
              Evidence.UNKNOWN,
              "the sizes of tensors rise and fall between the shapes; budgets of other shapes may be larger"));
    }
    if (read.variantCount() > 1) {
      evidence.add(
          new Evidence(
              "sampled",
              String.format(
                  Locale.ROOT,
                  "ONNX Runtime ordered the operators in %d ways; the one with most memory counts",
                  read.variantCount())));
    }
    EngineRules.difference()
        .ifPresent(difference -> evidence.add(new Evidence("estimate", difference)));
    request
        .machine()
        .cpu()
        .reason()
        .ifPresent(reason -> evidence.add(new Evidence("estimate", reason)));
    read.notes().forEach(note -> evidence.add(new Evidence(Evidence.UNKNOWN, note)));
    return new PlannedBudget(
        read.budget(), refined.axes(), layout, evidence, read.variantCount() > 1);
  }

  /** {@return the settings of a session with each processor and version whose rules count} */
  private static List<EngineSettings> settings(BudgetRequest request) {
    EngineSettings defaults = EngineSettings.defaults().withThreads(request.service().threads());
    return request.machine().cpu().classes().stream()
        .map(defaults::withCpu)
        .flatMap(
            settings -> EngineVersion.candidatesOfProcess().stream().map(settings::withVersion))
        .toList();
  }

  private static void addProfile(BudgetRequest request, int workspaceCount, List<Evidence> evidence)
      throws IOException {
    if (request.profile().isEmpty()) {
      return;
    }
    ProfiledModel model = request.profile().get().model();
    ServiceProfile profile = model.profile();
    for (String note : ProfileInput.notes(model, request.profile().get().largest())) {
      evidence.add(new Evidence("profiled", note));
    }
    if (profile.threads() != request.service().threads()) {
      evidence.add(
          new Evidence(
              "profiled",
              String.format(
                  Locale.ROOT,
                  "its operators had %s, so that its limits for workspaces are not used; use --threads %d",
                  Numbers.count(profile.threads(), "thread"),
                  profile.threads())));
    }
    if (workspaceCount > 0) {
      evidence.add(
          new Evidence(
              "profiled",
              String.format(
                  Locale.ROOT,
                  "it limits %s of operators without a rule%s",
                  Numbers.count(workspaceCount, "workspace"),
                  model.statistics().isEmpty()
                      ? "; node memory statistics have narrower limits"
                      : "")));
    }
    if (profile.arena().heldBytes() > 0) {
      evidence.add(
          new Evidence(
              "profiled",
              String.format(
                  Locale.ROOT,
                  "the arena of the session had %,d bytes, of which at most %,d were in use, with weights and outputs",
                  profile.arena().heldBytes(),
                  profile.arena().peakBytes())));
    }
  }

  /** Plans the intermediate tensors for all shapes of the ranges. */
  private static ShapeLayout layout(Path file, BudgetRequest request, List<Evidence> evidence)
      throws IOException {
    SymbolicOnnxProblem model = symbolic(file, request, TensorScope.INTERMEDIATES);
    ShapeLayout layout =
        LayoutSearch.of(model.problem(), LayoutOptions.defaults().withTimeLimit(SEARCH_LIMIT))
            .run()
            .layout();
    if (LayoutChecker.violation(layout).isPresent()) {
      throw new AssertionError("the layout is not valid: " + LayoutChecker.violation(layout).get());
    }
    if (!model.problem().records().isEmpty()) {
      evidence.add(
          new Evidence(
              "proved",
              String.format(
                  Locale.ROOT,
                  "%s of the file %s into the planned bytes at %s",
                  Numbers.count(model.problem().records().size(), "intermediate tensor"),
                  model.problem().records().size() == 1 ? "fits" : "fit",
                  request.sizes().axes().isEmpty()
                      ? "this shape"
                      : "all shapes of " + model.problem().ranges())));
    }
    model.notes().forEach(note -> evidence.add(new Evidence(Evidence.UNKNOWN, note)));
    return layout;
  }

  /** {@return the axes of a request with sizes at which tensors are larger than between others} */
  private static RefinedAxes refined(Path file, BudgetRequest request) {
    if (request.sizes().ranges().isEmpty()) {
      return new RefinedAxes(request.sizes().axes(), true);
    }
    try {
      SymbolicProblem problem =
          symbolic(file, request, TensorScope.WITH_INPUTS_AND_OUTPUTS).problem();
      return RefinedAxes.of(
          request.sizes().axes(),
          request.sizes().ranges(),
          DimensionValues.of(Map.of()),
          shape -> LoadPeak.of(problem.at(shape)).bytes());
    } catch (IOException e) {
      // The budget has a line on sizes that are not known.
      return new RefinedAxes(request.sizes().axes(), true);
    }
  }

  /** Reads the sizes of tensors as functions of the dimensions with several sizes. */
  private static SymbolicOnnxProblem symbolic(Path file, BudgetRequest request, TensorScope scope)
      throws IOException {
    OnnxOptions options = OnnxOptions.defaults().withScope(scope);
    for (Map.Entry<String, Long> dimension : request.sizes().fixed().entrySet()) {
      options = options.withDimension(dimension.getKey(), dimension.getValue());
    }
    if (request.profile().isPresent()) {
      options = ProfileInput.withTypes(options, request.profile().get().largest());
    }
    List<DimensionRange> ranges = new ArrayList<>();
    for (SampleAxis axis : request.sizes().axes()) {
      ranges.add(
          new DimensionRange(axis.dimension(), axis.points().getFirst(), axis.points().getLast()));
    }
    return OnnxReader.readSymbolic(file, options, new DimensionRanges(ranges));
  }
}
