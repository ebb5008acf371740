package dev.stowage.plan.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.Violation;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the checker of layouts with checks of the plans of all shapes. */
class LayoutCheckerRandomTest {

  static LongStream seeds() {
    return Seeds.of(400);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void violation_anyLayout_isThatOfAShape(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 10; i++) {
      SymbolicProblem problem = new RandomSymbolicProblems(random).next();
      ShapeLayout layout = ShapeLayout.of(problem, offsets(problem, random));
      long arena = random.nextInt(4) == 0 ? random.nextInt(200) : Long.MAX_VALUE;
      Optional<Violation> found = LayoutChecker.violation(layout, arena);
      List<DimensionValues> invalid =
          ShapePoints.of(problem.ranges()).stream()
              .filter(shape -> !isValid(problem.at(shape), layout.at(shape), arena))
              .toList();
      if (found.isEmpty()) {
        assertThat(invalid).as(problem + " " + layout.offsets()).isEmpty();
      } else {
        assertThat(found.get().shape()).as(found.get() + " " + layout.offsets()).isNotEmpty();
        assertThat(invalid).contains(DimensionValues.of(found.get().shape()));
      }
      assertThat(layout.offsets())
          .allSatisfy(offset ->
              assertThat(LayoutOffset.parse(offset.toString()))
                  .as(offset.toString())
                  .isEqualTo(offset));
    }
  }

  private static boolean isValid(PlanProblem problem, OffsetsAssignment plan, long arena) {
    return plan.totalBytes() <= arena && AssignmentChecker.violation(problem, plan).isEmpty();
  }

  /** Returns formulas of a random order of the records; some are wrong. */
  private static List<LayoutOffset> offsets(SymbolicProblem problem, Random random) {
    int count = problem.records().size();
    List<Integer> order = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    Collections.shuffle(order, random);
    LayoutOffset[] offsets = new LayoutOffset[count];
    int mistakes = random.nextInt(3);
    for (int position = 0; position < count; position++) {
      int record = order.get(position);
      List<Integer> below = new ArrayList<>();
      for (int other : order.subList(0, position)) {
        boolean overlaps =
            problem.records().get(other).firstTask() <= problem.records().get(record).lastTask()
                && problem.records().get(record).firstTask()
                    <= problem.records().get(other).lastTask();
        if (overlaps && (mistakes == 0 || random.nextInt(8) > 0)) {
          below.add(other);
        }
      }
      long alignment = problem.alignmentOf(problem.records().get(record));
      offsets[record] =
          LayoutOffset.above(below, mistakes > 1 && random.nextInt(5) == 0 ? 1 : alignment);
      if (random.nextInt(6) == 0) {
        offsets[record] = constantOrExpression(problem, random, below, alignment);
      }
    }
    return List.of(offsets);
  }

  private static LayoutOffset constantOrExpression(
      SymbolicProblem problem, Random random, List<Integer> below, long alignment) {
    SizeExpression sum = SizeExpression.ZERO;
    for (int other : below) {
      sum = sum.plus(problem.records().get(other).bytes());
    }
    return switch (random.nextInt(3)) {
      case 0 -> LayoutOffset.of(SizeExpression.of(random.nextInt(0, 200)));
      case 1 -> LayoutOffset.of(sum.roundUpTo(alignment));
      default -> new LayoutOffset(sum, List.of(), alignment);
    };
  }
}
