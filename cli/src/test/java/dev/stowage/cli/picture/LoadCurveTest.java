package dev.stowage.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.Gap;
import dev.stowage.core.plan.InPlace;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.bounds.LowerBounds;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LoadCurveTest {

  @Test
  void of_overlappingLifetimes_countsBothEnds() {
    LoadCurve load = load(List.of(TensorUsageRecord.of(5, 2, 4), TensorUsageRecord.of(7, 4, 4)));
    assertThat(tasks(load)).containsExactly(2, 4, 5);
    assertThat(bytes(load)).containsExactly(5, 12, 0);
    assertThat(load.peakTask()).isEqualTo(4);
  }

  @Test
  void of_neighboursOfOneSize_staysLevel() {
    LoadCurve load = load(List.of(TensorUsageRecord.of(5, 0, 1), TensorUsageRecord.of(5, 2, 3)));
    assertThat(tasks(load)).containsExactly(0, 4);
  }

  @Test
  void of_gapWithAWindow_keepsTheWindow() {
    TensorUsageRecord record =
        TensorUsageRecord.of(8, 0, 9).withGaps(List.of(new Gap(3, 5, 2, 4), Gap.of(8, 9)));
    LoadCurve load = load(List.of(record));
    assertThat(tasks(load)).containsExactly(0, 3, 6, 8);
    assertThat(bytes(load)).containsExactly(8, 2, 8, 0);
  }

  /** Record 1 needs no memory of its own at task 2, and record 3 none at task 4. */
  @Test
  void ofLoad_recordsInPlace_countsSharedBytesOnce() {
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
    LoadCurve load = LoadCurve.of(Part.ofLoad(problem));
    assertThat(tasks(load)).containsExactly(0, 4, 5, 6, 7);
    assertThat(bytes(load)).containsExactly(8, 14, 8, 5, 0);
    assertThat(LowerBounds.of(problem).offsetsBytes()).isEqualTo(11);
  }

  @Test
  void of_noParts_isEmpty() {
    LoadCurve load = load(List.of(TensorUsageRecord.of(0, 0, 1)));
    assertThat(load.stepCount()).isZero();
    assertThat(load.peakTask()).isZero();
  }

  @Test
  void of_theLargestTask_doesNotOverflow() {
    LoadCurve load = load(List.of(TensorUsageRecord.of(3, 1, Long.MAX_VALUE)));
    assertThat(tasks(load)).containsExactly(1);
    assertThat(bytes(load)).containsExactly(3);
  }

  @Test
  void of_manyRecords_peaksAtTheLowerBound() {
    PlanPicture picture = Samples.random(3_000);
    LoadCurve load = LoadCurve.of(Part.of(picture.problem()));
    assertThat(bytes(load)).contains(LowerBounds.of(picture.problem()).offsetsBytes());
    long live =
        Part.of(picture.problem()).stream()
            .filter(part -> part.isLiveAt(load.peakTask()))
            .mapToLong(Part::bytes)
            .sum();
    assertThat(live).isEqualTo(picture.best().boundBytes());
  }

  private static LoadCurve load(List<TensorUsageRecord> records) {
    return LoadCurve.of(Part.of(PlanProblem.of(records)));
  }

  private static long[] tasks(LoadCurve load) {
    return LongStream.range(0, load.stepCount()).map(i -> load.task((int) i)).toArray();
  }

  private static long[] bytes(LoadCurve load) {
    return LongStream.range(0, load.stepCount()).map(i -> load.bytes((int) i)).toArray();
  }
}
