package dev.stowage.plan.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.ExhaustiveInPlacePlans;
import dev.stowage.plan.cases.InPlaceProblems;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.explain.CapacityConflict.Reason;
import dev.stowage.plan.search.SearchOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Conflicts of problems with records in place, compared with exhaustive enumeration. */
class InPlaceConflictRandomTest {

  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(5));

  static LongStream seeds() {
    return RandomRecords.seeds(500);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void find_aSmallerArenaThanTheSmallest_namesRecordsThatDoNotFit(long seed) {
    PlanProblem problem = InPlaceProblems.of(seed, 6, 5);
    long optimum = ExhaustiveInPlacePlans.smallestArena(problem);
    assertThat(ConflictFinder.find(problem, optimum, OPTIONS)).as("%s", problem).isEmpty();
    if (optimum == 0) {
      return;
    }
    CapacityConflict conflict = ConflictFinder.find(problem, optimum - 1, OPTIONS).orElseThrow();
    long ofRecords = ExhaustiveInPlacePlans.smallestArena(problem.subset(conflict.records()));
    assertThat(conflict.leastBytes()).as("%s of %s", conflict, problem).isEqualTo(optimum);
    assertThat(ofRecords).as("%s of %s", conflict, problem).isEqualTo(optimum);
    if (conflict.reason() instanceof Reason.NoPlacement) {
      for (int record : conflict.records()) {
        List<Integer> others = new ArrayList<>(conflict.records());
        others.remove((Object) record);
        assertThat(ExhaustiveInPlacePlans.smallestArena(problem.subset(others)))
            .as("%s without %d of %s", conflict, record, problem)
            .isLessThan(optimum);
      }
    }
    if (conflict.reason() instanceof Reason.LiveBytes) {
      assertThat(LowerBounds.of(problem.subset(conflict.records())).offsetsBytes())
          .isEqualTo(conflict.leastBytes());
    }
  }
}
