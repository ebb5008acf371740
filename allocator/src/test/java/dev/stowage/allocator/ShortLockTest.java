package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The lock, used by one thread and by many. */
class ShortLockTest {

  private static final int THREADS = 8;
  private static final int SECTIONS = 20_000;

  private final ShortLock lock = new ShortLock();

  /** Guarded by the lock; without it, increments would be lost. */
  private long sections;

  static Stream<ExecutorService> executors() {
    return Stream.of(
        Executors.newFixedThreadPool(THREADS), Executors.newVirtualThreadPerTaskExecutor());
  }

  @ParameterizedTest
  @MethodSource("executors")
  void hold_manyThreads_oneAtATime(ExecutorService threads) {
    try (threads) {
      for (int i = 0; i < THREADS; i++) {
        threads.execute(this::count);
      }
    }
    assertThat(sections).isEqualTo(2L * THREADS * SECTIONS);
  }

  private void count() {
    for (int i = 0; i < SECTIONS; i++) {
      try (ShortLock _ = lock.hold()) {
        sections++;
        try (ShortLock _ = lock.hold()) {
          sections++;
        }
      }
    }
  }

  @Test
  void hold_heldTwice_isReleasedByTheSecondClose() throws Exception {
    Thread other = new Thread(this::count);
    try (ShortLock _ = lock.hold()) {
      try (ShortLock _ = lock.hold()) {
        other.start();
      }
      // Not yet: the other thread still waits.
      assertThat(sections).isZero();
    }
    other.join();
    assertThat(sections).isEqualTo(2L * SECTIONS);
  }

  /**
   * If the status stayed set, parking would return at once, and the thread would spin for as long
   * as the lock is held.
   */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void hold_interruptedWhileItWaits_sleepsAndIsInterruptedAfterwards() throws Exception {
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread waiter =
        new Thread(() -> {
          count();
          interrupted.set(Thread.currentThread().isInterrupted());
        });
    try (ShortLock _ = lock.hold()) {
      waiter.start();
      for (int i = 0; i < 3; i++) {
        waiter.interrupt();
        while (waiter.isInterrupted()) {
          Thread.onSpinWait();
        }
      }
      assertThat(sections).isZero();
    }
    waiter.join();
    assertThat(sections).isEqualTo(2L * SECTIONS);
    assertThat(interrupted).isTrue();
  }
}
