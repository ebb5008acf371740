package dev.stowage.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class StepCurveTest {

  static LongStream seeds() {
    return Seeds.of(50);
  }

  @Test
  void add_sameValue_isNoStep() {
    StepCurve curve = new StepCurve();
    curve.add(1, 5);
    curve.add(2, 5);
    curve.add(3, 4);

    assertThat(curve.stepCount()).isEqualTo(2);
    assertThat(curve.event(1)).isEqualTo(3);
    assertThat(curve.value(1)).isEqualTo(4);
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
  void add_manySteps_keepsPeaksAndWhatHolds() {
    StepCurve curve = new StepCurve();
    for (int event = 1; event <= 1_000_000; event++) {
      curve.add(event, event == 700_001 ? 99 : event % 7);
    }
    curve.add(1_000_001, 3);

    assertThat(curve.stepCount()).isBetween(1_000, StepCurve.MAX_STEPS);
    assertThat(curve.largest()).isEqualTo(99);
    assertThat(curve.groupEvents()).isBetween(128L, 1_024L);
    assertThat(curve.value(curve.stepCount() - 1)).isEqualTo(3);
  }

  /*
   * After a group, the value is the last one of the group. Within it, the value is at least the exact one
   * and at most the largest of the group.
   */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void add_anySteps_areNoLessWithinAGroupAndExactBehindIt(long seed) {
    Random random = new Random(seed);
    int events = 1 + random.nextInt(60_000);
    int changeOneIn = 1 + random.nextInt(4);
    long[] exact = new long[events + 1];
    StepCurve curve = new StepCurve();
    for (int event = 1; event <= events; event++) {
      exact[event] =
          event > 1 && random.nextInt(changeOneIn) > 0 ? exact[event - 1] : random.nextInt(1000);
      curve.add(event, exact[event]);
    }

    assertThat(curve.stepCount()).isLessThanOrEqualTo(StepCurve.MAX_STEPS);
    long group = curve.groupEvents();
    int step = -1;
    for (int event = 1; event <= events; event++) {
      while (step + 1 < curve.stepCount() && curve.event(step + 1) <= event) {
        step++;
      }
      long most = 0;
      for (long i = Math.max(1, event / group * group);
          i <= Math.min(events, event / group * group + group - 1);
          i++) {
        most = Math.max(most, exact[(int) i]);
      }
      boolean endsItsGroup = (event + 1) % group == 0;
      if (endsItsGroup || group == 1) {
        assertThat(curve.value(step)).as("event %d", event).isEqualTo(exact[event]);
      } else {
        assertThat(curve.value(step)).as("event %d", event).isLessThanOrEqualTo(most);
      }
    }
  }
}
