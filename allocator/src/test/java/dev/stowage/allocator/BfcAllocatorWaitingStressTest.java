package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Eight threads that wait for each other, interrupt each other, and give up. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BfcAllocatorWaitingStressTest {

  private static final int THREADS = 8;
  private static final int STEPS = 2_000;
  private static final long LIMIT = 1 << 20;

  private final Map<Long, Thread> holders = new ConcurrentHashMap<>();
  private final List<Thread> running = new ArrayList<>();

  static LongStream seeds() {
    return BfcAllocatorRandomTest.seeds(6);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_eightThreads_endAndNoRequestWaits(long seed) throws Exception {
    Random random = new Random(seed);
    BfcOptions options =
        switch (random.nextInt(3)) {
          case 0 -> BfcOptions.oneRegion(LIMIT);
          case 1 -> BfcOptions.expandable().withLimit(LIMIT).withTrimThreshold(LIMIT / 4);
          default -> BfcOptions.growing().withFirstRegion(LIMIT / 16).withLimit(LIMIT);
        };
    ScriptedRegions device =
        new ScriptedRegions(ScriptedRegions.Order.SCATTERED, seed, 0).resizing();
    BfcAllocator allocator = new BfcAllocator("stress", device, options.withGarbageCollection());
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random ofThread = new Random(seed * THREADS + i);
      tasks.add(() -> new Consumer(allocator, ofThread).run());
    }
    int answered = 0;
    boolean virtual = random.nextBoolean();
    try (ExecutorService threads =
        virtual
            ? Executors.newVirtualThreadPerTaskExecutor()
            : Executors.newFixedThreadPool(THREADS)) {
      for (Future<Integer> result : threads.invokeAll(tasks)) {
        answered += result.get();
      }
    }
    assertThat(allocator.waitingRequests()).isZero();
    allocator.internals().checkInvariants();
    assertThat(allocator.statistics().bytesInUse()).isZero();
    // Each address that was returned belongs to a request.
    assertThat(allocator.statistics().allocations()).isEqualTo(answered);
    allocator.trim();
    assertThat(device.held()).isEmpty();
  }

  /**
   * One of the threads. It never waits without a limit while it holds memory that others may wait
   * for.
   */
  private final class Consumer {

    private final BfcAllocator allocator;
    private final Random random;
    private final List<Long> held = new ArrayList<>();
    private int answered;

    Consumer(BfcAllocator allocator, Random random) {
      this.allocator = allocator;
      this.random = random;
    }

    int run() {
      synchronized (running) {
        running.add(Thread.currentThread());
      }
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(20)) {
          case 0 -> freeAll();
          case 1 -> interruptAnyone();
          case 2 -> allocator.trim();
          case 3, 4, 5, 6, 7, 8, 9 -> freeOne();
          default -> allocate();
        }
      }
      freeAll();
      return answered;
    }

    private void allocate() {
      long bytes = 1 + random.nextLong(LIMIT >> random.nextInt(8));
      try {
        OptionalLong address =
            random.nextInt(8) == 0
                ? allocator.tryAllocate(bytes, 256)
                : OptionalLong.of(allocator.allocateOrWait(bytes, 256, timeout()));
        address.ifPresent(this::hold);
      } catch (BfcOutOfMemoryException _) {
        freeOne();
      } catch (InterruptedException _) {
        freeAll();
      }
    }

    private Duration timeout() {
      return held.isEmpty()
          ? WaitingRequest.FOREVER
          : Duration.ofNanos(random.nextInt(1 << random.nextInt(20)));
    }

    private void hold(long address) {
      answered++;
      assertThat(holders.put(address, Thread.currentThread())).isNull();
      held.add(address);
    }

    private void freeOne() {
      if (!held.isEmpty()) {
        long address = held.remove(random.nextInt(held.size()));
        assertThat(holders.remove(address)).isSameAs(Thread.currentThread());
        allocator.free(address);
      }
    }

    private void freeAll() {
      while (!held.isEmpty()) {
        freeOne();
      }
    }

    private void interruptAnyone() {
      synchronized (running) {
        running.get(random.nextInt(running.size())).interrupt();
      }
    }
  }
}
