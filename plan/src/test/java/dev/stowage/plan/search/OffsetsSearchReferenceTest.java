package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.cases.ReferenceData;
import dev.stowage.plan.check.AssignmentChecker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Problems with a published optimum or capacity. */
class OffsetsSearchReferenceTest {

  /** The time limit only protects the build from an endless search. */
  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withThreads(2).withTimeLimit(Duration.ofMinutes(2));

  static Stream<Arguments> smallProblems() {
    return ReferenceData.lines("optimal_small.jsonl");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("smallProblems")
  void run_smallProblem_isTheOptimumOfAnExhaustiveSearch(String name, JsonNode reference) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (JsonNode fields : reference.get("records")) {
      records.add(record(fields));
    }
    PlanProblem problem = PlanProblem.of(records);
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, OPTIONS).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.assignment().totalBytes()).isEqualTo(reference.get("optimum").longValue());
    assertThat(result.isOptimal()).isTrue();
  }

  private static TensorUsageRecord record(JsonNode fields) {
    List<Gap> gaps = new ArrayList<>();
    if (fields.has("gaps")) {
      for (JsonNode gap : fields.get("gaps")) {
        gaps.add(Gap.of(gap.get("first_task").longValue(), gap.get("last_task").longValue()));
      }
    }
    TensorUsageRecord record =
        TensorUsageRecord.of(
                fields.get("size").longValue(),
                fields.get("first_task").longValue(),
                fields.get("last_task").longValue())
            .withAlignment(fields.has("alignment") ? fields.get("alignment").longValue() : 1)
            .withGaps(gaps);
    return fields.has("offset") ? record.pinnedAt(fields.get("offset").longValue()) : record;
  }

  /** The challenging instances of MiniMalloc that are fast to solve. */
  @ParameterizedTest
  @ValueSource(strings = {"B", "C", "F", "G"})
  void run_miniMallocInstance_fitsIntoItsCapacity(String instance) {
    PlanProblem problem =
        PlanProblem.of(ReferenceData.miniMallocRecords(instance + ".1048576.csv"));
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(problem, OPTIONS.withCapacity(1_048_576)).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.assignment().totalBytes()).isLessThanOrEqualTo(1_048_576);
    assertThat(result.end()).isIn(SearchEnd.CAPACITY_REACHED, SearchEnd.OPTIMAL);
  }
}
