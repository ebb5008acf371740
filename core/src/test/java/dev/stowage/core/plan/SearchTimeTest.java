package dev.stowage.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How soon a search ends after its limit, for lifetimes of all shapes; counted, not measured. */
class SearchTimeTest {

  private static final long MILLI_NANOS = 1_000_000;

  /** As many questions after the limit as quick plans may ask, and a few for each later phase. */
  private static final long QUESTIONS_AFTERWARDS = 150 + 100;

  /** Lifetimes of records. */
  enum Shape {
    STAIRCASE {
      @Override
      TensorUsageRecord record(int i, int count, long bytes, Random random) {
        return TensorUsageRecord.of(bytes, i, i + count / 10);
      }
    },
    NESTED {
      @Override
      TensorUsageRecord record(int i, int count, long bytes, Random random) {
        return TensorUsageRecord.of(bytes, i, 2L * count - i);
      }
    },
    RANDOM {
      @Override
      TensorUsageRecord record(int i, int count, long bytes, Random random) {
        int a = random.nextInt(2 * count);
        int b = random.nextInt(2 * count);
        return TensorUsageRecord.of(bytes, Math.min(a, b), Math.max(a, b));
      }
    },
    WINDOWS {
      @Override
      TensorUsageRecord record(int i, int count, long bytes, Random random) {
        long first = random.nextInt(count);
        Gap gap = new Gap(first + 3, first + 3 + count / 4, bytes / 3, bytes / 2);
        return TensorUsageRecord.of(bytes, first, first + count / 2).withGaps(List.of(gap));
      }
    };

    abstract TensorUsageRecord record(int i, int count, long bytes, Random random);

    PlanProblem problem(int count) {
      Random random = new Random(count);
      List<TensorUsageRecord> records = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        records.add(record(i, count, 16L + 8L * random.nextInt(4000), random));
      }
      return PlanProblem.of(records);
    }
  }

  /** A clock that goes on by a millisecond whenever it is asked. */
  private static final class AskedClock implements LongSupplier {

    private long asked;

    @Override
    public synchronized long getAsLong() {
      return MILLI_NANOS * asked++;
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void offsets_anyShapeAndLimit_endSoonAfterIt(Shape shape) {
    PlanProblem problem = shape.problem(1_000);
    for (long limitMillis : new long[] {0, 20, 250}) {
      AskedClock clock = new AskedClock();
      SearchOptions options =
          SearchOptions.defaults().withTimeLimit(Duration.ofMillis(limitMillis));
      SearchResult result = OffsetsSearch.of(problem, options, clock).run();
      assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
      assertThat(clock.asked).isLessThan(limitMillis + QUESTIONS_AFTERWARDS);
      assertThat(result.end()).isIn(SearchResult.End.TIME_LIMIT, SearchResult.End.OPTIMAL);
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void objects_anyShapeAndLimit_endSoonAfterIt(Shape shape) {
    PlanProblem problem = shape.problem(1_000);
    for (long limitMillis : new long[] {0, 20, 250}) {
      AskedClock clock = new AskedClock();
      SearchOptions options =
          SearchOptions.defaults().withTimeLimit(Duration.ofMillis(limitMillis));
      ObjectsSearchResult result = ObjectsSearch.of(problem, options, clock).run();
      assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
      assertThat(clock.asked).isLessThan(limitMillis + QUESTIONS_AFTERWARDS);
      assertThat(result.end()).isIn(SearchResult.End.TIME_LIMIT, SearchResult.End.OPTIMAL);
    }
  }

  /** Parts are built in steps that are counted: the lists of conflicts and, of windows, pairs. */
  @ParameterizedTest
  @EnumSource(Shape.class)
  void exactPart_whileItIsBuilt_asksForEveryInterval(Shape shape) {
    PlanProblem problem = shape.problem(2_000);
    int[] movable = ExhaustivePlans.movable(problem);
    OffsetsAssignment plan = ArrivalFit.plan(problem);
    long[] asked = {0};
    new ExactPartSearch(
        problem,
        movable,
        new int[0],
        0,
        plan,
        () -> {
          asked[0]++;
          return false;
        });
    // A third of the bound are pairs, each of which is an entry of two lists at most.
    long pairs = ConflictPart.entryBound(problem, movable) / 3;
    assertThat(asked[0] * StepCounter.INTERVAL_STEPS).isGreaterThan(pairs);
    long last = asked[0];
    for (long stopAt : new long[] {1, 2, last / 2, last}) {
      long[] left = {stopAt};
      assertThatThrownBy(() ->
              new ExactPartSearch(problem, movable, new int[0], 0, plan, () -> --left[0] <= 0))
          .isInstanceOf(CancellationException.class);
      assertThat(left[0]).isZero();
    }
  }

  /** One placement of one record may cost as much as thousands in other parts. */
  @ParameterizedTest
  @EnumSource(Shape.class)
  void placement_stoppedAnywhere_endsAtOnce(Shape shape) {
    PlanProblem problem = shape.problem(1_000);
    int[] movable = ExhaustivePlans.movable(problem);
    ConflictPart part =
        ConflictPart.of(
            problem,
            movable,
            new int[0],
            ExhaustivePlans.stacked(problem),
            new StepCounter(() -> false));
    long capacity = LowerBounds.of(problem).offsetsBytes() * 11 / 10;
    try (SearchWorkers workers = new SearchWorkers(1)) {
      for (long stopAt : new long[] {1, 2, 10, 100}) {
        long[] left = {stopAt};
        RestartedSearch search = new RestartedSearch(part, RecordPriority.AREA);
        List<CapacitySearch.Outcome> outcome = new ArrayList<>();
        workers.runAll(
            List.of(() -> outcome.add(search.next(capacity, () -> --left[0] <= 0))), () -> {});
        assertThat(left[0]).isNotNegative();
        if (left[0] == 0) {
          assertThat(outcome).containsExactly(CapacitySearch.Outcome.CUT);
        }
      }
    }
  }

  @Test
  void offsets_cancelledWhileQuickPlansAreMade_giveTheFirstPlan() {
    PlanProblem problem = Shape.STAIRCASE.problem(3_000);
    OffsetsSearch[] search = new OffsetsSearch[1];
    long[] asked = {0};
    search[0] =
        OffsetsSearch.of(
            problem,
            SearchOptions.defaults(),
            () -> {
              if (++asked[0] == 900) { // the first plan is finished after 750
                search[0].cancel();
              }
              return 0;
            });
    SearchResult result = search[0].run();
    assertThat(result.end()).isEqualTo(SearchResult.End.CANCELLED);
    assertThat(result.assignment()).isEqualTo(MemoryStrategy.TFLM_GREEDY.planOffsets(problem));
    assertThat(asked[0]).isLessThan(900 + 50);
  }
}
