package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.cases.ExhaustivePlans;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Runs over one partition. */
class RestartedSearchTest {

  private static TensorUsageRecord record(long bytes, long firstTask, long lastTask) {
    return TensorUsageRecord.of(bytes, firstTask, lastTask);
  }

  /** All sizes are 12, but aligning to 9 and then to 4 leads to ends that 3 does not divide. */
  @Test
  void unitBytes_alignmentsThatDoNotDivideEachOther_dividesAllEnds() {
    List<TensorUsageRecord> records =
        List.of(record(12, 0, 0).withAlignment(4), record(12, 0, 0).withAlignment(9));
    PlanProblem problem = PlanProblem.of(records);
    Partition partition =
        Partition.of(
            problem, new int[] {0, 1}, new int[0], new long[] {0, 0}, new StepCounter(() -> false));
    assertThat(partition.unitBytes()).isEqualTo(1);
  }

  /** A recursive search of so many records would overflow the stack. */
  @Test
  void run_thousandsOfRecordsInOnePartition_findsAPlan() {
    Random random = new Random(5);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < 3900; i++) {
      int first = 3 * i / 2;
      records.add(record(64L * (1 + random.nextInt(9)), first, first + 2 + random.nextInt(4)));
    }
    PlanProblem problem = PlanProblem.of(records);
    Partition partition =
        Partition.of(
            problem,
            ExhaustivePlans.movable(problem),
            new int[0],
            ExhaustivePlans.stacked(problem),
            new StepCounter(() -> false));
    List<CapacitySearch.Outcome> outcome = new ArrayList<>();
    try (SearchWorkers workers = new SearchWorkers(1)) {
      RestartedSearch search = new RestartedSearch(partition, RecordPriority.AREA);
      workers.runAll(
          List.of(() -> outcome.add(search.next(problem.naiveBytes(), () -> false))), () -> {});
    }
    assertThat(outcome).containsExactly(CapacitySearch.Outcome.FOUND);
  }
}
