package dev.stowage.plan.shapes.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SearchBudgetTest {

  private final AtomicLong clock = new AtomicLong(-5);
  private final SearchBudget budget =
      new SearchBudget(Duration.ofSeconds(2), Long.MAX_VALUE, clock::get);

  private void advance(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void isLate_timePasses_isTrueAtTheLimit() {
    assertThat(budget.isOver(0.5)).isFalse();
    advance(Duration.ofSeconds(1));
    assertThat(budget.isOver(0.5)).isTrue();
    assertThat(budget.isLate()).isFalse();
    advance(Duration.ofSeconds(1));
    assertThat(budget.isLate()).isTrue();
    assertThat(budget.isGraceOver()).isFalse();
    advance(Duration.ofMillis(500));
    assertThat(budget.isGraceOver()).isTrue();
  }

  @Test
  void isLate_cancelled_isTrueAtOnce() {
    budget.cancel();
    assertThat(budget.isLate()).isTrue();
    assertThat(budget.isGraceOver()).isTrue();
  }

  @Test
  void isLate_noTimeLimit_isFalse() {
    SearchBudget endless =
        new SearchBudget(Duration.ofSeconds(Long.MAX_VALUE), Long.MAX_VALUE, clock::get);
    advance(Duration.ofDays(1_000));
    assertThat(endless.isLate()).isFalse();
    assertThat(endless.isGraceOver()).isFalse();
  }

  @Test
  void isLate_nodesAreUsed_isFalse() {
    SearchBudget nodes = new SearchBudget(Duration.ofSeconds(2), 10, clock::get);
    nodes.spend(10);
    assertThat(nodes.isOver(1)).isTrue();
    assertThat(nodes.isLate()).isFalse();
  }
}
