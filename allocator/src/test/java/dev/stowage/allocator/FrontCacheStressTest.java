package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many threads on one allocator with a front cache. */
class FrontCacheStressTest {

  private static final int THREADS = 8;
  private static final int STEPS = 10_000;
  private static final int MAX_LIVE = 50;

  /** The requested bytes of the allocations in use; two threads must not hold the same. */
  private final Map<Long, Long> live = new ConcurrentSkipListMap<>();

  private final AtomicLong granted = new AtomicLong();

  static LongStream seeds() {
    return BfcAllocatorRandomTest.seeds(3);
  }

  private static BfcOptions options(Random random) {
    long limit = (8L + random.nextInt(64)) << 20;
    BfcOptions options =
        random.nextBoolean() ? BfcOptions.growing() : BfcOptions.expandable().withTrimThreshold(1);
    options = random.nextBoolean() ? options.withGarbageCollection() : options;
    return options.withLimit(limit).withFrontCache(random.nextLong(limit));
  }

  /** Half of the allocations are freed by the thread that takes them from a queue. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_eightThreads_noChunksOverlap(long seed) throws Exception {
    Random random = new Random(seed);
    ScriptedRegions device =
        new ScriptedRegions(ScriptedRegions.Order.SCATTERED, seed, random.nextInt(30)).resizing();
    BfcAllocator allocator = new BfcAllocator("stress", device, options(random));
    long[] sizes = random.longs(1 + random.nextInt(30), 1, 1 << 16).toArray();
    BlockingQueue<Long> passed = new ArrayBlockingQueue<>(200);
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random own = new Random(seed * THREADS + i);
      AllocationTag tag = AllocationTag.of("thread " + i);
      tasks.add(() -> tag.call(() -> run(allocator, own, sizes, passed)));
    }
    runAll(tasks);
    allocator.internals().checkInvariants();
    assertThat(allocator.statistics().allocations()).isEqualTo(granted.get());
    Map<Long, Long> found = new ConcurrentSkipListMap<>();
    allocator.allocations().forEach(each -> found.put(each.address(), each.requestedBytes()));
    assertThat(found).isEqualTo(live);
    assertThat(allocator.allocations()).allMatch(each -> each.tag().startsWith("thread "));
    assertThat(allocator.allocations().stream().map(Allocation::id)).doesNotHaveDuplicates();
    live.keySet().forEach(allocator::free);
    assertThat(allocator.statistics().bytesInUse()).isZero();
    assertThat(allocator.statistics().requestedBytesInUse()).isZero();
    allocator.trim();
    assertThat(device.held()).isEmpty();
    allocator.internals().checkInvariants();
  }

  private static void runAll(List<Callable<Boolean>> tasks) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
      for (Future<Boolean> result : threads.invokeAll(tasks)) {
        assertThat(result.get()).isTrue();
      }
    }
  }

  private boolean run(
      BfcAllocator allocator, Random random, long[] sizes, BlockingQueue<Long> passed) {
    List<Long> own = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      int dice = random.nextInt(1000);
      if (dice < 400 || own.size() == MAX_LIVE) {
        Long received = passed.poll();
        if (received != null) {
          free(allocator, received);
        } else if (!own.isEmpty()) {
          free(allocator, own.remove(random.nextInt(own.size())));
        }
      } else if (dice < 990) {
        long bytes = sizes[random.nextInt(sizes.length)];
        allocator
            .tryAllocate(bytes, random.nextInt(10) > 0 ? 1 : 1024)
            .ifPresent(address -> {
              granted.incrementAndGet();
              assertThat(live.put(address, bytes)).as("holder of %d", address).isNull();
              if (random.nextBoolean() || !passed.offer(address)) {
                own.add(address);
              }
            });
      } else if (dice < 992) {
        allocator.trim();
      } else if (dice < 994) {
        allocator.internals().checkInvariants();
      } else if (dice < 996) {
        AllocatorStatistics now = allocator.statistics();
        assertThat(now.requestedBytesInUse()).isBetween(0L, now.bytesInUse());
      }
    }
    return true;
  }

  private void free(BfcAllocator allocator, long address) {
    assertThat(live.remove(address)).as("bytes of %d", address).isNotNull();
    allocator.free(address);
  }

  /** All threads free the same addresses: each free succeeds once. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void free_fourThreadsSameAddresses_oneSucceeds(long seed) throws Exception {
    Random random = new Random(seed);
    ScriptedRegions device = new ScriptedRegions(ScriptedRegions.Order.SCATTERED, seed, 0);
    BfcAllocator allocator =
        new BfcAllocator("stress", device, BfcOptions.growing().withFrontCache(1 << 30));
    for (int round = 0; round < 20; round++) {
      List<Long> addresses = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        addresses.add(allocator.allocate(256L * (1 + random.nextInt(4))));
      }
      Queue<Long> freed = new ConcurrentLinkedQueue<>();
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        tasks.add(() -> {
          for (long address : addresses) {
            if (isFreed(allocator, address)) {
              freed.add(address);
            }
          }
          return true;
        });
      }
      runAll(tasks);
      assertThat(freed).containsExactlyInAnyOrderElementsOf(addresses);
      allocator.internals().checkInvariants();
    }
    assertThat(allocator.allocations()).isEmpty();
  }

  private static boolean isFreed(BfcAllocator allocator, long address) {
    try {
      allocator.free(address);
      return true;
    } catch (IllegalStateException alreadyFree) {
      assertThat(alreadyFree).hasMessageContaining("already free");
      return false;
    }
  }

  /** A waiting request gets the memory that others free, which must not stay in the cache. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void allocateOrWait_allThreadsWait_allAreServed(long seed) throws Exception {
    Random random = new Random(seed);
    ScriptedRegions device = new ScriptedRegions(ScriptedRegions.Order.SCATTERED, seed, 0);
    long limit = 256L * 64;
    BfcAllocator allocator =
        new BfcAllocator("stress", device, BfcOptions.oneRegion(limit).withFrontCache(limit));
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random own = new Random(random.nextLong());
      tasks.add(() -> {
        for (int step = 0; step < 1_000; step++) {
          long bytes = 256L * (1 + own.nextInt(own.nextInt(20) == 0 ? 64 : 12));
          long address = allocator.allocateOrWait(bytes, 1, Duration.ofMinutes(5));
          if (own.nextInt(50) == 0) {
            allocator.internals().checkInvariants();
          }
          allocator.free(address);
        }
        return true;
      });
    }
    runAll(tasks);
    assertThat(allocator.statistics().bytesInUse()).isZero();
    allocator.internals().checkInvariants();
  }
}
