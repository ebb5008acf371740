package dev.stowage.cli.input;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.RangedProblem;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The sizes of a file that are expressions of dimensions, and the ranges of the dimensions. */
final class RangedSizes {

  /**
   * The bytes of a record until {@link #fixed} or {@link #problem} sets its size: the largest
   * number, so that each window of a gap fits.
   */
  static final long LARGEST_BYTES = Long.MAX_VALUE;

  private final String source;

  /** The dimensions of the command line. */
  private final GivenDimensions given;

  private final Map<String, DimensionRange> ranges = new LinkedHashMap<>();
  private final Map<Integer, SizeExpression> sizes = new HashMap<>();

  RangedSizes(String source, GivenDimensions given) {
    this.source = source;
    this.given = given;
    given.ranges().ranges().forEach(range -> ranges.put(range.name(), range));
  }

  /** Adds the range of a dimension in the file, unless the command line sets the dimension. */
  void declare(DimensionRange range) {
    if (given.ranges().range(range.name()).isEmpty()) {
      ranges.merge(
          range.name(),
          range,
          (a, b) ->
              new DimensionRange(
                  a.name(), Math.min(a.first(), b.first()), Math.max(a.last(), b.last())));
    }
  }

  /**
   * {@return the size of a record, or {@link #LARGEST_BYTES} if it depends on dimensions}
   *
   * @throws IllegalArgumentException if the text is not an expression, or depends on a dimension of
   *     size 0
   */
  long add(int record, String text) {
    SizeExpression size = SizeExpression.parse(text);
    for (String name : size.dimensions()) {
      if (given.empty().contains(name)) {
        throw new IllegalArgumentException(
            Text.of(
                "size '%s' depends on '%s', which is 0, expected --dim %s=1 or more",
                MalformedFileException.excerpt(text),
                MalformedFileException.excerpt(name),
                MalformedFileException.excerpt(name)));
      }
    }
    if (size.constant().isPresent()) {
      return size.constant().getAsLong();
    }
    sizes.put(record, size);
    return LARGEST_BYTES;
  }

  /** {@return true if the command line or the file has dimensions} */
  boolean hasDimensions() {
    return !ranges.isEmpty() || !given.empty().isEmpty();
  }

  /** {@return true if the size of a record depends on dimensions} */
  boolean dependsOnDimensions(int record) {
    return sizes.containsKey(record);
  }

  /** {@return true if the command line or the file has a dimension} */
  boolean hasDimension(String name) {
    return ranges.containsKey(name) || given.empty().contains(name);
  }

  /** {@return true if a size depends on a dimension that is not fixed} */
  boolean isOpen() {
    return sizes.values().stream()
        .flatMap(size -> size.dimensions().stream())
        .anyMatch(name -> !isFixed(name));
  }

  private boolean isFixed(String name) {
    DimensionRange range = ranges.get(name);
    return range != null && range.first() == range.last();
  }

  /**
   * {@return a note on dimensions of the command line that no size depends on, if there are any}
   */
  List<String> notes() {
    Set<String> used = new LinkedHashSet<>();
    sizes.values().forEach(size -> used.addAll(size.dimensions()));
    List<String> unused =
        Stream.concat(
                given.ranges().ranges().stream().map(DimensionRange::name),
                given.empty().stream().sorted())
            .filter(name -> !used.contains(name))
            .map(name -> "'" + MalformedFileException.excerpt(name) + "'")
            .toList();
    return unused.isEmpty()
        ? List.of()
        : List.of("no size depends on --dim " + String.join(", ", unused));
  }

  /**
   * {@return the records with the sizes of their expressions; each dimension has one size}
   *
   * @throws IllegalArgumentException if a size is negative or too large
   */
  List<TensorUsageRecord> fixed(List<TensorUsageRecord> records) {
    if (sizes.isEmpty()) {
      return records;
    }
    DimensionValues shape =
        new DimensionRanges(
                ranges.values().stream().filter(range -> isFixed(range.name())).toList())
            .first();
    List<TensorUsageRecord> fixed = new ArrayList<>(records);
    sizes.forEach((index, size) -> {
      TensorUsageRecord record = records.get(index);
      try {
        fixed.set(index, record.withBytes(size.evaluate(shape)));
      } catch (ArithmeticException | IllegalArgumentException e) {
        throw new IllegalArgumentException(record.label(index) + ": " + e.getMessage(), e);
      }
    });
    return fixed;
  }

  /**
   * {@return the problem for all shapes; a dimension is open}
   *
   * @throws MalformedFileException if a dimension has no range
   * @throws IllegalArgumentException if a gap has a window and the size is not constant, or a size
   *     is negative for a shape
   */
  RangedProblem problem(
      List<TensorUsageRecord> records,
      List<RecordLabel> labels,
      Optional<ReuseGraph> graph,
      List<InPlace> inPlace)
      throws MalformedFileException {
    List<TensorUsageRecord> withoutSizes = new ArrayList<>(records);
    List<SizeExpression> all = new ArrayList<>();
    Set<String> used = new LinkedHashSet<>();
    for (int i = 0; i < records.size(); i++) {
      TensorUsageRecord record = records.get(i);
      SizeExpression size = sizes.get(i);
      if (size == null) {
        all.add(SizeExpression.of(record.bytes()));
        continue;
      }
      checkRanges(labels.get(i), size);
      if (record.gaps().stream().anyMatch(gap -> gap.windowBytes() > 0)) {
        throw new IllegalArgumentException(
            record.label(i)
                + ": a record whose size depends on dimensions cannot have a gap with a window");
      }
      used.addAll(size.dimensions());
      withoutSizes.set(i, record.withBytes(0));
      all.add(size);
    }
    List<DimensionRange> usedRanges =
        ranges.values().stream().filter(range -> used.contains(range.name())).toList();
    return RangedProblem.of(
        new PlanProblem(withoutSizes, 1, graph).withInPlace(inPlace),
        all,
        new DimensionRanges(usedRanges));
  }

  private void checkRanges(RecordLabel label, SizeExpression size) throws MalformedFileException {
    for (String name : size.dimensions()) {
      if (!ranges.containsKey(name)) {
        throw new MalformedFileException(
            source,
            Text.of(
                "record '%s' has the size '%s', but dimension '%s' has no range, expected one such as --dim %s=1..32",
                MalformedFileException.excerpt(label.id()),
                MalformedFileException.excerpt(size.toString()),
                MalformedFileException.excerpt(name),
                MalformedFileException.excerpt(name)));
      }
    }
  }
}
