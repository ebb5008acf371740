package dev.stowage.plan.shapes.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.RandomSymbolicProblems;
import dev.stowage.plan.shapes.ShapePoints;
import dev.stowage.plan.shapes.SizeExpression;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.SymbolicRecord;
import dev.stowage.plan.time.TaskLoad;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares fits of orders with a walk over all tasks. */
class RecordStackTest {

  static LongStream seeds() {
    return Seeds.of(400);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void fits_anyOrder_agreeWithAWalkOverAllTasks(long seed) {
    Random random = new Random(seed);
    SymbolicProblem problem = new RandomSymbolicProblems(random).next();
    OrderFit fit = new OrderFit(problem);
    List<Integer> records =
        new ArrayList<>(IntStream.range(0, problem.records().size()).boxed().toList());
    Collections.shuffle(records, random);
    RecordStack stack = fit.stack(records.stream().mapToInt(i -> i).toArray());
    List<DimensionValues> shapes = ShapePoints.of(problem.ranges());
    long[] totals = stack.totals(ShapeSizes.of(problem, shapes));
    for (int i = 0; i < totals.length; i++) {
      PlanProblem atShape = problem.at(shapes.get(i));
      long[] ofRecords = problem.bytesAt(shapes.get(i));
      long[] offsets = naiveOffsets(problem, atShape, records);
      long total = total(offsets, ofRecords);

      assertThat(ofRecords).isEqualTo(ShapeSizes.of(atShape));
      assertThat(stack.offsets(ofRecords)).isEqualTo(offsets);
      assertThat(stack.total(ofRecords)).isEqualTo(total);
      assertThat(totals[i]).isEqualTo(total);
      assertThat(fit.lowerBound(ofRecords)).isEqualTo(TaskLoad.minArenaBytes(atShape));
      checkPath(stack.criticalPath(ofRecords), records, offsets, ofRecords);
    }
  }

  /** Returns offsets above all records before that need bytes at a common task. */
  private static long[] naiveOffsets(
      SymbolicProblem problem, PlanProblem atShape, List<Integer> order) {
    long[] tops = new long[16];
    long[] offsets = new long[order.size()];
    for (int record : order) {
      TensorUsageRecord placed = atShape.records().get(record);
      int[] tasks =
          IntStream.rangeClosed((int) placed.firstTask(), (int) placed.lastTask())
              .filter(task ->
                  placed.gaps().stream()
                      .noneMatch(gap -> gap.firstTask() <= task && task <= gap.lastTask()))
              .toArray();
      long top = IntStream.of(tasks).mapToLong(task -> tops[task]).max().orElse(0);
      long alignment = problem.alignmentOf(problem.records().get(record));
      offsets[record] = Math.ceilDiv(top, alignment) * alignment;
      for (int task : tasks) {
        tops[task] = offsets[record] + placed.bytes();
      }
    }
    return offsets;
  }

  private static long total(long[] offsets, long[] sizes) {
    return IntStream.range(0, sizes.length).mapToLong(i -> offsets[i] + sizes[i]).max().orElse(0);
  }

  private static void checkPath(int[] path, List<Integer> order, long[] offsets, long[] sizes) {
    int top = order.get(path[0]);
    assertThat(offsets[top] + sizes[top]).isEqualTo(total(offsets, sizes));
    for (int i = 1; i < path.length; i++) {
      int upper = order.get(path[i - 1]);
      int lower = order.get(path[i]);
      assertThat(path[i]).isLessThan(path[i - 1]);
      assertThat(offsets[lower] + sizes[lower]).isPositive().isLessThanOrEqualTo(offsets[upper]);
    }
  }

  @Test
  void belowCount_longLifetimes_isAtMostThreeForEachRecord() {
    Random random = new Random(1);
    List<SymbolicRecord> records = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      int first = random.nextInt(5_000);
      records.add(SymbolicRecord.of(SizeExpression.of(1), first, first + random.nextInt(1, 2_000)));
    }
    SymbolicProblem problem =
        new SymbolicProblem(records, DimensionRanges.of(new DimensionRange("n", 1, 2)), 1);
    RecordStack stack = new OrderFit(problem).stack(IntStream.range(0, 5_000).toArray());

    assertThat(stack.belowCount()).isLessThan(3 * 5_000);
  }
}
