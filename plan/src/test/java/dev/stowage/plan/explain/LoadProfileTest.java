package dev.stowage.plan.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.InPlaceProblems;
import dev.stowage.plan.cases.RandomRecords;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LoadProfileTest {

  @Test
  void of_overlappingLifetimes_countsBothEnds() {
    LoadProfile load = load(List.of(TensorUsageRecord.of(5, 2, 4), TensorUsageRecord.of(7, 4, 4)));
    assertThat(tasks(load)).containsExactly(2, 4, 5);
    assertThat(bytes(load)).containsExactly(5, 12, 0);
  }

  @Test
  void of_neighboursOfOneSize_staysLevel() {
    LoadProfile load = load(List.of(TensorUsageRecord.of(5, 0, 1), TensorUsageRecord.of(5, 2, 3)));
    assertThat(tasks(load)).containsExactly(0, 4);
  }

  @Test
  void of_gapWithAWindow_keepsTheWindow() {
    TensorUsageRecord record =
        TensorUsageRecord.of(8, 0, 9).withGaps(List.of(new Gap(3, 5, 2, 4), Gap.of(8, 9)));
    LoadProfile load = load(List.of(record));
    assertThat(tasks(load)).containsExactly(0, 3, 6, 8);
    assertThat(bytes(load)).containsExactly(8, 2, 8, 0);
  }

  /**
   * Record 1 needs no memory of its own at task 2. At task 4, record 3 takes over bytes of record
   * 1, and record 4 those of record 2.
   */
  @Test
  void of_recordsInPlace_countsSharedBytesOnce() {
    PlanProblem problem =
        PlanProblem.of(
                List.of(
                    TensorUsageRecord.of(8, 0, 2),
                    TensorUsageRecord.of(8, 2, 4),
                    TensorUsageRecord.of(3, 4, 4),
                    TensorUsageRecord.of(5, 4, 6),
                    TensorUsageRecord.of(3, 4, 5)))
            .withInPlace(
                List.of(
                    new InPlace(1, 0), new InPlace(2, 1), new InPlace(3, 1), new InPlace(4, 2)));
    LoadProfile load = LoadProfile.of(problem);
    assertThat(tasks(load)).containsExactly(0, 4, 5, 6, 7);
    assertThat(bytes(load)).containsExactly(8, 11, 8, 5, 0);
    assertThat(LowerBounds.of(problem).offsetsBytes()).isEqualTo(11);
  }

  @Test
  void of_noBytes_isEmpty() {
    LoadProfile load = load(List.of(TensorUsageRecord.of(0, 0, 1)));
    assertThat(load.stepCount()).isZero();
  }

  @Test
  void of_theLargestTask_doesNotOverflow() {
    LoadProfile load = load(List.of(TensorUsageRecord.of(3, 1, Long.MAX_VALUE)));
    assertThat(tasks(load)).containsExactly(1);
    assertThat(bytes(load)).containsExactly(3);
  }

  static LongStream seeds() {
    return RandomRecords.seeds(500);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void of_anyRecords_peaksAtTheLoadPeak(long seed) {
    PlanProblem problem = InPlaceProblems.of(seed, 9, 9);
    LoadProfile load = LoadProfile.of(problem);
    LoadPeak peak = LoadPeak.of(problem);
    assertThat(LongStream.of(bytes(load)).max().orElse(0)).isEqualTo(peak.bytes());
    long[] starts =
        LongStream.range(0, load.stepCount())
            .filter(step -> load.bytes((int) step) == peak.bytes())
            .map(step -> load.firstTask((int) step))
            .toArray();
    assertThat(starts)
        .containsExactly(peak.tasks().stream().mapToLong(LoadPeak.TaskRange::firstTask).toArray());
  }

  private static LoadProfile load(List<TensorUsageRecord> records) {
    return LoadProfile.of(PlanProblem.of(records));
  }

  private static long[] tasks(LoadProfile load) {
    return LongStream.range(0, load.stepCount()).map(i -> load.firstTask((int) i)).toArray();
  }

  private static long[] bytes(LoadProfile load) {
    return LongStream.range(0, load.stepCount()).map(i -> load.bytes((int) i)).toArray();
  }
}
