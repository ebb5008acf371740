package dev.stowage.plan.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.cases.InPlaceProblems;
import dev.stowage.plan.cases.RandomRecords;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The savings of pairs at each task, compared with all sets of pairs. */
class InPlaceSavingsRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(3_000);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void byTask_anyPairs_isTheBestSetWithoutCommonRecords(long seed) {
    PlanProblem problem = InPlaceProblems.of(seed, 9, 9);
    List<TensorUsageRecord> records = problem.records();
    List<InPlace> pairs = problem.usableInPlace();
    long lastTask = records.stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(0);
    for (long task = 0; task <= lastTask; task++) {
      long commonTask = task;
      List<InPlace> atTask =
          pairs.stream()
              .filter(pair -> records.get(pair.record()).firstTask() == commonTask)
              .filter(pair ->
                  records.get(pair.record()).pinnedOffset().isEmpty()
                      || records.get(pair.source()).pinnedOffset().isEmpty())
              .toList();
      assertThat(InPlaceSavings.byTask(problem, pairs).getOrDefault(task, 0L))
          .as("task %d of %s", task, problem)
          .isEqualTo(best(records, atTask, new HashSet<>()));
    }
  }

  /** {@return the most bytes saved by some of the pairs, of which no two have a common record} */
  private static long best(
      List<TensorUsageRecord> records, List<InPlace> pairs, Set<Integer> usedRecords) {
    if (pairs.isEmpty()) {
      return 0;
    }
    List<InPlace> others = pairs.subList(1, pairs.size());
    long without = best(records, others, usedRecords);
    int record = pairs.getFirst().record();
    int source = pairs.getFirst().source();
    if (usedRecords.contains(record) || usedRecords.contains(source)) {
      return without;
    }
    Set<Integer> more = new HashSet<>(usedRecords);
    more.add(record);
    more.add(source);
    return Math.max(without, records.get(record).bytes() + best(records, others, more));
  }
}
