package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.cases.ReferenceData;
import dev.stowage.plan.check.AssignmentChecker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Problems whose smallest plans of shared objects meet the linear relaxation of another solver. */
@Tag("full")
class ObjectsSearchReferenceTest {

  /** The challenging instances of MiniMalloc that are in the test resources. */
  @ParameterizedTest
  @CsvSource({
    "A, 1976320",
    "B, 1950720",
    "C, 2028544",
    "E, 2106368",
    "F, 1233920",
    "G, 1294336",
    "I, 2679808",
    "K, 2524160"
  })
  void run_miniMallocInstance_isOptimal(String instance, long optimalBytes) {
    PlanProblem problem =
        PlanProblem.of(ReferenceData.miniMallocRecords(instance + ".1048576.csv"));
    SearchOptions options = SearchOptions.defaults().withNodeLimit(20_000_000);
    SearchResult<ObjectsAssignment> result = ObjectsSearch.of(problem, options, () -> 0).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.assignment().totalBytes()).isEqualTo(optimalBytes);
    assertThat(result.end()).isEqualTo(SearchEnd.OPTIMAL);
  }
}
