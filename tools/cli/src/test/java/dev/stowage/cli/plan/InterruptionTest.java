package dev.stowage.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** These tests do not sleep; the timeout ends a test that hangs. */
@Timeout(60)
final class InterruptionTest {

  private static Interruption expected(Duration cancelTimeout) {
    Interruption interruption = new Interruption(cancelTimeout);
    interruption.expect();
    return interruption;
  }

  @Test
  void run_noSignal_isTheResult() {
    assertThat(expected(Duration.ZERO).<String, RuntimeException>run(() -> "done"))
        .isEqualTo("done");
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new IOException("io"),
        new IllegalStateException("bug"),
        new OutOfMemoryError("heap"),
        new StackOverflowError());
  }

  @ParameterizedTest
  @MethodSource("failures")
  void run_workThatFails_throwsTheSame(Throwable failure) {
    Interruption.Work<String, IOException> work =
        () -> {
          switch (failure) {
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError();
          }
        };

    assertThatThrownBy(() -> expected(Duration.ZERO).run(work)).isSameAs(failure);
    assertThatThrownBy(() -> expected(Duration.ZERO).run(work, () -> {})).isSameAs(failure);
  }

  @Test
  void interrupt_duringWorkThatNeverEnds_abandonsIt() {
    Interruption interruption = expected(Duration.ofDays(1));

    assertThatThrownBy(() ->
            interruption.run(() -> {
              interruption.interrupt(2);
              new CountDownLatch(1).await();
              return "never";
            }))
        .isInstanceOf(WorkInterruptedException.class);
    assertThat(interruption.signal()).hasValue(2);
  }

  @Test
  void run_workThatCanBeCancelledAfterASignal_isCancelledAndItsResult() throws Exception {
    Interruption interruption = expected(Duration.ofDays(1));
    interruption.interrupt(2);
    CountDownLatch cancelled = new CountDownLatch(1);

    assertThat(
            interruption.<String, InterruptedException>run(
                () -> {
                  cancelled.await();
                  return "best so far";
                },
                cancelled::countDown))
        .isEqualTo("best so far");
  }

  @Test
  void interrupt_duringWorkThatCanBeCancelled_isItsResult() throws InterruptedException {
    Interruption interruption = expected(Duration.ofDays(1));
    CountDownLatch cancelled = new CountDownLatch(1);

    assertThat(
            interruption.<String, InterruptedException>run(
                () -> {
                  interruption.interrupt(15);
                  cancelled.await();
                  return "best so far";
                },
                cancelled::countDown))
        .isEqualTo("best so far");
  }

  @Test
  void interrupt_duringWorkThatIgnoresItsCancelling_abandonsIt() {
    Interruption interruption = expected(Duration.ofMillis(1));
    AtomicBoolean isCancelled = new AtomicBoolean();

    assertThatThrownBy(() ->
            interruption.run(
                () -> {
                  interruption.interrupt(2);
                  new CountDownLatch(1).await();
                  return "never";
                },
                () -> isCancelled.set(true)))
        .isInstanceOf(WorkInterruptedException.class);
    assertThat(isCancelled).isTrue();
  }

  @Test
  void run_afterASignal_beginsNothing() {
    Interruption interruption = expected(Duration.ofDays(1));
    interruption.interrupt(2);
    AtomicBoolean hasBegun = new AtomicBoolean();

    assertThatThrownBy(() -> interruption.run(() -> hasBegun.getAndSet(true)))
        .isInstanceOf(WorkInterruptedException.class);
    assertThat(hasBegun).isFalse();
  }

  @Test
  void interrupt_secondSignalOrNoneExpected_isForTheCaller() {
    Interruption unexpected = new Interruption();
    assertThat(unexpected.interrupt(2)).isFalse();
    assertThat(unexpected.isInterrupted()).isFalse();

    Interruption interruption = expected(Duration.ZERO);
    assertThat(interruption.interrupt(15)).isTrue();
    assertThat(interruption.interrupt(2)).isFalse();
    assertThat(interruption.signal()).hasValue(15);
  }
}
