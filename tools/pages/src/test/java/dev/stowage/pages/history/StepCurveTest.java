package dev.stowage.pages.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.stowage.testing.Seeds;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class StepCurveTest {

  static LongStream seeds() {
    return Seeds.of(20);
  }

  @Test
  void add_sameValue_isNoStep() {
    StepCurve curve = new StepCurve();
    curve.add(1, 5);
    curve.add(2, 5);
    curve.add(3, 4);

    assertThat(curve.stepCount()).isEqualTo(2);
    assertThat(curve.event(1)).isEqualTo(3);
    assertThat(curve.least(1)).isEqualTo(4);
    assertThat(curve.most(1)).isEqualTo(4);
    assertThat(curve.largest()).isEqualTo(5);
    assertThat(curve.groupEvents()).isEqualTo(1);
  }

  @Test
  void largest_nothing_isZero() {
    assertThat(new StepCurve().largest()).isZero();
    assertThat(new StepCurve().stepCount()).isZero();
  }

  /** A value that changes at every event, more often than the curve has steps, with one peak. */
  @Test
  void add_manySteps_keepsPeaks() {
    StepCurve curve = new StepCurve();
    for (int event = 1; event <= 1_000_000; event++) {
      curve.add(event, event == 700_001 ? 99 : event % 7);
    }
    curve.add(1_000_001, 3);

    assertThat(curve.stepCount()).isBetween(1_000, StepCurve.MAX_STEPS);
    assertThat(curve.largest()).isEqualTo(99);
    assertThat(curve.groupEvents()).isBetween(4L, 16L);
    assertThat(curve.most(curve.stepCount() - 1)).isGreaterThanOrEqualTo(3);
  }

  @Test
  void add_sameEventAgain_replacesItsValue() {
    StepCurve curve = new StepCurve();
    curve.add(0, 5);
    curve.add(0, 9);
    curve.add(1, 4);

    assertThat(curve.stepCount()).isEqualTo(2);
    assertThat(curve.least(0)).isEqualTo(9);
    assertThat(curve.most(0)).isEqualTo(9);
  }

  /** The exact value is within the range of its step; a step is exact unless steps were merged. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void add_anySteps_haveTheRangeOfTheirValues(long seed) {
    Random random = new Random(seed);
    int events = 1 + random.nextInt(3 * StepCurve.MAX_STEPS);
    int changeOneIn = 1 + random.nextInt(4);
    long[] exact = new long[events + 1];
    StepCurve curve = new StepCurve();
    for (int event = 1; event <= events; event++) {
      exact[event] =
          event > 1 && random.nextInt(changeOneIn) > 0 ? exact[event - 1] : random.nextInt(1000);
      curve.add(event, exact[event]);
    }

    assertThat(curve.stepCount()).isLessThanOrEqualTo(StepCurve.MAX_STEPS);
    for (int step = 0; step < curve.stepCount(); step++) {
      long end = step + 1 < curve.stepCount() ? curve.event(step + 1) : events + 1;
      long least = Long.MAX_VALUE;
      long most = Long.MIN_VALUE;
      for (long event = curve.event(step); event < end; event++) {
        least = Math.min(least, exact[(int) event]);
        most = Math.max(most, exact[(int) event]);
      }
      if (curve.least(step) != least || curve.most(step) != most) {
        fail("step %s, events %s to %s", step, curve.event(step), end);
      }
    }
  }
}
