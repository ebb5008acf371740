package dev.stowage.onnxbudget;

import dev.stowage.budget.BudgetPart;
import dev.stowage.budget.ModelBudget;
import dev.stowage.budget.PartBytes;
import dev.stowage.budget.PartPhase;
import dev.stowage.budget.PartSource;
import dev.stowage.budget.PartUnit;
import dev.stowage.budget.SampleAxis;
import dev.stowage.onnx.engine.ProfiledModel;
import dev.stowage.onnx.engine.RunShapes;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.onnxbudget.memory.CreationMemory;
import dev.stowage.onnxbudget.memory.EngineSettings;
import dev.stowage.onnxbudget.memory.LoadedWeights;
import dev.stowage.onnxbudget.memory.OptimizedModel;
import dev.stowage.onnxbudget.memory.SessionUse;
import dev.stowage.onnxbudget.memory.WorkspaceCalibration;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The native memory of a service that runs a model in ONNX Runtime with its default options.
 *
 * @param budget the memory as a function of dimensions
 * @param weights the weights of a session
 * @param sampleCount the number of shapes for which the memory of runs was computed
 * @param variantCount the number of orders of operators, of which the one with most memory counts
 * @param profiledWorkspaceCount the number of workspaces from a profile, one for each operator and
 *     shape
 * @param notes sentences on parts that the budget lacks
 */
