package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Threads that wait for admission. */
class AdmissionTest {

  private static final Duration LONG = Duration.ofDays(1_000_000);

  private final Admission admission = new Admission(100, Optional.empty(), 100);
  private final SessionAccount session = admission.open("a", SessionLimits.none());
  private final List<String> order = Collections.synchronizedList(new ArrayList<>());

  /** Starts a request in a virtual thread, and returns when it waits. */
  private Future<RunAccount> waiting(
      ExecutorService executor, SessionAccount asked, String name, long bytes) {
    int before = waitingCount();
    Future<RunAccount> request =
        executor.submit(() -> {
          RunAccount run = admission.admit(asked, bytes, LONG);
          order.add(name);
          return run;
        });
    while (waitingCount() == before) {
      Thread.onSpinWait();
    }
    return request;
  }

  private int waitingCount() {
    return admission.read(
        () -> admission.sessions().stream().mapToInt(each -> each.waiting().size()).sum());
  }

  @Test
  void admit_smallRequestsAfterALargeOne_doNotOvertakeIt() throws Exception {
    RunAccount first = admission.admit(session, 60, Duration.ZERO);
    RunAccount second = admission.admit(session, 30, Duration.ZERO);
    SessionAccount other = admission.open("b", SessionLimits.none());
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<RunAccount> large = waiting(executor, session, "large", 90);
      Future<RunAccount> small = waiting(executor, session, "small", 1);
      Future<RunAccount> foreign = waiting(executor, other, "foreign", 1);
      assertThatThrownBy(() -> admission.admit(other, 1, Duration.ofNanos(1)))
          .isInstanceOf(AdmissionException.class)
          .hasMessage(
              "session 'b' did not get 1 byte within PT0.000000001S: 10 bytes are free for it, and"
                  + " 3 earlier requests wait. Wait longer, or raise the limit.");
      admission.closeRun(second);
      assertThat(waitingCount()).isEqualTo(3);
      admission.closeRun(first);
      RunAccount admitted = large.get();
      assertThat(admitted.isOpen()).isTrue();
      assertThat(small.get().isOpen()).isTrue();
      assertThat(foreign.get().isOpen()).isTrue();
      admission.checkInvariants();
    }
  }

  @Test
  void admit_sessionAtItsLimit_doesNotBlockOtherSessions() throws Exception {
    SessionAccount limited = admission.open("b", SessionLimits.none().withLimit(10));
    RunAccount first = admission.admit(limited, 10, Duration.ZERO);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<RunAccount> waits = waiting(executor, limited, "limited", 5);
      admission.admit(session, 90, Duration.ZERO);
      assertThat(waits.isDone()).isFalse();
      admission.closeRun(first);
      assertThat(waits.get().isOpen()).isTrue();
    }
  }

  @Test
  void admit_withinTheReservation_passesRequestsThatLackOtherBytes() throws Exception {
    SessionAccount reserved = admission.open("b", SessionLimits.none().withReservation(40));
    RunAccount first = admission.admit(session, 50, Duration.ZERO);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<RunAccount> waits = waiting(executor, session, "waits", 20);
      admission.admit(reserved, 40, Duration.ZERO);
      assertThatThrownBy(() -> admission.admit(reserved, 1, Duration.ZERO))
          .isInstanceOf(AdmissionException.class);
      assertThat(waits.isDone()).isFalse();
      admission.closeRun(first);
      assertThat(waits.get().isOpen()).isTrue();
    }
  }

  @Test
  void admit_interruptedWhileWaiting_leavesTheQueue() throws Exception {
    RunAccount first = admission.admit(session, 100, Duration.ZERO);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<RunAccount> large = waiting(executor, session, "large", 90);
      Future<RunAccount> small = waiting(executor, session, "small", 10);
      large.cancel(true);
      while (waitingCount() > 1) {
        Thread.onSpinWait();
      }
      admission.closeRun(first);
      assertThat(small.get().isOpen()).isTrue();
      admission.checkInvariants();
    }
    assertThat(order).containsExactly("small");
  }

  @Test
  void admit_interruptedBefore_throwsAndTakesNothing() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> admission.admit(session, 1, LONG))
        .isInstanceOf(InterruptedException.class);
    assertThat(session.chargedBytes()).isZero();
  }

  @Test
  void admit_noBytes_isRejected() {
    assertThatThrownBy(() -> admission.admit(session, 0, LONG))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bytes must be positive: bytes=0");
  }

  @Test
  void admit_negativeTimeout_doesNotWait() throws Exception {
    RunAccount first = admission.admit(session, 100, Duration.ofSeconds(-1));
    assertThat(first.isOpen()).isTrue();
    assertThatThrownBy(() -> admission.admit(session, 1, Duration.ofSeconds(-1)))
        .isInstanceOf(AdmissionException.class)
        .hasMessage(
            "session 'a' did not get 1 byte within PT0S: 0 bytes are free for it, and 0 earlier"
                + " requests wait. Wait longer, or raise the limit.");
    assertThat(waitingCount()).isZero();
  }

  @Test
  @SuppressWarnings("NullAway") // as a caller without this check could
  void admit_nullTimeout_leavesNoRequest() {
    assertThatThrownBy(() -> admission.admit(session, 1, null))
        .isInstanceOf(NullPointerException.class);
    assertThat(waitingCount()).isZero();
    assertThat(session.chargedBytes()).isZero();
  }

  @Test
  void close_requestsWait_isRejectedAndChangesNothing() throws Exception {
    RunAccount first = admission.admit(session, 100, Duration.ZERO);
    SessionAccount other = admission.open("b", SessionLimits.none());
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<RunAccount> waits = waiting(executor, other, "waits", 1);
      assertThatThrownBy(() -> admission.close(other))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "session 'b' cannot be closed: bytesInUse=0, open permits=0, waiting requests=1; close"
                  + " its session of ONNX Runtime, results and permits first");
      admission.closeRun(first);
      assertThat(waits.get().isOpen()).isTrue();
      admission.closeRun(waits.get());
    }
    assertThat(admission.close(other)).isTrue();
  }

  @Test
  void closeRun_memoryOfTheRunInUse_isChargedUntilItIsFreed() throws Exception {
    RunAccount run = admission.admit(session, 50, Duration.ZERO);
    admission.call(
        run,
        () -> {
          admission.allocated(session, 4096, 10);
          return "";
        });
    assertThat(run.peakBytes()).isEqualTo(256);
    assertThat(admission.closeRun(run)).hasValue(256);
    assertThat(admission.closeRun(run)).isEmpty();
    assertThat(session.keptBytes()).isEqualTo(256);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<RunAccount> waits = waiting(executor, session, "waits", 100);
      Charge charge = admission.remove(4096).orElseThrow();
      assertThat(waits.isDone()).isFalse();
      admission.free(4096, charge);
      assertThat(waits.get().isOpen()).isTrue();
    }
    assertThat(admission.remove(4096)).isEmpty();
    admission.checkInvariants();
  }

  @Test
  void runs_ofManyThreads_neverExceedTheCapacity() throws Exception {
    AtomicLong inUse = new AtomicLong();
    AtomicLong most = new AtomicLong();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> threads = new ArrayList<>();
      for (int thread = 0; thread < 50; thread++) {
        long bytes = 1L + thread % 7 * 15L;
        threads.add(executor.submit(() -> runOften(bytes, inUse, most)));
      }
      for (Future<?> thread : threads) {
        thread.get();
      }
    }
    assertThat(most.get()).isBetween(91L, 100L);
    assertThat(session.chargedBytes()).isZero();
    admission.checkInvariants();
  }

  private void runOften(long bytes, AtomicLong inUse, AtomicLong most) {
    try {
      for (int step = 0; step < 100; step++) {
        RunAccount run = admission.admit(session, bytes, LONG);
        most.accumulateAndGet(inUse.addAndGet(bytes), Math::max);
        Thread.onSpinWait();
        inUse.addAndGet(-bytes);
        admission.closeRun(run);
      }
    } catch (InterruptedException interrupted) {
      throw new AssertionError("interrupted", interrupted);
    }
  }

  @Test
  void admit_sessionClosedOrUnknown_isRejected() throws ExecutionException {
    assertThat(admission.close(session)).isTrue();
    assertThat(admission.close(session)).isFalse();
    assertThatThrownBy(() -> admission.admit(session, 1, LONG))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("session 'a' is closed");
    admission.allocated(session, 4096, 1); // charged to no session
    assertThat(admission.otherSessions().bytesInUse()).isEqualTo(256);
    admission.checkInvariants();
  }
}
