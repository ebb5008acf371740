package dev.stowage.onnx;

import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.RangedProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The problems of a model at several shapes, merged into one by the names of the tensors. */
final class RangedModel {

  /**
   * A reader of the model at one shape.
   *
   * <p>It throws a {@link MalformedFileException} if the model is not valid at the shape.
   */
  interface Reader {
    OnnxProblem read(OnnxOptions options) throws IOException;
  }

  /** A tensor at all shapes that were read. */
  private static final class Merged {
    private PlannedTensor tensor;
    private TensorUsageRecord record;

    /** The number of shapes at which the tensor has bytes. */
    private int count;

    Merged(PlannedTensor tensor, TensorUsageRecord record) {
      this.tensor = tensor;
      this.record = record;
    }

    void add(PlannedTensor other, TensorUsageRecord at) {
      tensor = at.bytes() > record.bytes() ? other : tensor;
      record =
          TensorUsageRecord.of(
                  Math.max(record.bytes(), at.bytes()),
                  Math.min(record.firstTask(), at.firstTask()),
                  Math.max(record.lastTask(), at.lastTask()))
              .withName(at.name());
      count++;
    }
  }

  private final String source;
  private final DimensionRanges ranges;
  private final Map<DimensionValues, OnnxProblem> problems = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  private RangedModel(String source, DimensionRanges ranges) {
    this.source = source;
    this.ranges = ranges;
  }

  /**
   * {@return the problem of a model}
   *
   * @param source the name of the file in messages
   * @param applied sizes of the dimensions with ranges, which were applied to the model
   * @throws IllegalArgumentException if a dimension has a size and a range
   */
  static RangedOnnxProblem read(
      String source,
      OnnxOptions options,
      DimensionRanges ranges,
      FixedDimensions applied,
      Reader reader)
      throws IOException {
    List<DimensionRange> used = new ArrayList<>();
    OnnxOptions others = options; // a note names sizes of dimensions that the model does not have
    for (DimensionRange range : ranges.ranges()) {
      if (options.dimensions().containsKey(range.name())) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "dimension '%s' has a size and a range, expected one", range.name()));
      }
      if (applied.isUsed(range.name())) {
        used.add(range);
      } else {
        others = others.withDimension(range.name(), range.last());
      }
    }
    RangedModel model = new RangedModel(source, new DimensionRanges(used));
    model.readPoints(others, reader);
    return model.merged();
  }

  /** {@return the options with the sizes of a shape} */
  static OnnxOptions at(OnnxOptions options, DimensionValues shape) {
    OnnxOptions fixed = options;
    for (Map.Entry<String, Long> dimension : shape.toMap().entrySet()) {
      fixed = fixed.withDimension(dimension.getKey(), dimension.getValue());
    }
    return fixed;
  }

  private void readPoints(OnnxOptions options, Reader reader) throws IOException {
    Optional<MalformedFileException> failure = Optional.empty();
    for (DimensionValues shape : RangedProblem.samplePoints(ranges)) {
      try {
        problems.put(shape, reader.read(at(options, shape)));
      } catch (MalformedFileException e) {
        notes.add(
            String.format(
                Locale.ROOT,
                "not valid at %s: %s",
                shape,
                String.valueOf(e.getMessage()).substring(e.source().length() + 2)));
        failure = failure.or(() -> Optional.of(e));
      }
    }
    if (problems.isEmpty()) {
      throw failure.orElseThrow();
    }
  }

  private RangedOnnxProblem merged() throws MalformedFileException {
    Map<String, Merged> byName = new HashMap<>();
    for (OnnxProblem problem : problems.values()) {
      for (int i = 0; i < problem.tensors().size(); i++) {
        PlannedTensor tensor = problem.tensors().get(i);
        TensorUsageRecord record = problem.problem().records().get(i);
        byName.computeIfAbsent(tensor.name(), _ -> new Merged(tensor, record)).add(tensor, record);
      }
    }
    // Records are in the order of their first tasks, as at one shape.
    List<Merged> all = new ArrayList<>();
    problems.values().stream()
        .flatMap(problem -> problem.tensors().stream())
        .map(PlannedTensor::name)
        .distinct()
        .map(byName::get)
        .sorted(Comparator.comparingLong(merged -> merged.record.firstTask()))
        .forEach(all::add);
    Map<String, Integer> indices = new HashMap<>();
    all.forEach(merged -> indices.put(merged.tensor.name(), indices.size()));
    OnnxProblem last = List.copyOf(problems.values()).getLast();
    notes.addAll(last.notes());
    try {
      PlanProblem merged =
          PlanProblem.of(all.stream().map(it -> it.record.withBytes(0)).toList())
              .withInPlace(inPlace(all, indices));
      return new RangedOnnxProblem(
          RangedProblem.sampled(merged, sizes(indices), ranges),
          all.stream().map(it -> it.tensor).toList(),
          last.nodes(),
          notes);
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(source, String.valueOf(e.getMessage()));
    }
  }

  private Map<DimensionValues, long[]> sizes(Map<String, Integer> indices) {
    Map<DimensionValues, long[]> sizes = new LinkedHashMap<>();
    problems.forEach((shape, problem) -> {
      long[] bytes = new long[indices.size()];
      for (int i = 0; i < problem.tensors().size(); i++) {
        bytes[index(indices, problem.tensors().get(i))] =
            problem.problem().records().get(i).bytes();
      }
      sizes.put(shape, bytes);
    });
    return sizes;
  }

  private static int index(Map<String, Integer> indices, PlannedTensor tensor) {
    return Objects.requireNonNull(indices.get(tensor.name()));
  }

  /**
   * {@return the pairs in place that all shapes have, except for shapes without bytes of the
   * record}
   */
  private List<InPlace> inPlace(List<Merged> all, Map<String, Integer> indices) {
    Map<InPlace, Integer> counts = new LinkedHashMap<>();
    for (OnnxProblem problem : problems.values()) {
      List<PlannedTensor> tensors = problem.tensors();
      for (InPlace pair : problem.problem().inPlace()) {
        counts.merge(
            new InPlace(
                index(indices, tensors.get(pair.record())),
                index(indices, tensors.get(pair.source()))),
            1,
            Integer::sum);
      }
    }
    return counts.entrySet().stream()
        .filter(pair -> pair.getValue() == all.get(pair.getKey().record()).count)
        .map(Map.Entry::getKey)
        .filter(pair ->
            all.get(pair.source()).record.lastTask() == all.get(pair.record()).record.firstTask())
        .toList();
  }
}
