package dev.stowage.plan.shapes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.plan.Gap;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SymbolicProblemTest {

  private static final DimensionRanges RANGES = DimensionRanges.of(new DimensionRange("n", 1, 9));

  private static SymbolicProblem problem(String size) {
    return new SymbolicProblem(
        List.of(SymbolicRecord.of(SizeExpression.parse(size), 0, 1).withName("t")), RANGES, 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "n - 2;the size of record 0 't' must not be negative: n - 2 is -1 at n=1",
        "m;record 0 't' has the size m, but dimension 'm' has no range",
        "n/(n - 1);the size of record 0 't' must not be negative: the divisor n - 1 is 0 at n=1",
        "n*n*1152921504606846976;records up to record 0 't' may need more than 2^63 - 1 bytes: size 1152921504606846976*n*n, alignment=1",
      })
  void constructor_sizeThatIsInvalidForAShape_isAnError(String size, String message) {
    assertThatIllegalArgumentException().isThrownBy(() -> problem(size)).withMessage(message);
  }

  @Test
  void constructor_wrongAlignment_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SymbolicProblem(List.of(), RANGES, 0))
        .withMessage("alignment must be positive: alignment=0");
  }

  @Test
  void record_unsupportedConstraints_areErrors() {
    SizeExpression n = SizeExpression.dimension("n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SymbolicRecord.of(n, TensorUsageRecord.of(8, 0, 1).pinnedAt(64)))
        .withMessage("a record whose size depends on dimensions cannot be pinned: pinnedOffset=64");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            SymbolicRecord.of(
                n, TensorUsageRecord.of(8, 0, 2).withGaps(List.of(new Gap(1, 1, 0, 8)))))
        .withMessage("a record whose size depends on dimensions cannot have a gap with a window");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SymbolicRecord.of(n, 3, 2))
        .withMessage("firstTask must not be after lastTask: firstTask=3, lastTask=2");
  }

  @Test
  void at_shapeOutsideTheRanges_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> problem("n").at(DimensionValues.of("n", 10)))
        .withMessage("the shape is not within the ranges: shape n=10, ranges n=1..9");
    assertThat(problem("2*n").at(DimensionValues.of("n", 3)).records())
        .containsExactly(TensorUsageRecord.of(6, 0, 1).withName("t"));
  }

  @ParameterizedTest
  @CsvSource({"0, 5", "6, 5", "-1, 4"})
  void range_withoutPositiveValues_isAnError(long first, long last) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DimensionRange("n", first, last))
        .withMessage(
            "the range of dimension 'n' must satisfy 1 <= first <= last: first="
                + first
                + ", last="
                + last);
  }

  @Test
  void ranges_ofTheSameDimension_areAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> DimensionRanges.of(new DimensionRange("n", 1, 2), new DimensionRange("n", 3, 4)))
        .withMessage("dimension 'n' has two ranges");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DimensionValues.of("n", 0))
        .withMessage("a dimension must be positive: n=0");
  }

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void largest_anyProblem_hasTheLargestSizes(long seed) {
    SymbolicProblem problem = new RandomSymbolicProblems(new Random(seed)).next();
    List<TensorUsageRecord> largest = problem.largest().records();
    List<TensorUsageRecord> bounds = problem.largestWithin(problem.ranges()).records();
    for (int i = 0; i < largest.size(); i++) {
      SizeExpression bytes = problem.records().get(i).bytes();
      long exact =
          ShapePoints.of(problem.ranges()).stream().mapToLong(bytes::evaluate).max().orElseThrow();
      assertThat(largest.get(i).bytes()).as("%s", bytes).isEqualTo(exact);
      assertThat(bounds.get(i).bytes()).isGreaterThanOrEqualTo(exact);
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void firstOutside_anyParts_isAShapeOfNone(long seed) {
    Random random = new Random(seed);
    DimensionRanges all =
        DimensionRanges.of(
            new DimensionRange("a", 1, random.nextInt(1, 6)),
            new DimensionRange("b", 3, random.nextInt(3, 7)));
    List<DimensionRanges> parts =
        random
            .ints(random.nextInt(6))
            .mapToObj(ignored ->
                new DimensionRanges(
                    all.ranges().stream().map(range -> part(range, random)).toList()))
            .toList();
    List<DimensionValues> outside =
        ShapePoints.of(all).stream()
            .filter(shape -> parts.stream().noneMatch(part -> part.contains(shape)))
            .toList();
    if (outside.isEmpty()) {
      assertThat(all.firstOutside(parts)).isEmpty();
    } else {
      assertThat(outside).contains(all.firstOutside(parts).orElseThrow());
    }
  }

  private static DimensionRange part(DimensionRange range, Random random) {
    long first = random.nextLong(range.first(), range.last() + 1);
    long last = random.nextLong(first, range.last() + 1);
    return random.nextBoolean()
        ? new DimensionRange(range.name(), range.first(), last)
        : new DimensionRange(range.name(), first, range.last());
  }
}
