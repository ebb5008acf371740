package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads of a service that run, load and close sessions in random order, with interrupts, timeouts
 * and failures of the engine, which is not called.
 */
class ServiceRandomTest {

  private static final int THREADS = 16;
  private static final int STEPS = 60;
  private static final long LIMIT_BYTES = 1 << 20;
  private static final Duration LONG = Duration.ofDays(1);

  /** The engine calls from native code. */
  private final PinnedCalls nativeCode = new PinnedCalls();

  private final AtomicLong admittedBytes = new AtomicLong();
  private final AtomicLong mostBytes = new AtomicLong();
  private final AtomicLong runs = new AtomicLong();
  private final AtomicLong rejections = new AtomicLong();

  static LongStream seeds() {
    return Seeds.of(5);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void threads_useSessionsInAnyWay_neitherExceedTheLimitNorKeepAnything(long seed)
      throws Exception {
    try (HostMemory host = HostMemory.open()) {
      EngineMemory memory =
          new EngineMemory(
              "seed " + seed,
              host.newSubAllocator(),
              OnnxRuntimeOptions.of(BfcOptions.expandable().withLimit(LIMIT_BYTES))
                  .withReserve(0)
                  .withTrims(),
              Optional::empty);
      List<SessionAccount> sessions =
          List.of(
              memory.admission().open("a", SessionLimits.none().withReservation(LIMIT_BYTES / 4)),
              memory.admission().open("b", SessionLimits.none().withLimit(LIMIT_BYTES / 2)),
              memory
                  .admission()
                  .open("c", SessionLimits.none().withReservation(1000).withEstimate(20_000)));
      runThreads(seed, memory, sessions);
      assertThat(mostBytes.get()).isLessThanOrEqualTo(LIMIT_BYTES);
      assertThat(memory.statistics().peakReservedBytes()).isLessThanOrEqualTo(LIMIT_BYTES);
      assertThat(memory.report().overflow().refusedRequests()).isZero();
      assertThat(runs.get()).isPositive();
      for (SessionAccount session : sessions) {
        assertThat(session.bytesInUse()).isZero();
        assertThat(session.chargedBytes()).isZero();
        assertThat(session.loadedBytes()).isZero();
        assertThat(session.usage().runs().overruns()).isZero();
        memory.closeSession(session);
      }
      assertThat(sessions.stream().mapToLong(session -> session.usage().runs().count()).sum())
          .isEqualTo(runs.get());
      assertThat(sessions.stream().mapToLong(session -> session.usage().rejections()).sum())
          .isEqualTo(rejections.get());
      memory.checkInvariants();
      memory.close(() -> {});
    }
  }

  /** Half of the threads are virtual. */
  private void runThreads(long seed, EngineMemory memory, List<SessionAccount> sessions)
      throws Exception {
    try (ExecutorService platform = Executors.newCachedThreadPool();
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> threads = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Random random = new Random(seed * THREADS + thread);
        threads.add(
            (thread % 2 == 0 ? platform : virtual)
                .submit(() -> {
                  for (int step = 0; step < STEPS; step++) {
                    SessionAccount session = sessions.get(random.nextInt(sessions.size()));
                    step(random, memory, session);
                  }
                  return null;
                }));
      }
      for (Future<?> thread : threads) {
        thread.get();
      }
    }
  }

  private void step(Random random, EngineMemory memory, SessionAccount session) throws Exception {
    switch (random.nextInt(10)) {
      case 0 -> openAndClose(random, memory);
      case 1 -> interruptWait(random, memory, session);
      case 2 -> memory.report();
      default -> {
        Duration timeout =
            switch (random.nextInt(3)) {
              case 0 -> Duration.ZERO;
              case 1 -> Duration.ofNanos(random.nextInt(100_000));
              default -> LONG;
            };
        run(random, memory, session, timeout);
      }
    }
  }

  private void run(Random random, EngineMemory memory, SessionAccount session, Duration timeout)
      throws InterruptedException {
    long bytes = 1L + random.nextInt(1 << (8 + random.nextInt(12)));
    try (RunPermit permit =
        new RunPermit(memory, memory.admission().admit(session, bytes, timeout))) {
      mostBytes.accumulateAndGet(admittedBytes.addAndGet(bytes), Math::max);
      try {
        permit.call(() -> nativeCode.call(() -> engine(random, memory, session, bytes)));
      } catch (IllegalStateException failed) {
        assertThat(failed).hasMessage("engine");
      } finally {
        admittedBytes.addAndGet(-bytes);
        runs.incrementAndGet();
      }
    } catch (AdmissionException rejected) {
      rejections.incrementAndGet();
    }
  }

  /** Allocates up to the bound, and fails sometimes, with all memory freed as in the engine. */
  private static boolean engine(
      Random random, EngineMemory memory, SessionAccount session, long bytes) {
    List<Long> addresses = new ArrayList<>();
    try {
      long left = bytes;
      while (left >= 256 && random.nextInt(4) > 0) {
        long size = 1 + random.nextLong(left & -256);
        addresses.add(memory.allocate(session, size));
        left -= (size + 255) & -256;
      }
      if (random.nextInt(10) == 0) {
        throw new IllegalStateException("engine");
      }
      return true;
    } finally {
      addresses.forEach(memory::free);
    }
  }

  private void interruptWait(Random random, EngineMemory memory, SessionAccount session)
      throws Exception {
    Random other = new Random(random.nextLong());
    Thread thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                run(other, memory, session, LONG);
              } catch (InterruptedException interrupted) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
              }
            });
    Thread.onSpinWait();
    thread.interrupt();
    thread.join();
  }

  /** Opens, loads, uses and closes a session of its own while other requests wait. */
  private void openAndClose(Random random, EngineMemory memory) throws Exception {
    SessionAccount session;
    try {
      session =
          memory
              .admission()
              .open(
                  "own " + Thread.currentThread().threadId(),
                  SessionLimits.none().withReservation(random.nextInt(1 << 16)));
    } catch (AdmissionException rejected) {
      return; // the reservation is not free
    }
    try {
      RunAccount loading =
          memory.admission().admitLoading(session, 4096, Duration.ofNanos(random.nextInt(100_000)));
      long weights =
          memory
              .admission()
              .call(loading, () -> nativeCode.call(() -> memory.reserve(session, 3000)));
      memory.admission().closeLoading(loading);
      assertThat(session.loadedBytes()).isEqualTo(3072);
      nativeCode.run(() -> memory.free(weights));
    } catch (AdmissionException rejected) {
      assertThat(session.chargedBytes()).isZero();
    } finally {
      memory.closeSession(session);
    }
  }
}
