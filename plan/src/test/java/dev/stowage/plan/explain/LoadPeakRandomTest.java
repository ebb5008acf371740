package dev.stowage.plan.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.InPlaceProblems;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.explain.LoadPeak.TaskRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Peaks, compared with the load of each task. */
class LoadPeakRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(3_000);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void of_anyRecords_hasAllTasksWithTheMostLiveBytes(long seed) {
    PlanProblem problem = InPlaceProblems.of(seed, 9, 9).withInPlace(List.of());
    long lastTask =
        problem.records().stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(0);
    long most = 0;
    List<Long> tasks = new ArrayList<>();
    for (long task = 0; task <= lastTask; task++) {
      long bytes = liveBytes(problem, task);
      if (bytes > most) {
        most = bytes;
        tasks.clear();
      }
      if (bytes == most && most > 0) {
        tasks.add(task);
      }
    }

    LoadPeak peak = LoadPeak.of(problem);

    assertThat(peak.bytes()).as("%s", problem).isEqualTo(most);
    assertThat(
            peak.tasks().stream()
                .flatMapToLong(range -> LongStream.rangeClosed(range.firstTask(), range.lastTask()))
                .boxed())
        .as("%s", problem)
        .containsExactlyElementsOf(tasks);
    for (int i = 1; i < peak.tasks().size(); i++) {
      assertThat(peak.tasks().get(i).firstTask())
          .isGreaterThan(peak.tasks().get(i - 1).lastTask() + 1);
    }
  }

  /** {@return the live bytes of a task: movable records side by side, pinned ones at their pins} */
  private static long liveBytes(PlanProblem problem, long task) {
    BitSet pinned = new BitSet();
    long bytes = 0;
    for (TensorUsageRecord record : problem.records()) {
      if (task < record.firstTask() || record.lastTask() < task) {
        continue;
      }
      long start = 0;
      long end = record.bytes();
      for (Gap gap : record.gaps()) {
        if (gap.firstTask() <= task && task <= gap.lastTask()) {
          start = gap.windowStart();
          end = gap.windowEnd();
        }
      }
      if (record.pinnedOffset().isPresent()) {
        int offset = (int) record.pinnedOffset().getAsLong();
        pinned.set((int) (offset + start), (int) (offset + end));
      } else {
        bytes += end - start;
      }
    }
    return bytes + pinned.cardinality();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void of_recordsInPlaceOfOthers_hasTheLoadThatTheLowerBoundHas(long seed) {
    PlanProblem problem = InPlaceProblems.of(seed, 9, 9);

    LoadPeak peak = LoadPeak.of(problem);

    assertThat(peak.bytes()).isEqualTo(LowerBounds.of(problem).offsetsBytes());
    assertThat(peak.tasks().isEmpty()).isEqualTo(peak.bytes() == 0);
  }

  @Test
  void of_recordInPlaceOfAnother_countsBothBytesOnceAtTheirCommonTask() {
    //   task   0  1  2  3
    //   a      8  8
    //   b         8  8      in place of a
    //   c            1  1
    PlanProblem problem =
        PlanProblem.of(
                List.of(
                    TensorUsageRecord.of(8, 0, 1),
                    TensorUsageRecord.of(8, 1, 2),
                    TensorUsageRecord.of(1, 2, 3)))
            .withInPlace(List.of(new InPlace(1, 0)));

    assertThat(LoadPeak.of(problem)).isEqualTo(new LoadPeak(9, List.of(new TaskRange(2, 2))));
    assertThat(LoadPeak.of(problem.withInPlace(List.of())))
        .isEqualTo(new LoadPeak(16, List.of(new TaskRange(1, 1))));
  }

  @Test
  void of_lastTaskOfAll_endsThere() {
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(4, 3, Long.MAX_VALUE)));

    assertThat(LoadPeak.of(problem))
        .isEqualTo(new LoadPeak(4, List.of(new TaskRange(3, Long.MAX_VALUE))));
    assertThat(LoadPeak.of(PlanProblem.of(List.of()))).isEqualTo(new LoadPeak(0, List.of()));
  }
}
