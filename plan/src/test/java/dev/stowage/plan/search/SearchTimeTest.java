package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.cases.SearchShapes;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The number of clock readings after which a search ends, for lifetimes of all shapes. */
class SearchTimeTest {

  private static final long MILLI_NANOS = 1_000_000;

  /** The readings during the grace period of 150 ms, and some for each later phase. */
  private static final long MAX_READINGS_AFTER_LIMIT = 150 + 100;

  /** A clock that advances by a millisecond with each reading. */
  private static final class ReadingClock implements LongSupplier {

    private long readings;

    @Override
    public synchronized long getAsLong() {
      return MILLI_NANOS * readings++;
    }
  }

  @ParameterizedTest
  @EnumSource(SearchShapes.class)
  void offsets_anyShapeAndLimit_endSoonAfterTheLimit(SearchShapes shape) {
    PlanProblem problem = shape.problem(1_000);
    for (long limitMillis : new long[] {0, 20, 250}) {
      ReadingClock clock = new ReadingClock();
      SearchOptions options =
          SearchOptions.defaults().withTimeLimit(Duration.ofMillis(limitMillis));
      SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, options, clock).run();
      assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
      assertThat(clock.readings).isLessThan(limitMillis + MAX_READINGS_AFTER_LIMIT);
      assertThat(result.end()).isIn(SearchEnd.TIME_LIMIT, SearchEnd.OPTIMAL);
    }
  }

  @ParameterizedTest
  @EnumSource(SearchShapes.class)
  void objects_anyShapeAndLimit_endSoonAfterTheLimit(SearchShapes shape) {
    PlanProblem problem = shape.problem(1_000);
    for (long limitMillis : new long[] {0, 20, 250}) {
      ReadingClock clock = new ReadingClock();
      SearchOptions options =
          SearchOptions.defaults().withTimeLimit(Duration.ofMillis(limitMillis));
      SearchResult<ObjectsAssignment> result = ObjectsSearch.of(problem, options, clock).run();
      assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
      assertThat(clock.readings).isLessThan(limitMillis + MAX_READINGS_AFTER_LIMIT);
      assertThat(result.end()).isIn(SearchEnd.TIME_LIMIT, SearchEnd.OPTIMAL);
    }
  }

  @Test
  void offsets_cancelledWhileQuickPlansAreMade_returnTheFirstPlan() {
    PlanProblem problem = SearchShapes.STAIRCASE.problem(3_000);
    OffsetsSearch[] search = new OffsetsSearch[1];
    long[] readings = {0};
    search[0] =
        OffsetsSearch.of(
            problem,
            SearchOptions.defaults(),
            () -> {
              if (++readings[0] == 900) { // the first plan is finished after 750 readings
                search[0].cancel();
              }
              return 0;
            });
    SearchResult<OffsetsAssignment> result = search[0].run();
    assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
    assertThat(result.assignment()).isEqualTo(MemoryStrategy.TFLM_GREEDY.planOffsets(problem));
    assertThat(readings[0]).isLessThan(900 + 50);
  }
}
