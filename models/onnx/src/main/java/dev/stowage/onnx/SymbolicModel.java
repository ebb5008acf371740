package dev.stowage.onnx;

import dev.stowage.onnx.file.OnnxFile;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphAssembly;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.symbolic.SymbolicBytes;
import dev.stowage.onnx.symbolic.SymbolicRecords;
import dev.stowage.onnx.symbolic.SymbolicTypes;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.SymbolicRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A model that was read for all shapes of ranges. */
final class SymbolicModel {

  /** The number of invalid shapes in a message. */
  private static final int MAX_VIOLATIONS = 3;

  private final String source;
  private final ModelGraph graph;
  private final OnnxOptions options;
  private final DimensionRanges ranges;
  private final List<String> notes;

  private SymbolicModel(
      String source,
      ModelGraph graph,
      OnnxOptions options,
      DimensionRanges ranges,
      List<String> notes) {
    this.source = source;
    this.graph = graph;
    this.options = options;
    this.ranges = ranges;
    this.notes = notes;
  }

  /**
   * {@return the problem of a model}
   *
   * @param source the name of the file in messages
   * @param bytes the file
   * @param options the options
   * @param ranges the ranges of open dimensions
   * @throws IllegalArgumentException if a dimension has a size and a range
   */
  static SymbolicOnnxProblem read(
      String source, ByteBuffer bytes, OnnxOptions options, DimensionRanges ranges)
      throws IOException {
    Set<String> ranged = new LinkedHashSet<>();
    for (DimensionRange range : ranges.ranges()) {
      if (options.dimensions().containsKey(range.name())) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "dimension '%s' has a size and a range, expected one", range.name()));
      }
      ranged.add(range.name());
    }
    FixedDimensions fixed = new FixedDimensions(options.dimensions(), ranged);
    try {
      ModelGraph graph =
          GraphAssembly.assemble(source, fixed.applyTo(OnnxFile.parse(source, bytes)));
      List<String> notes = new ArrayList<>(graph.notes());
      fixed.misnamed().ifPresent(notes::add);
      DimensionRanges used =
          new DimensionRanges(
              ranges.ranges().stream().filter(range -> fixed.isUsed(range.name())).toList());
      return new SymbolicModel(source, graph, options, used, notes).problem(fixed.misnamed());
    } catch (MalformedFileException e) {
      throw LoadedModel.withMisnamed(source, e, fixed);
    }
  }

  private SymbolicOnnxProblem problem(Optional<String> misnamed) throws IOException {
    SymbolicTypes types = SymbolicTypes.of(graph, ranges, Map.of());
    if (isIncomplete(types)) {
      ShapeInference inference =
          ShapeInference.of(
              source,
              graph,
              options.scope(),
              ranges.shapeCount() == 1 ? options.observedTypes() : Map.of());
      types = SymbolicTypes.of(graph, ranges, inference.types());
      inference.failure().ifPresent(notes::add);
    }
    SymbolicRecords records =
        SymbolicRecords.of(graph, options.scope(), options.isAliased(), types);
    checkSizes(records);
    checkOpen(types, records, misnamed);
    checkNegative(types, records);
    if (!records.skipped().isEmpty()) {
      notes.add(LoadedModel.noteOn(records.skipped()));
    }
    if (options.isAliased()) {
      notes.add(noteOnViews(records.viewCount()));
    }
    if (!types.violations().isEmpty()) {
      notes.add(noteOn(types.violations()));
    }
    return new SymbolicOnnxProblem(
        checked(records, types), tensors(records, types), OnnxNode.of(graph), notes);
  }

  private boolean isIncomplete(SymbolicTypes types) {
    return PlannedValues.candidates(graph, options.scope()).stream()
        .anyMatch(value -> types.bytes(value) instanceof SymbolicBytes.Missing);
  }

  private void checkSizes(SymbolicRecords records) throws MalformedFileException {
    for (Map.Entry<GraphValue, String> value : records.tooLarge().entrySet()) {
      throw new MalformedFileException(
          source,
          tensor(value.getKey().name()),
          "has more than 2^63 - 1 bytes, expected fewer: "
              + MalformedFileException.excerpt(value.getValue()));
    }
    if (records.records().isEmpty() && !records.skipped().isEmpty()) {
      throw new MalformedFileException(
          source,
          "expected at least one tensor whose size can be expressed, but "
              + LoadedModel.noteOn(records.skipped()));
    }
  }

  /** Rejects sizes that depend on dimensions without a size or a range. */
  private void checkOpen(SymbolicTypes types, SymbolicRecords records, Optional<String> misnamed)
      throws OpenDimensionsException {
    Set<String> open = types.openDimensions();
    Set<String> needed = new LinkedHashSet<>();
    int count = 0;
    for (SymbolicRecord record : records.records()) {
      Set<String> names = new LinkedHashSet<>(record.bytes().dimensions());
      names.retainAll(open);
      needed.addAll(names);
      count += names.isEmpty() ? 0 : 1;
    }
    if (count > 0) {
      List<String> inOrder =
          FixedDimensions.openIn(graph).stream().filter(needed::contains).toList();
      throw OpenDimensionsException.of(source, misnamed, count, inOrder);
    }
  }

  /** Rejects ranges with shapes for which the model is invalid. */
  private void checkNegative(SymbolicTypes types, SymbolicRecords records)
      throws MalformedFileException {
    for (Map.Entry<GraphValue, String> value : types.negative(records.values()).entrySet()) {
      throw new MalformedFileException(
          source,
          tensor(value.getKey().name()),
          "has a negative dimension in the given ranges, expected ranges with valid shapes: "
              + MalformedFileException.excerpt(value.getValue()));
    }
  }

  private static String noteOnViews(int viewCount) {
    return switch (viewCount) {
      case 0 -> LoadedModel.NO_VIEWS;
      case 1 -> "1 tensor shares the memory of its input";
      default -> viewCount + " tensors share the memory of their inputs";
    };
  }

  private static String noteOn(List<String> violations) {
    return "the model is invalid for some shapes of the ranges: "
        + violations.stream().limit(MAX_VIOLATIONS).collect(Collectors.joining("; "))
        + (violations.size() > MAX_VIOLATIONS ? "; ..." : "");
  }

  private SymbolicProblem checked(SymbolicRecords records, SymbolicTypes types)
      throws MalformedFileException {
    try {
      return new SymbolicProblem(records.records(), ranges, 1);
    } catch (IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage());
      MalformedFileException malformed =
          new MalformedFileException(
              source,
              types.violations().isEmpty() ? reason : reason + "; " + noteOn(types.violations()));
      malformed.initCause(e);
      throw malformed;
    }
  }

  private static String tensor(String name) {
    return String.format(Locale.ROOT, "tensor '%s'", MalformedFileException.excerpt(name));
  }

  private List<PlannedTensor<SizeExpression>> tensors(
      SymbolicRecords records, SymbolicTypes types) {
    return PlannedTensor.of(
        graph,
        records.values(),
        records.views(),
        records::recordOf,
        value -> new OnnxTensorType<>(types.dimensions(value), types.elementType(value).name()));
  }
}
