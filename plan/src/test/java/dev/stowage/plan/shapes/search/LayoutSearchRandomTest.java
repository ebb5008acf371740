package dev.stowage.plan.shapes.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.LayoutChecker;
import dev.stowage.plan.shapes.RandomSymbolicProblems;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.ShapePoints;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.testing.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks layouts of random problems at all of their shapes. */
class LayoutSearchRandomTest {

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void run_anyProblem_layoutsAreValidForAllShapes(long seed) {
    Random random = new Random(seed);
    SymbolicProblem problem = new RandomSymbolicProblems(random).next();
    LayoutOptions options =
        LayoutOptions.defaults()
            .withTimeLimit(Duration.ofDays(1))
            .withNodeLimit(random.nextInt(3_000))
            .withBuckets(random.nextInt(1, 5));
    LayoutSearchResult result = LayoutSearch.of(problem, options).run();

    assertThat(LayoutChecker.violation(result.layout())).isEmpty();
    assertThat(LayoutChecker.violation(result.maximum().layout(), result.maximum().arenaBytes()))
        .isEmpty();
    assertThat(result.buckets()).hasSizeBetween(1, options.buckets());
    for (LayoutBucket bucket : result.buckets()) {
      assertThat(LayoutChecker.violation(bucket.layout(), bucket.arenaBytes())).isEmpty();
    }
    List<DimensionValues> points = ShapePoints.of(problem.ranges());
    assertThat(result.hasAllShapes()).isTrue();
    assertThat(result.shapes())
        .extracting(ComparedShape::shape)
        .containsExactlyInAnyOrderElementsOf(points);
    for (ComparedShape shape : result.shapes()) {
      checkShape(problem, result, shape);
    }
    assertThat(LayoutSearch.of(problem, options).run().layout().offsets())
        .isEqualTo(result.layout().offsets());
  }

  private static void checkShape(
      SymbolicProblem problem, LayoutSearchResult result, ComparedShape shape) {
    DimensionValues values = shape.shape();
    List<LayoutBucket> buckets =
        result.buckets().stream().filter(bucket -> bucket.ranges().contains(values)).toList();
    assertThat(buckets).containsExactly(result.bucketOf(values));
    for (ShapeLayout layout :
        List.of(result.layout(), result.maximum().layout(), buckets.getFirst().layout())) {
      assertThat(AssignmentChecker.violation(problem.at(values), layout.at(values))).isEmpty();
    }
    assertThat(shape.lowerBoundBytes()).isLessThanOrEqualTo(shape.bestBytes());
    assertThat(shape.bestBytes())
        .isLessThanOrEqualTo(shape.layoutBytes())
        .isLessThanOrEqualTo(shape.bucketBytes())
        .isLessThanOrEqualTo(result.maximum().arenaBytes());
    assertThat(shape.layoutBytes()).isEqualTo(result.layout().totalBytes(values));
    assertThat(shape.bucketBytes())
        .isEqualTo(buckets.getFirst().layout().totalBytes(values))
        .isLessThanOrEqualTo(shape.bucketArenaBytes());
    assertThat(shape.bucketArenaBytes()).isEqualTo(buckets.getFirst().arenaBytes());
  }
}
