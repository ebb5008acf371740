package dev.stowage.plan.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class StepCounterTest {

  @Test
  void isStopped_stepByStep_checksTheFirstAndOncePerInterval() {
    int[] checks = {0};
    StepCounter steps =
        new StepCounter(() -> {
          checks[0]++;
          return false;
        });
    for (int step = 0; step <= 3 * StepCounter.INTERVAL_STEPS; step++) {
      assertThat(steps.isStopped(1)).isFalse();
    }
    assertThat(checks[0]).isEqualTo(4);
    steps.check(10L * StepCounter.INTERVAL_STEPS);
    assertThat(checks[0]).isEqualTo(5);
  }

  @Test
  void isStopped_onceStopped_staysSo() {
    int[] checks = {0};
    StepCounter steps = new StepCounter(() -> ++checks[0] == 2);
    assertThat(steps.isStopped(1)).isFalse();
    assertThat(steps.isStopped(StepCounter.INTERVAL_STEPS)).isTrue();
    assertThat(steps.isStopped(StepCounter.INTERVAL_STEPS)).isTrue();
    assertThatThrownBy(() -> steps.check(0)).isInstanceOf(CancellationException.class);
    assertThat(checks[0]).isEqualTo(2);
  }
}
