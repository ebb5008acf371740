package dev.stowage.core.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.cases.SearchShapes;
import dev.stowage.core.plan.check.AssignmentChecker;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How soon a search ends after its limit, for lifetimes of all shapes; counted, not measured. */
class SearchTimeTest {

  private static final long MILLI_NANOS = 1_000_000;

  /** As many questions after the limit as quick plans may ask, and a few for each later phase. */
  private static final long QUESTIONS_AFTERWARDS = 150 + 100;

  /** A clock that goes on by a millisecond whenever it is asked. */
  private static final class AskedClock implements LongSupplier {

    private long asked;

    @Override
    public synchronized long getAsLong() {
      return MILLI_NANOS * asked++;
    }
  }

  @ParameterizedTest
  @EnumSource(SearchShapes.class)
  void offsets_anyShapeAndLimit_endSoonAfterIt(SearchShapes shape) {
    PlanProblem problem = shape.problem(1_000);
    for (long limitMillis : new long[] {0, 20, 250}) {
      AskedClock clock = new AskedClock();
      SearchOptions options =
          SearchOptions.defaults().withTimeLimit(Duration.ofMillis(limitMillis));
      OffsetsSearchResult result = OffsetsSearch.of(problem, options, clock).run();
      assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
      assertThat(clock.asked).isLessThan(limitMillis + QUESTIONS_AFTERWARDS);
      assertThat(result.end()).isIn(SearchEnd.TIME_LIMIT, SearchEnd.OPTIMAL);
    }
  }

  @ParameterizedTest
  @EnumSource(SearchShapes.class)
  void objects_anyShapeAndLimit_endSoonAfterIt(SearchShapes shape) {
    PlanProblem problem = shape.problem(1_000);
    for (long limitMillis : new long[] {0, 20, 250}) {
      AskedClock clock = new AskedClock();
      SearchOptions options =
          SearchOptions.defaults().withTimeLimit(Duration.ofMillis(limitMillis));
      ObjectsSearchResult result = ObjectsSearch.of(problem, options, clock).run();
      assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
      assertThat(clock.asked).isLessThan(limitMillis + QUESTIONS_AFTERWARDS);
      assertThat(result.end()).isIn(SearchEnd.TIME_LIMIT, SearchEnd.OPTIMAL);
    }
  }

  @Test
  void offsets_cancelledWhileQuickPlansAreMade_giveTheFirstPlan() {
    PlanProblem problem = SearchShapes.STAIRCASE.problem(3_000);
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
    OffsetsSearchResult result = search[0].run();
    assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
    assertThat(result.assignment()).isEqualTo(MemoryStrategy.TFLM_GREEDY.planOffsets(problem));
    assertThat(asked[0]).isLessThan(900 + 50);
  }
}
