package dev.stowage.plan.shapes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RangedProblemTest {

  static LongStream seeds() {
    return Seeds.of(150);
  }

  private static RangedProblem problem(DimensionRanges ranges, String... sizes) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      records.add(TensorUsageRecord.of(0, i, i + 1));
    }
    return RangedProblem.of(
        PlanProblem.of(records), Arrays.stream(sizes).map(SizeExpression::parse).toList(), ranges);
  }

  private static DimensionRanges n(long first, long last) {
    return DimensionRanges.of(new DimensionRange("n", first, last));
  }

  private static List<Long> bytes(PlanProblem problem) {
    return problem.records().stream().map(TensorUsageRecord::bytes).toList();
  }

  @Test
  void largest_sizesThatGrowAndFall_isThatOfEachRecord() {
    RangedProblem problem = problem(n(2, 9), "8*n", "100 - 10*n", "max(0, n - 5)", "7");

    assertThat(bytes(problem.largest())).containsExactly(72L, 80L, 4L, 7L);
    assertThat(bytes(problem.largest(n(4, 6)))).containsExactly(48L, 60L, 1L, 7L);
    assertThat(bytes(problem.at(DimensionValues.of("n", 3)))).containsExactly(24L, 70L, 0L, 7L);
    assertThat(problem.isSampled()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "n - 5; the size of record 0 must not be negative: n - 5 is -4 at n=1",
        "n/(n - 2); the size of record 0 is 'n/(n - 2)': a divisor must be positive: divisor=-1",
        "n*4611686018427387904; the size of record 0 is 'n*4611686018427387904': the value must be from -2^63 to 2^63 - 1",
        "m; dimension 'm' has no range"
      })
  void of_sizeThatIsNotValid_isRefused(String size, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> problem(n(1, 9), size))
        .withMessage(message);
  }

  @Test
  void of_windowOrOtherCount_isRefused() {
    PlanProblem windowed =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(8, 0, 3)
                    .withName("a")
                    .withGaps(List.of(new Gap(1, 1, 0, 4)))));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RangedProblem.of(windowed, List.of(SizeExpression.parse("8*n")), n(1, 2)))
        .withMessage(
            "record 0 'a': a record with a window in a gap must have a size without dimensions");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RangedProblem.of(windowed, List.of(), n(1, 2)))
        .withMessage("sizes and records must be equally many: sizes=0, records=1");
  }

  @Test
  void inPlace_recordThatCanBeLarger_isNotInPlace() {
    PlanProblem pairs =
        PlanProblem.of(
                List.of(
                    TensorUsageRecord.of(0, 0, 1),
                    TensorUsageRecord.of(0, 1, 2),
                    TensorUsageRecord.of(0, 2, 3),
                    TensorUsageRecord.of(0, 3, 4)))
            .withInPlace(List.of(new InPlace(1, 0), new InPlace(2, 1), new InPlace(3, 2)));
    List<SizeExpression> sizes =
        List.of(
            SizeExpression.parse("8*n"),
            SizeExpression.parse("8*n"),
            SizeExpression.parse("4*n + 8"),
            SizeExpression.parse("12"));

    assertThat(RangedProblem.of(pairs, sizes, n(1, 9)).largest().inPlace())
        .containsExactly(new InPlace(1, 0), new InPlace(3, 2));
  }

  @Test
  void points_oneDimension_areUpTo33() {
    assertThat(RangedProblem.samplePoints(n(3, 8)))
        .extracting(DimensionValues::toString)
        .containsExactly("n=3", "n=4", "n=5", "n=6", "n=7", "n=8");
    List<DimensionValues> points = RangedProblem.samplePoints(n(1, 4096));
    assertThat(points).hasSize(33).doesNotHaveDuplicates();
    assertThat(RangedProblem.samplePoints(n(1, 40))).hasSizeBetween(28, 33);
    assertThat(points.getFirst().get("n")).isEqualTo(1);
    assertThat(points.getLast().get("n")).isEqualTo(4096);
    assertThat(problem(n(1, 4096), "n").comparedPoints())
        .hasSize(9)
        .contains(points.getFirst(), points.getLast());
  }

  @Test
  void points_severalDimensions_areUpToNine() {
    DimensionRanges two =
        DimensionRanges.of(
            new DimensionRange("a", 1, 8),
            new DimensionRange("fixed", 5, 5),
            new DimensionRange("b", 1, 64));
    assertThat(RangedProblem.samplePoints(two))
        .extracting(DimensionValues::toString)
        .containsExactly(
            "a=1, fixed=5, b=1",
            "a=1, fixed=5, b=32",
            "a=1, fixed=5, b=64",
            "a=4, fixed=5, b=1",
            "a=4, fixed=5, b=32",
            "a=4, fixed=5, b=64",
            "a=8, fixed=5, b=1",
            "a=8, fixed=5, b=32",
            "a=8, fixed=5, b=64");
    DimensionRanges few =
        DimensionRanges.of(new DimensionRange("a", 1, 4), new DimensionRange("b", 2, 3));
    assertThat(RangedProblem.samplePoints(few)).hasSize(8);
    for (int count = 4; count < 40; count++) {
      List<DimensionRange> many = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        many.add(new DimensionRange("d" + i, 1, 3));
      }
      DimensionRanges ranges = new DimensionRanges(many);
      assertThat(RangedProblem.samplePoints(ranges))
          .hasSize(9)
          .doesNotHaveDuplicates()
          .contains(ranges.first(), ranges.last())
          .allMatch(ranges::contains);
    }
  }

  @Test
  void buckets_sizesOfOneDimension_minimizeTheSumOfTheArenas() {
    RangedProblem problem = problem(n(1, 4), "max(10, 100*(n - 3))");

    assertThat(ShapeBuckets.of(problem, 2, PlanProblem::naiveBytes))
        .containsExactly(n(1, 3), n(4, 4));
    assertThat(ShapeBuckets.of(problem, 9, PlanProblem::naiveBytes))
        .as("more parts save nothing")
        .containsExactly(n(1, 3), n(4, 4));
    assertThat(ShapeBuckets.of(problem, 1, PlanProblem::naiveBytes)).containsExactly(n(1, 4));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShapeBuckets.of(problem, 0, PlanProblem::naiveBytes))
        .withMessage("count must be positive: count=0");
  }

  /** Every shape by brute force: the plan is valid there, and no shape alone needs more. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void largest_anyProblem_planIsValidAtEveryShape(long seed) {
    Random random = new Random(seed);
    DimensionRanges ranges =
        RandomRanges.of(
            RandomExpressions.NAMES.subList(0, 1 + random.nextInt(3)),
            1 + random.nextInt(7),
            random);
    RangedProblem problem = any(ranges, random);
    List<DimensionRanges> parts =
        ShapeBuckets.of(problem, 1 + random.nextInt(4), it -> best(it).totalBytes());
    List<OffsetsAssignment> plans = parts.stream().map(it -> best(problem.largest(it))).toList();
    OffsetsAssignment plan = best(problem.largest());

    for (DimensionValues shape : RandomRanges.all(ranges)) {
      PlanProblem one = problem.at(shape);
      long least = best(one).totalBytes();
      assertThat(AssignmentChecker.violation(one, plan)).as("%s", shape).isEmpty();
      assertThat(plan.totalBytes()).as("%s", shape).isGreaterThanOrEqualTo(least);
      List<Integer> inside = new ArrayList<>();
      for (int i = 0; i < parts.size(); i++) {
        if (parts.get(i).contains(shape)) {
          inside.add(i);
        }
      }
      assertThat(inside).as("the parts of %s in %s", shape, parts).hasSize(1);
      OffsetsAssignment ofPart = plans.get(inside.getFirst());
      assertThat(AssignmentChecker.violation(one, ofPart)).as("%s", shape).isEmpty();
      assertThat(ofPart.totalBytes()).isBetween(least, plan.totalBytes());
    }
  }

  private static RangedProblem any(DimensionRanges ranges, Random random) {
    List<String> names = ranges.ranges().stream().map(DimensionRange::name).toList();
    List<TensorUsageRecord> records = new ArrayList<>();
    List<SizeExpression> sizes = new ArrayList<>();
    List<InPlace> pairs = new ArrayList<>();
    int count = 1 + random.nextInt(7);
    for (int i = 0; i < count; i++) {
      int first = random.nextInt(6);
      records.add(
          TensorUsageRecord.of(0, first, first + random.nextInt(4))
              .withAlignment(random.nextInt(4) == 0 ? 8 : 1));
      String name = names.get(random.nextInt(names.size()));
      String other = names.get(random.nextInt(names.size()));
      sizes.add(
          SizeExpression.parse(
              switch (random.nextInt(6)) {
                case 0 -> "" + random.nextInt(50);
                case 1 -> random.nextInt(9) + "*" + name;
                case 2 -> "max(0, 30 - " + random.nextInt(9) + "*" + name + "*" + other + ")";
                case 3 -> "ceil(" + name + "*" + other + "/4)*" + random.nextInt(5);
                case 4 -> "roundup(" + name + " + " + other + ", 4)";
                default -> "min(" + name + ", 3)*" + other + "/2 + " + random.nextInt(20);
              }));
    }
    for (int i = 1; i < count; i++) {
      if (records.get(i - 1).lastTask() == records.get(i).firstTask()) {
        pairs.add(new InPlace(i, i - 1));
      }
    }
    return RangedProblem.of(PlanProblem.of(records).withInPlace(pairs), sizes, ranges);
  }

  private static OffsetsAssignment best(PlanProblem problem) {
    return OffsetsSearch.of(problem, SearchOptions.defaults().withNodeLimit(20_000))
        .run()
        .assignment();
  }

  /** Sizes that are known only at some shapes. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void sampled_anySizes_planIsValidAtTheSamples(long seed) {
    Random random = new Random(seed);
    DimensionRanges ranges =
        RandomRanges.of(RandomExpressions.NAMES.subList(0, 1 + random.nextInt(3)), 50, random);
    RangedProblem exact = any(ranges, random);
    Map<DimensionValues, long[]> sizes = new LinkedHashMap<>();
    for (DimensionValues shape : RangedProblem.samplePoints(ranges)) {
      if (sizes.isEmpty() || random.nextInt(4) > 0) {
        sizes.put(
            shape,
            exact.at(shape).records().stream().mapToLong(TensorUsageRecord::bytes).toArray());
      }
    }
    RangedProblem problem = RangedProblem.sampled(exact.largest(), sizes, ranges);
    List<DimensionRanges> parts =
        ShapeBuckets.of(problem, 3, it -> MemoryStrategy.TFLM_GREEDY.planOffsets(it).totalBytes());

    assertThat(problem.isSampled()).isTrue();
    assertThat(problem.points()).containsExactlyInAnyOrderElementsOf(sizes.keySet());
    assertThat(parts.stream().mapToLong(DimensionRanges::shapeCount).sum())
        .isEqualTo(ranges.shapeCount());
    OffsetsAssignment plan = best(problem.largest());
    for (DimensionValues shape : problem.points()) {
      assertThat(AssignmentChecker.violation(problem.at(shape), plan)).isEmpty();
      DimensionRanges part = parts.stream().filter(it -> it.contains(shape)).findFirst().get();
      assertThat(AssignmentChecker.violation(problem.at(shape), best(problem.largest(part))))
          .isEmpty();
    }
  }
}
