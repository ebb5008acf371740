package dev.stowage.cli.budget;

import dev.stowage.budget.SampleAxis;
import dev.stowage.cli.budget.BudgetReport.Evidence;
import dev.stowage.cli.input.ProfileInput;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxProblem;
import dev.stowage.onnx.OnnxReader;
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
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the budget of an ONNX model. */
final class EngineBudget {

  /** The shapes that a round tries; ONNX Runtime infers the sizes of each. */
  private static final int TRIED_SHAPES = 100;

  private EngineBudget() {}

  static PlannedBudget read(String path, Path file, BudgetRequest request) throws IOException {
    List<Evidence> evidence = new ArrayList<>();
    Optional<MalformedFileException> unread = Optional.empty();
    try {
      // First, because it names open dimensions and their options.
      largest(file, request)
          .notes()
          .forEach(note -> evidence.add(new Evidence(Evidence.UNKNOWN, note)));
    } catch (MalformedFileException e) {
      unread = Optional.of(e);
      evidence.add(new Evidence(Evidence.UNKNOWN, "the sizes of tensors: " + e.getMessage()));
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
    return new PlannedBudget(read.budget(), refined.axes(), evidence, read.variantCount() > 1);
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

  /** {@return the intermediate tensors at the largest size of each dimension} */
  private static OnnxProblem largest(Path file, BudgetRequest request) throws IOException {
    OnnxOptions options = options(request, TensorScope.INTERMEDIATES);
    for (SampleAxis axis : request.sizes().axes()) {
      options = options.withDimension(axis.dimension(), axis.points().getLast());
    }
    return OnnxReader.read(file, options);
  }

  /** {@return the axes of a request with sizes at which tensors are larger than between others} */
  private static RefinedAxes refined(Path file, BudgetRequest request) {
    if (request.sizes().ranges().isEmpty()) {
      return new RefinedAxes(request.sizes().axes(), true);
    }
    Map<DimensionValues, Long> known = new HashMap<>();
    OnnxOptions options = options(request, TensorScope.WITH_INPUTS_AND_OUTPUTS);
    return RefinedAxes.of(
        request.sizes().axes(),
        request.sizes().ranges(),
        DimensionValues.of(Map.of()),
        TRIED_SHAPES,
        shape -> known.computeIfAbsent(shape, it -> liveBytes(file, options, it)));
  }

  /** {@return the most live bytes at a shape; 0 if the model is not valid there} */
  private static long liveBytes(Path file, OnnxOptions options, DimensionValues shape) {
    OnnxOptions fixed = options;
    for (Map.Entry<String, Long> dimension : shape.toMap().entrySet()) {
      fixed = fixed.withDimension(dimension.getKey(), dimension.getValue());
    }
    try {
      return LoadPeak.of(OnnxReader.read(file, fixed).problem()).bytes();
    } catch (IOException e) {
      return 0; // the budget has a line on sizes that are not known
    }
  }

  private static OnnxOptions options(BudgetRequest request, TensorScope scope) {
    OnnxOptions options = OnnxOptions.defaults().withScope(scope);
    for (Map.Entry<String, Long> dimension : request.sizes().fixed().entrySet()) {
      options = options.withDimension(dimension.getKey(), dimension.getValue());
    }
    return request.profile().isPresent()
        ? ProfileInput.withTypes(options, request.profile().get().largest())
        : options;
  }
}
