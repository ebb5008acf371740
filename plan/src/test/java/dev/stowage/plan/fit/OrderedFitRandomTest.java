package dev.stowage.plan.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Peaks and spans, compared with sums over all tasks. */
class OrderedFitRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(200);
  }

  private static long liveBytes(List<TensorUsageRecord> records, long task) {
    return records.stream()
        .map(record -> ExhaustivePlans.neededBytes(record, task))
        .mapToLong(need -> need[1] - need[0])
        .sum();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void peaksAndSpans_anyRecords_agreeWithTasks(long seed) {
    PlanProblem problem = SmallProblems.withWindows(seed, 14, 9);
    List<TensorUsageRecord> records = problem.records();
    OrderedFit fit = new OrderedFit(problem);
    long[] peaks = fit.peaks();
    long[] spans = fit.spans();
    for (int i = 0; i < records.size(); i++) {
      TensorUsageRecord record = records.get(i);
      long expected =
          LongStream.rangeClosed(record.firstTask(), record.lastTask())
              .filter(task -> ExhaustivePlans.isLive(record, task))
              .map(task -> liveBytes(records, task))
              .max()
              .orElse(0);
      assertThat(record.bytes() == 0 || peaks[i] == expected).as("%d of %s", i, problem).isTrue();
      if (records.stream().allMatch(r -> r.gaps().isEmpty())) {
        long starts =
            LongStream.rangeClosed(record.firstTask(), record.lastTask())
                .filter(task -> records.stream().anyMatch(r -> r.firstTask() == task))
                .count();
        assertThat(spans[i]).isEqualTo(starts);
      }
    }
  }
}
