package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SearchLimitTest {

  private static final long MILLIS = 1_000_000;

  private long nanos = 7;

  @Test
  void isOverForFirstPlan_cancelledLongAfterCreation_countsFromTheStart() {
    SearchLimit limit = new SearchLimit(Duration.ofHours(1), () -> nanos);
    nanos += 10_000 * MILLIS;
    limit.cancel();
    nanos += 10_000 * MILLIS;
    limit.start();
    assertThat(limit.isOver()).isTrue();
    assertThat(limit.isOverForFirstPlan()).isFalse();
    nanos += 150 * MILLIS;
    assertThat(limit.isOverForFirstPlan()).isTrue();
  }

  @Test
  void isOverForFirstPlan_cancelledWhileRunning_countsFromTheCancellation() {
    SearchLimit limit = new SearchLimit(Duration.ofHours(1), () -> nanos);
    limit.start();
    nanos += 1_000 * MILLIS;
    limit.cancel();
    nanos += 149 * MILLIS;
    assertThat(limit.isOverForFirstPlan()).isFalse();
    nanos += MILLIS;
    assertThat(limit.isOverForFirstPlan()).isTrue();
  }
}
