package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.RangedProblem;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The sizes of a file that are expressions of dimensions, and the ranges of the dimensions. */
final class RangedSizes {

  /**
   * A size that depends on dimensions.
   *
   * @param place the place of the record in the file
   * @param label the record in messages
   */
  private record Sized(SizeExpression size, String place, String label) {}

  private final String source;

  /** The dimensions of the command line. */
  private final GivenDimensions given;

  private final Map<String, DimensionRange> ranges = new LinkedHashMap<>();
  private final Map<Integer, Sized> sizes = new HashMap<>();

  RangedSizes(String source, GivenDimensions given) {
    this.source = source;
    this.given = given;
    given.ranges().ranges().forEach(this::declare);
  }

  /** Adds the range of a dimension in the file, unless the command line sets the dimension. */
  void declare(DimensionRange range) {
    if (!given.empty().contains(range.name())) {
      ranges.putIfAbsent(range.name(), range);
    }
  }

  /**
   * {@return the size of a record, or 0 if it depends on dimensions}
   *
   * @param place the place of the record in the file
   * @param label the record in messages
   * @throws IllegalArgumentException if the text is not an expression
   */
  long add(int record, String text, String place, String label) {
    SizeExpression size = SizeExpression.parse(text);
    if (size.constant().isPresent()) {
      return size.constant().getAsLong();
    }
    sizes.put(record, new Sized(size, place, label));
    return 0;
  }

  /** {@return true if the size of a record depends on dimensions} */
  boolean dependsOnDimensions(int record) {
    return sizes.containsKey(record);
  }

  /** {@return true if no size depends on dimensions} */
  boolean isEmpty() {
    return sizes.isEmpty();
  }

  /**
   * {@return a note on dimensions of the command line that no size depends on, if there are any}
   */
  List<String> notes() {
    Set<String> used = used();
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

  private Set<String> used() {
    Set<String> used = new LinkedHashSet<>();
    sizes.values().forEach(sized -> used.addAll(sized.size.dimensions()));
    return used;
  }

  /**
   * {@return the problem for all shapes}
   *
   * @param problem the records, without the sizes that depend on dimensions
   * @throws MalformedFileException if a dimension has no range
   * @throws IllegalArgumentException if a size is negative for a shape or too large
   */
  RangedProblem of(PlanProblem problem) throws MalformedFileException {
    List<SizeExpression> all = new ArrayList<>();
    for (int i = 0; i < problem.records().size(); i++) {
      Sized sized = sizes.get(i);
      if (sized != null) {
        checkRanges(sized);
      }
      all.add(sized == null ? SizeExpression.of(problem.records().get(i).bytes()) : sized.size);
    }
    Set<String> used = used();
    return RangedProblem.of(
        problem,
        all,
        new DimensionRanges(
            ranges.values().stream().filter(range -> used.contains(range.name())).toList()));
  }

  private void checkRanges(Sized sized) throws MalformedFileException {
    for (String name : sized.size.dimensions()) {
      if (!ranges.containsKey(name)) {
        String dimension = MalformedFileException.excerpt(name);
        throw new MalformedFileException(
            source,
            sized.place,
            Text.of(
                "%s: size is '%s', expected a whole number below 2^63, or a range of 1 or more for '%s' such as --dim %s=1..32",
                sized.label,
                MalformedFileException.excerpt(sized.size.toString()),
                dimension,
                dimension));
      }
    }
  }
}
