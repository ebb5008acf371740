package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The defaults, copies and bounds of {@link SearchOptions}. */
class SearchOptionsTest {

  private static final SearchOptions DEFAULTS = SearchOptions.defaults();

  @Test
  void defaults_areTenSecondsInOneThreadForTheSmallestPlan() {
    assertThat(DEFAULTS.timeLimit()).isEqualTo(Duration.ofSeconds(10));
    assertThat(DEFAULTS.capacityBytes()).isEmpty();
    assertThat(DEFAULTS.threads()).isEqualTo(1);
    assertThat(DEFAULTS.nodeLimit()).isEqualTo(Long.MAX_VALUE);
    DEFAULTS.progress().accept(new SearchProgress(2, 1, 0, Duration.ZERO));
  }

  @Test
  void with_oneOption_keepsAllOthers() {
    List<SearchProgress> reports = new ArrayList<>();
    SearchOptions options =
        DEFAULTS
            .withProgress(reports::add)
            .withThreads(3)
            .withCapacityDecision(4096)
            .withNodeLimit(55)
            .withTimeLimit(Duration.ofMillis(7));
    assertThat(options.timeLimit()).isEqualTo(Duration.ofMillis(7));
    assertThat(options.capacityBytes()).isEqualTo(OptionalLong.of(4096));
    assertThat(options.isCapacityDecision()).isTrue();
    assertThat(options.withCapacity(4096).isCapacityDecision()).isFalse();
    assertThat(options.threads()).isEqualTo(3);
    assertThat(options.nodeLimit()).isEqualTo(55);
    SearchProgress progress = new SearchProgress(2, 1, 0, Duration.ZERO);
    options.withThreads(1).withCapacity(0).progress().accept(progress);
    assertThat(reports).containsExactly(progress);
    assertThat(options.withTimeLimit(Duration.ZERO).capacityBytes()).hasValue(4096);
  }

  @Test
  void options_outOfRange_areRejected() { // limit < 0, bytes < 0, nodes < 0 or count < 1
    assertRejected(
        () -> DEFAULTS.withTimeLimit(Duration.ofNanos(-1)),
        "timeLimit must not be negative: timeLimit=PT-0.000000001S");
    String negative = "capacityBytes must not be negative: capacityBytes=-1";
    assertRejected(() -> DEFAULTS.withCapacity(-1), negative);
    assertRejected(() -> DEFAULTS.withCapacityDecision(-1), negative);
    assertRejected(
        () -> DEFAULTS.withNodeLimit(-1), "nodeLimit must not be negative: nodeLimit=-1");
    assertRejected(() -> DEFAULTS.withThreads(0), "threads must be positive: threads=0");
  }

  private static void assertRejected(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }
}