public record OnnxBudget(
    ModelBudget budget,
    LoadedWeights weights,
    int sampleCount,
    int variantCount,
    int profiledWorkspaceCount,
    List<String> notes) {

  /** The number of sessions whose orders of operators are compared. */
  private static final int SESSION_COUNT = 5;

  /** The number of sessions whose creation is simulated. */
  private static final int SIMULATED_SESSIONS = 4;

  /** Creates a budget. */
  public OnnxBudget {
    notes = List.copyOf(notes);
  }

  /**
   * {@return the budget of a model}
   *
   * <p>ONNX Runtime optimizes the model once, and infers the shapes of its tensors at each point of
   * the grid. The operators have the orders of up to five sessions.
   *
   * @param model the file
   * @param settings the options of a session, with the processor that runs it
   * @param dimensions the dimensions with one size
   * @param axes the points of the other dimensions
   * @param constants the constants of the machine
   * @param profile the profile of a session that ran the model, if there is one
   * @throws MalformedFileException if ONNX Runtime rejects the model or a shape
   * @throws IOException if the model cannot be read
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static OnnxBudget of(
      Path model,
      EngineSettings settings,
      Map<String, Long> dimensions,
      List<SampleAxis> axes,
      EngineConstants constants,
      Optional<ProfiledModel> profile)
      throws IOException {
    List<OptimizedModel> variants = OptimizedModel.variants(model, settings, SESSION_COUNT);
    WorkspaceCalibration known =
        profile.map(variants.getFirst()::profiled).orElseGet(WorkspaceCalibration::none);
    List<SessionUse> samples = new ArrayList<>();
    List<Map<String, Long>> points = points(axes);
    Map<String, List<Map<String, Long>>> pointsOfNotes = new LinkedHashMap<>();
    for (Map<String, Long> point : points) {
      Map<String, Long> all = new LinkedHashMap<>(dimensions);
      all.putAll(point);
      SessionUse largest;
      try {
        largest = largestUse(variants, model, all, observed(profile, all), known);
      } catch (MalformedFileException e) {
        throw point.isEmpty() ? e : at(point, e);
      }
      samples.add(largest);
      for (String note : new LinkedHashSet<>(largest.notes())) {
        pointsOfNotes.computeIfAbsent(note, _ -> new ArrayList<>()).add(point);
      }
    }
    LoadedWeights weights = variants.getFirst().weights();
    List<DimensionRange> ranges = new ArrayList<>();
    dimensions.forEach((name, size) -> {
      // A range has positive sizes only.
      if (size > 0) {
        ranges.add(new DimensionRange(name, size, size));
      }
    });
    for (SampleAxis axis : axes) {
      ranges.add(
          new DimensionRange(axis.dimension(), axis.points().getFirst(), axis.points().getLast()));
    }
    ModelBudget budget =
        new ModelBudget(
            model.toString(),
            new DimensionRanges(ranges),
            new OnnxParts(
                    constants,
                    weights,
                    variants.getFirst().creation(SIMULATED_SESSIONS),
                    axes,
                    samples)
                .parts());
    return new OnnxBudget(
        budget,
        weights,
        samples.size(),
        variants.size(),
        known.workspaces().size(),
        notes(pointsOfNotes, points.size()));
  }

  /**
   * {@return the budget of a model with any of some settings: each part is the largest of all}
   *
   * @param model the file
   * @param settings the options of a session, with each of the processors and versions
   * @param dimensions the dimensions with one size
   * @param axes the points of the other dimensions
   * @param constants the constants of the machine
   * @param profile the profile of a session that ran the model, if there is one
   * @throws MalformedFileException if ONNX Runtime rejects the model or a shape
   * @throws IOException if the model cannot be read
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static OnnxBudget largest(
      Path model,
      List<EngineSettings> settings,
      Map<String, Long> dimensions,
      List<SampleAxis> axes,
      EngineConstants constants,
      Optional<ProfiledModel> profile)
      throws IOException {
    OnnxBudget largest = of(model, settings.getFirst(), dimensions, axes, constants, profile);
    for (EngineSettings other : settings.subList(1, settings.size())) {
      largest = largest.or(of(model, other, dimensions, axes, constants, profile));
    }
    return largest;
  }

  /** {@return the larger one of each part of this budget and of another one for the same shapes} */
  private OnnxBudget or(OnnxBudget other) {
    List<BudgetPart> parts = new ArrayList<>();
    for (int i = 0; i < budget.parts().size(); i++) {
      parts.add(larger(budget.parts().get(i), other.budget.parts().get(i)));
    }
    Set<String> allNotes = new LinkedHashSet<>(notes);
    allNotes.addAll(other.notes);
    return new OnnxBudget(
        new ModelBudget(budget.model(), budget.ranges(), parts),
        weights.weightBytes() >= other.weights.weightBytes() ? weights : other.weights,
        sampleCount,
        Math.max(variantCount, other.variantCount),
        Math.max(profiledWorkspaceCount, other.profiledWorkspaceCount),
        List.copyOf(allNotes));
  }

  private static BudgetPart larger(BudgetPart one, BudgetPart other) {
    PartBytes bytes;
    if (one.bytes() instanceof PartBytes.Samples first
        && other.bytes() instanceof PartBytes.Samples second) {
      long[] values = first.values().clone();
      Arrays.setAll(values, i -> Math.max(values[i], second.values()[i]));
      bytes = PartBytes.sampled(first.axes(), values);
    } else {
      DimensionValues none = DimensionValues.of(Map.of());
      bytes = PartBytes.of(Math.max(one.bytes().at(none), other.bytes().at(none)));
    }
    return new BudgetPart(one.name(), one.how(), one.unit(), one.phase(), bytes);
  }

  /** {@return the types in the profiled runs with some dimensions} */
  private static Map<String, ValueType.Tensor> observed(
      Optional<ProfiledModel> profile, Map<String, Long> dimensions) throws MalformedFileException {
    return profile.isPresent()
        ? profile.get().largest(dimensions).map(RunShapes::types).orElse(Map.of())
        : Map.of();
  }

  /** {@return the use of the variant that needs most memory} */
  private static SessionUse largestUse(
      List<OptimizedModel> variants,
      Path model,
      Map<String, Long> dimensions,
      Map<String, ValueType.Tensor> observed,
      WorkspaceCalibration workspaces)
      throws IOException {
    SessionUse largest = use(variants.getFirst(), model, dimensions, observed, workspaces);
    for (OptimizedModel variant : variants.subList(1, variants.size())) {
      SessionUse use = use(variant, model, dimensions, observed, workspaces);
      largest = runBytes(use) > runBytes(largest) ? use : largest;
    }
    return largest;
  }

  /** {@return the exception with the shape as the place} */
  private static MalformedFileException at(Map<String, Long> point, MalformedFileException e) {
    String prefix = e.source() + ": ";
    String message = String.valueOf(e.getMessage());
    MalformedFileException placed =
        new MalformedFileException(
            e.source(),
            "at " + text(point),
            message.startsWith(prefix) ? message.substring(prefix.length()) : message);
    placed.initCause(e);
    return placed;
  }

  private static SessionUse use(
      OptimizedModel optimized,
      Path model,
      Map<String, Long> dimensions,
      Map<String, ValueType.Tensor> observed,
      WorkspaceCalibration workspaces)
      throws IOException {
    try {
      return optimized.use(dimensions, observed, workspaces);
    } catch (ArithmeticException e) {
      MalformedFileException tooLarge =
          new MalformedFileException(model.toString(), String.valueOf(e.getMessage()));
      tooLarge.initCause(e);
      throw tooLarge;
    }
  }

  /** {@return the notes, with a shape if they do not hold at all of them} */
  private static List<String> notes(
      Map<String, List<Map<String, Long>>> pointsOfNotes, int pointCount) {
    List<String> notes = new ArrayList<>();
    pointsOfNotes.forEach((note, points) ->
        notes.add(
            points.size() == pointCount
                ? note
                : String.format(
                    Locale.ROOT,
                    "at %s%s: %s",
                    text(points.getFirst()),
                    points.size() == 1
                        ? ""
                        : " and at " + (points.size() - 1) + " of the other shapes",
                    note)));
    return notes;
  }

  /** {@return the sizes of dimensions: {@code batch=16, seq=128}} */
  private static String text(Map<String, Long> point) {
    return point.entrySet().stream()
        .map(dimension -> dimension.getKey() + "=" + dimension.getValue())
        .collect(Collectors.joining(", "));
  }

  private static long runBytes(SessionUse use) {
    return use.activationBytes() + use.workspaceBytes();
  }

  /** {@return the points of a grid; the last axis changes first} */
  private static List<Map<String, Long>> points(List<SampleAxis> axes) {
    List<Map<String, Long>> points = List.of(Map.of());
    for (SampleAxis axis : axes) {
      List<Map<String, Long>> more = new ArrayList<>();
      for (Map<String, Long> point : points) {
        for (long size : axis.points()) {
          Map<String, Long> next = new LinkedHashMap<>(point);
          next.put(axis.dimension(), size);
          more.add(next);
        }
      }
      points = more;
    }
    return points;
  }

  /** The parts of a budget. */
  private record OnnxParts(
      EngineConstants constants,
      LoadedWeights weights,
      CreationMemory creation,
      List<SampleAxis> axes,
      List<SessionUse> samples) {

    List<BudgetPart> parts() {
      long unpacked = weights.unpackedBytes();
      long kept = unpacked + weights.packedBytes();
      long graph = weights.operatorCount() * constants.session().operatorBytes();
      PartSource calibrated = PartSource.CALIBRATED;
      PartSource computed = PartSource.COMPUTED;
      return List.of(
          BudgetPart.of(
              "engine",
              calibrated,
              PartUnit.PROCESS,
              PartPhase.ALWAYS,
              constants.process().engineBytes() + constants.process().firstSessionBytes()),
          BudgetPart.of("weights", computed, PartUnit.SESSION, PartPhase.ALWAYS, unpacked),
          BudgetPart.of(
              "packed weights",
              computed,
              PartUnit.SESSION,
              PartPhase.ALWAYS,
              weights.packedBytes()),
          BudgetPart.of(
              "packing", computed, PartUnit.SESSION, PartPhase.LOADING, creation.temporaryBytes()),
          BudgetPart.of(
              "freed weights",
              computed,
              PartUnit.PROCESS,
              PartPhase.ALWAYS,
              Math.max(0, creation.firstBytes() - kept)),
          BudgetPart.of(
              "freed weights (sessions)",
              computed,
              PartUnit.FURTHER_SESSION,
              PartPhase.ALWAYS,
              Math.max(0, creation.furtherBytes() - kept)),
          BudgetPart.of(
              "session",
              calibrated,
              PartUnit.SESSION,
              PartPhase.ALWAYS,
              constants.session().modelBytes() + graph),
          BudgetPart.of(
              "thread",
              calibrated,
              PartUnit.THREAD,
              PartPhase.ALWAYS,
              constants.session().threadBytes()),
          sampled("activations", computed, SessionUse::activationBytes),
          sampled("workspace", calibrated, SessionUse::workspaceBytes),
          sampled("inputs", computed, SessionUse::inputBytes),
          sampled("outputs", computed, SessionUse::outputBytes),
          BudgetPart.of(
              "unexplained",
              calibrated,
              PartUnit.PROCESS,
              PartPhase.ALWAYS,
              constants.allowance().bytes()
                  + (long)
                      Math.ceil(
                          constants.allowance().processShare()
                              * (constants.process().engineBytes()
                                  + unpacked
                                  + weights.packedBytes()))),
          sampled(
              "unexplained (sessions)",
              calibrated,
              use ->
                  (long)
                      Math.ceil(
                          constants.allowance().runShare()
                              * (use.activationBytes() + use.workspaceBytes()))));
    }

    private BudgetPart sampled(String name, PartSource how, ToLongFunction<SessionUse> bytes) {
      long[] values = samples.stream().mapToLong(bytes).toArray();
      return new BudgetPart(
          name, how, PartUnit.SESSION, PartPhase.RUNNING, PartBytes.sampled(axes, values));
    }
  }
}
