package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** README's library example; {@link ReadmeTest} compares its lines with README's. */
class LibraryExampleTest {

  @Test
  void readmeExample_asWritten_givesTheNumbersInItsComments() {
    var problem =
        PlanProblem.of(
                List.of(
                    TensorUsageRecord.of(1024, 0, 1), // 1 KiB, from task 0 to task 1
                    TensorUsageRecord.of(4096, 1, 2),
                    TensorUsageRecord.of(1024, 2, 3)))
            .withAlignment(64);
    OffsetsAssignment plan = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
    long arenaBytes = plan.totalBytes(); // 5120, not 6144
    long thirdStarts = plan.offset(2); // 4096, where the first one was
    boolean proved = arenaBytes == LowerBounds.of(problem).offsetsBytes(); // true

    assertThat(arenaBytes).isEqualTo(5120);
    assertThat(problem.naiveBytes()).isEqualTo(6144);
    assertThat(thirdStarts).isEqualTo(4096).isEqualTo(plan.offset(0));
    assertThat(proved).isTrue();
  }
}
