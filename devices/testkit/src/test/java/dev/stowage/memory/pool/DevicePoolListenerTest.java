package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.testing.Seeds;
import dev.stowage.testkit.SimulatedDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Listeners read all that they may read, whichever lock their caller holds. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DevicePoolListenerTest {

  private static final Duration SOON = Duration.ofMillis(2);
  private static final Duration LATE = Duration.ofMinutes(10);

  private final SimulatedDevice device = new SimulatedDevice("manual", 1 << 20);
  private final ManualStreams manual = new ManualStreams(device);

  /** A listener that runs an action for each event, with its number. */
  private record EachEvent(LongConsumer action, AtomicLong count) implements AllocationListener {

    private EachEvent(LongConsumer action) {
      this(action, new AtomicLong());
    }

    private void run() {
      action.accept(count.incrementAndGet());
    }

    @Override
    public void allocated(Allocation allocation) {
      run();
    }

    @Override
    public void freed(long id) {
      run();
    }

    @Override
    public void failed(long bytes) {
      run();
    }
  }

  private DevicePool open(BfcOptions options, AllocationListener listener) {
    return DevicePool.open("pool", device, options, listener);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Test
  void statistics_byTheListenerOfAWaitingRequest_doNotWaitForThePool() throws Exception {
    AtomicReference<DevicePool> read = new AtomicReference<>();
    CountDownLatch isListening = new CountDownLatch(1);
    CountDownLatch isQuerying = new CountDownLatch(1);
    AllocationListener listener =
        new EachEvent(number -> {
          if (number == 2) {
            isListening.countDown();
            await(isQuerying);
            assertThat(read.get().statistics().allocations()).isEqualTo(2);
            assertThat(read.get().queuedBytes()).isEqualTo(4096);
            assertThat(read.get().allocations()).hasSize(1);
          }
        });
    try (DevicePool pool = open(BfcOptions.expandable(), listener)) {
      read.set(pool);
      ManualStreams.ManualStream slow = manual.open();
      pool.free(pool.allocate(4096, slow), slow);
      FutureTask<Long> waiting =
          new FutureTask<>(() -> pool.allocateOrWait(PoolRequest.of(512), manual.open(), LATE));
      Thread.ofPlatform().start(waiting);
      await(isListening); // with the lock of the allocator
      manual.onQuery(isQuerying::countDown); // with the lock of the pool
      assertThat(pool.statistics().allocations()).isEqualTo(2);
      pool.free(waiting.get());
      slow.synchronize();
    }
    device.close();
  }

  @Test
  void statistics_byAListenerAfterQueuedWork_freeNothing() throws Exception {
    AtomicReference<DevicePool> read = new AtomicReference<>();
    ManualStreams.ManualStream slow = manual.open();
    AllocationListener listener =
        new EachEvent(number -> {
          if (number == 2) {
            slow.synchronize();
            assertThat(read.get().statistics().chunksInUse()).isEqualTo(2);
          }
        });
    try (DevicePool pool = open(BfcOptions.expandable(), listener)) {
      read.set(pool);
      pool.free(pool.allocate(4096, slow), slow);
      long address = pool.allocateOrWait(PoolRequest.of(512), manual.open(), LATE);
      assertThat(pool.statistics().chunksInUse()).isOne();
      pool.free(address);
    }
    device.close();
  }

  @Test
  void unrepeatable_streamReusesMemory_isReported() {
    List<String> causes = new ArrayList<>();
    AllocationListener listener =
        new AllocationListener() {
          @Override
          public void allocated(Allocation allocation) {}

          @Override
          public void freed(long id) {}

          @Override
          public void failed(long bytes) {}

          @Override
          public void unrepeatable(String cause) {
            causes.add(cause);
          }
        };
    try (DevicePool pool = open(BfcOptions.expandable(), listener)) {
      ManualStreams.ManualStream stream = manual.open();
      long address = pool.allocate(4096, stream);
      pool.free(address, stream);
      stream.synchronize();
      pool.free(pool.allocate(4096, stream), stream);
      assertThat(causes).isEmpty(); // its work was completed
      assertThat(pool.allocate(4096, stream)).isEqualTo(address);
      assertThat(causes)
          .containsExactly(
              "Streams reused memory before its work was completed: the replay places such requests anew.");
      stream.synchronize();
      pool.free(address);
    }
    device.close();
  }

  static LongStream seeds() {
    return Seeds.of(60);
  }

  /** Threads that use a pool, a private pool and budgets, whose listeners read all of them. */
  private final class Run {

    private static final int THREADS = 4;
    private static final int STEPS = 150;

    private final List<DevicePool> pools = new ArrayList<>();
    private final List<PoolBudget> budgets = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final long seed;

    Run(long seed) {
      this.seed = seed;
      Random random = new Random(seed);
      BfcOptions limited =
          (random.nextBoolean() ? BfcOptions.expandable() : BfcOptions.growing())
              .withLimit(1 << 17);
      DevicePool pool = open(limited, new EachEvent(this::readAll));
      DevicePool graph = pool.openPrivatePool("graph", limited, new EachEvent(this::readAll));
      for (DevicePool each : List.of(pool, graph)) {
        budgets.add(each.openBudget("budget", 1 << 15));
      }
      pools.addAll(List.of(pool, graph)); // from now on, listeners read them
    }

    private void readAll(long number) {
      try {
        for (DevicePool pool : pools) {
          read(pool, number);
          if (number % 5 == 0) {
            checkRejected(pool);
          }
        }
        budgets.forEach(budget -> assertThat(budget.account().usedBytes()).isNotNegative());
      } catch (Throwable failed) { // which would make the operation fail
        failure.compareAndSet(null, failed);
      }
    }

    private static void read(DevicePool pool, long number) {
      assertThat(pool.statistics().bytesInUse()).isNotNegative();
      assertThat(pool.queuedBytes()).isNotNegative();
      assertThat(pool.privatePoolBytes() + pool.waitingRequests() + pool.failedRequests())
          .isNotNegative();
      if (number % 3 == 0) {
        assertThat(pool.report().toString()).startsWith("allocator '" + pool.name() + "': ");
        assertThat(pool.chunks()).isNotNull();
        assertThat(pool.inUse().allocations()).hasSizeLessThanOrEqualTo(pool.allocations().size());
      }
    }

    private void checkRejected(DevicePool pool) {
      ManualStreams.ManualStream stream = manual.open();
      List<Runnable> operations =
          List.of(
              () -> pool.allocate(256, stream),
              () -> pool.free(0),
              pool::trim,
              pool::close,
              () -> pool.setLimit(1 << 17));
      for (Runnable operation : operations) {
        try {
          operation.run();
          throw new AssertionError("an operation of a listener was not rejected");
        } catch (IllegalStateException rejected) {
          assertThat(rejected).hasMessageContaining("cannot be called by its own listener");
        }
      }
    }

    private void run() throws Exception {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(seed * THREADS + i);
        threads.add(Thread.ofPlatform().start(() -> use(random)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      if (failure.get() != null) {
        throw new AssertionError(failure.get());
      }
      for (DevicePool pool : pools) {
        pool.checkInvariants();
        assertThat(pool.statistics().bytesInUse()).isEqualTo(pool.queuedBytes()).isZero();
      }
      budgets.forEach(PoolBudget::close);
      pools.getFirst().close();
    }

    private void use(Random random) {
      ManualStreams.ManualStream stream = manual.open();
      List<List<Long>> held = List.of(new ArrayList<>(), new ArrayList<>());
      try {
        for (int i = 0; i < STEPS; i++) {
          int pool = random.nextInt(2);
          step(random, pool, held.get(pool), stream);
        }
        stream.synchronize();
        for (int pool = 0; pool < 2; pool++) {
          held.get(pool).forEach(pools.get(pool)::free);
        }
      } catch (Throwable failed) {
        failure.compareAndSet(null, failed);
        stream.synchronize();
      }
    }

    private void step(Random random, int number, List<Long> held, ManualStreams.ManualStream stream)
        throws InterruptedException {
      DevicePool pool = pools.get(number);
      PoolRequest request = PoolRequest.of(1 + random.nextInt(1 << 14));
      Optional<PoolBudget> budget =
          random.nextInt(3) == 0 ? Optional.of(budgets.get(number)) : Optional.empty();
      PoolRequest charged = budget.map(request::chargedTo).orElse(request);
      switch (random.nextInt(10)) {
        case 0, 1 -> {
          try {
            held.add(pool.allocateOrWait(charged, stream, SOON));
          } catch (BfcOutOfMemoryException noRoom) {
            stream.synchronize();
          }
        }
        case 2, 3, 4 -> pool.tryAllocate(charged, stream).ifPresent(held::add);
        case 5 -> stream.reach(stream.recorded());
        case 6 -> budgets.get(number).account().setLimit(1 << (14 + random.nextInt(3)));
        case 7 -> {
          if (random.nextInt(4) == 0) {
            pool.trim();
          }
        }
        default -> {
          if (!held.isEmpty()) {
            long address = held.remove(random.nextInt(held.size()));
            if (random.nextBoolean()) {
              pool.free(address, stream);
            } else {
              pool.free(address);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_listenersReadEverything(long seed) throws Exception {
    new Run(seed).run();
    device.close();
  }
}
