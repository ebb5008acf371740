package dev.stowage.onnx;

import ai.onnx.proto.OnnxMl.ModelProto;
import dev.stowage.onnx.file.OnnxFile;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphAssembly;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.InPlaceResults;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A model that was read.
 *
 * @param graph the main graph, with the dimensions of the user
 * @param planned the planned values
 * @param misnamed a sentence on the user's dimensions that the model does not have, if any
 * @param inferenceFailure the reason why missing shapes could not be inferred, if they could not
 * @param notes sentences for the user
 */
record LoadedModel(
    ModelGraph graph,
    PlannedValues planned,
    Optional<String> misnamed,
    Optional<String> inferenceFailure,
    List<String> notes) {

  private static final String NO_VIEWS =
      "no planned tensor is a view of another, so views share no memory";

  /** The number of names in a message. */
  private static final int NAMED_COUNT = 20;

  /**
   * {@return a model}
   *
   * @param source the name of the file in messages
   * @param bytes the file
   * @param options the options
   * @throws MalformedFileException if the file is not a complete model, or if ONNX Runtime rejects
   *     it
   * @throws OpenDimensionsException if sizes depend on open dimensions
   */
  static LoadedModel of(String source, ByteBuffer bytes, OnnxOptions options) throws IOException {
    FixedDimensions fixed = new FixedDimensions(options.dimensions());
    try {
      LoadedModel model = unchecked(source, bytes, options, fixed);
      model.checkSizes(source);
      List<String> notes = new ArrayList<>(model.notes);
      notes.addAll(notesOn(model.planned));
      if (options.isAliased()) {
        notes.add(noteOnViews(model.planned));
      }
      return new LoadedModel(
          model.graph, model.planned, model.misnamed, model.inferenceFailure, notes);
    } catch (MalformedFileException e) {
      throw withMisnamed(source, e, fixed);
    }
  }

  /** {@return a model; some of its sizes may be unknown} */
  static LoadedModel unchecked(
      String source, ByteBuffer bytes, OnnxOptions options, FixedDimensions fixed)
      throws IOException {
    ModelProto model = OnnxFile.inOrder(source, OnnxFile.parse(source, bytes), options.order());
    ModelGraph graph = GraphAssembly.assemble(source, fixed.applyTo(model));
    List<String> notes = new ArrayList<>(graph.notes());
    Optional<String> misnamed = fixed.misnamed();
    misnamed.ifPresent(notes::add);
    ShapeInference inference =
        ShapeInference.of(source, graph, options.scope(), options.observedTypes());
    PlannedValues planned =
        PlannedValues.of(graph, options.scope(), options.isAliased(), inference.types());
    inference.failure().ifPresent(notes::add);
    if (!inference.observed().isEmpty()) {
      notes.add(noteOnObserved(inference.observed()));
    }
    return new LoadedModel(graph, planned, misnamed, inference.failure(), notes);
  }

  /** {@return a failure with the sentence on dimensions that the model does not have} */
  static MalformedFileException withMisnamed(
      String source, MalformedFileException failure, FixedDimensions fixed) {
    Optional<String> misnamed = fixed.misnamed();
    if (misnamed.isEmpty()) {
      return failure;
    }
    String start = source + ": " + failure.place().map(place -> place + ": ").orElse("");
    String problem =
        String.valueOf(failure.getMessage()).substring(start.length()) + "; " + misnamed.get();
    MalformedFileException both =
        failure
            .place()
            .map(place -> new MalformedFileException(source, place, problem))
            .orElseGet(() -> new MalformedFileException(source, problem));
    both.initCause(failure);
    return both;
  }

  /** {@return this model with more known types} */
  LoadedModel withTypes(Map<String, ValueType> more) {
    PlannedValues known = planned.withTypes(more);
    List<String> all = new ArrayList<>(notes);
    all.addAll(notesOn(known));
    return new LoadedModel(graph, known, misnamed, inferenceFailure, all);
  }

  /** {@return the problem to plan} */
  PlanProblem problem(OnnxOptions options) {
    PlanProblem problem = PlanProblem.of(planned.records());
    return options.isAliased() ? problem.withInPlace(InPlaceResults.of(graph, planned)) : problem;
  }

  /** {@return the tensors that are not planned because their shapes are unknown} */
  List<GraphValue> openTensors() {
    return planned.skipped().keySet().stream()
        .filter(value -> ValueBytes.of(planned.type(value)) instanceof ValueBytes.Open)
        .toList();
  }

  /** Rejects a model if open dimensions make its sizes too large or unknown. */
  private void checkSizes(String source) throws IOException {
    for (GraphValue value : planned.skipped().keySet()) {
      if (ValueBytes.of(planned.type(value)) instanceof ValueBytes.TooLarge(String reason)) {
        throw new MalformedFileException(
            source,
            String.format(Locale.ROOT, "tensor '%s'", MalformedFileException.excerpt(value.name())),
            "has more than 2^63 - 1 bytes, expected fewer: "
                + MalformedFileException.excerpt(reason));
      }
    }
    int openCount = openTensors().size();
    if (openCount > 0) {
      checkInputs(source, openCount);
    }
    long totalBytes = 0;
    for (TensorUsageRecord record : planned.unshared()) {
      if (record.bytes() > Long.MAX_VALUE - totalBytes) {
        throw new MalformedFileException(
            source, "the tensors have more than 2^63 - 1 bytes in all, expected fewer");
      }
      totalBytes += record.bytes();
    }
    if (planned.records().isEmpty() && !planned.skipped().isEmpty()) {
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT,
              "expected at least one tensor of known size, but all sizes are unknown: %s%s",
              named(planned.skipped()),
              inferenceFailure.map(failure -> "; " + failure).orElse("")));
    }
  }

  /**
   * Rejects a model with open dimensions.
   *
   * @param openCount the number of tensors with sizes that depend on them
   */
  void checkInputs(String source, int openCount) throws OpenDimensionsException {
    List<String> open = FixedDimensions.openIn(graph);
    if (!open.isEmpty()) {
      throw OpenDimensionsException.of(source, misnamed, openCount, open);
    }
  }

  private static List<String> notesOn(PlannedValues planned) {
    return planned.skipped().isEmpty() ? List.of() : List.of(noteOn(planned.skipped()));
  }

  /** {@return a sentence on values that are not planned, with the reasons} */
  private static String noteOn(Map<GraphValue, String> skipped) {
    return String.format(
        Locale.ROOT,
        "%s of unknown size %s not planned: %s",
        skipped.size() == 1 ? "1 value" : skipped.size() + " values",
        skipped.size() == 1 ? "is" : "are",
        named(skipped));
  }

  /** {@return a sentence on values with sizes that depend on data} */
  private static String noteOnObserved(List<String> names) {
    return String.format(
        Locale.ROOT,
        "%s on data; the plan uses the %s in the profiled run: %s%s",
        names.size() == 1
            ? "the size of 1 tensor depends"
            : "the sizes of " + names.size() + " tensors depend",
        names.size() == 1 ? "size" : "sizes",
        names.stream()
            .limit(NAMED_COUNT)
            .map(MalformedFileException::excerpt)
            .collect(Collectors.joining(", ")),
        names.size() > NAMED_COUNT ? ", ..." : "");
  }

  /** {@return a sentence on the bytes that views save, at alignment 1} */
  private static String noteOnViews(PlannedValues planned) {
    int viewCount = planned.viewCount();
    if (viewCount == 0) {
      return NO_VIEWS;
    }
    PlanProblem unshared = PlanProblem.of(planned.unshared());
    PlanProblem shared = PlanProblem.of(planned.records());
    long liveBytes = LowerBounds.of(shared).offsetsBytes();
    long unsharedLiveBytes = LowerBounds.of(unshared).offsetsBytes();
    return String.format(
        Locale.ROOT,
        "%s the memory of %s: %,d bytes instead of %,d if nothing else is shared, %s",
        viewCount == 1 ? "1 tensor shares" : viewCount + " tensors share",
        viewCount == 1 ? "its input" : "their inputs",
        shared.naiveBytes(),
        unshared.naiveBytes(),
        liveBytes == unsharedLiveBytes
            ? String.format(Locale.ROOT, "still at most %,d live at a task", liveBytes)
            : String.format(
                Locale.ROOT,
                "at most %,d instead of %,d live at a task",
                liveBytes,
                unsharedLiveBytes));
  }

  private static String named(Map<GraphValue, String> skipped) {
    String named =
        skipped.entrySet().stream()
            .limit(NAMED_COUNT)
            .map(entry ->
                MalformedFileException.excerpt(entry.getKey().name())
                    + " ("
                    + MalformedFileException.excerpt(entry.getValue())
                    + ")")
            .collect(Collectors.joining(", "));
    return skipped.size() > NAMED_COUNT ? named + ", ..." : named;
  }
}
