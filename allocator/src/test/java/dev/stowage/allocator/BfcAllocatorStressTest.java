package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Eight threads on one allocator. */
class BfcAllocatorStressTest {

  private static final int THREADS = 8;
  private static final int STEPS = 10_000;
  private static final int MAX_LIVE = 200;

  /** A check costs as much as hundreds of steps. */
  private static final int STEPS_PER_CHECK = 250;

  /** The addresses in use and the thread that holds each; two threads must not hold the same. */
  private final Map<Long, Integer> holders = new ConcurrentHashMap<>();

  static LongStream seeds() {
    return BfcAllocatorRandomTest.seeds(8);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_eightThreads_noChunksOverlap(long seed) throws Exception {
    Random random = new Random(seed);
    ScriptedRegions device =
        new ScriptedRegions(ScriptedRegions.Order.SCATTERED, seed, random.nextInt(60));
    if (random.nextInt(4) > 0) {
      device.resizing();
    }
    BfcAllocator allocator = new BfcAllocator("stress", device, options(random));
    TreeMap<Long, Long> live = new TreeMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Map<Long, Long>>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        tasks.add(() -> tagged(allocator, new Random(seed * THREADS + thread), thread));
      }
      for (Future<Map<Long, Long>> result : threads.invokeAll(tasks)) {
        live.putAll(result.get());
      }
    }
    allocator.internals().checkInvariants();
    assertDisjoint(allocator, live);
    live.keySet().forEach(allocator::free);
    assertThat(allocator.statistics().bytesInUse()).isZero();
    allocator.trim();
    assertThat(device.held()).isEmpty();
    allocator.internals().checkInvariants();
  }

  private static BfcOptions options(Random random) {
    long limit = (16L + random.nextInt(64)) << 20;
    BfcOptions options =
        switch (random.nextInt(3)) {
          case 0 -> BfcOptions.growing().withLimit(limit);
          case 1 -> BfcOptions.expandable().withLimit(limit);
          default -> BfcOptions.expandable().withLimit(limit).withTrimThreshold(limit / 16);
        };
    if (random.nextBoolean()) {
      options = options.withGarbageCollection();
    }
    return options;
  }

  /**
   * {@return the requested bytes of live allocations at the end, by address, all with the same tag}
   */
  private Map<Long, Long> tagged(BfcAllocator allocator, Random random, int thread) {
    String tag = "thread " + thread;
    Map<Long, Long> live = AllocationTag.of(tag).call(() -> run(allocator, random, thread));
    assertThat(allocator.allocations())
        .filteredOn(allocation -> live.containsKey(allocation.address()))
        .hasSize(live.size())
        .allMatch(allocation -> allocation.tag().equals(tag));
    return live;
  }

  private Map<Long, Long> run(BfcAllocator allocator, Random random, int thread) {
    Map<Long, Long> live = new TreeMap<>();
    List<Long> addresses = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      if (addresses.size() == MAX_LIVE || (!addresses.isEmpty() && random.nextInt(5) < 2)) {
        long address = addresses.remove(random.nextInt(addresses.size()));
        assertThat(holders.remove(address)).isEqualTo(thread);
        live.remove(address);
        allocator.free(address);
      } else {
        long bytes = 1 + random.nextLong(1L << (4 + random.nextInt(16)));
        long alignment = 1L << random.nextInt(13);
        OptionalLong address = allocator.tryAllocate(bytes, alignment);
        if (address.isPresent()) {
          assertThat(holders.put(address.getAsLong(), thread)).isNull();
          addresses.add(address.getAsLong());
          live.put(address.getAsLong(), bytes);
        }
      }
      if (step % STEPS_PER_CHECK == 0) {
        allocator.internals().checkInvariants();
      }
      if (step % 500 == 0) {
        allocator.trim();
      }
    }
    return live;
  }

  private void assertDisjoint(BfcAllocator allocator, SortedMap<Long, Long> live) {
    AllocatorStatistics statistics = allocator.statistics();
    assertThat(statistics.chunksInUse()).isPositive().isEqualTo(live.size());
    assertThat(live.keySet()).isEqualTo(holders.keySet());
    assertThat(statistics.requestedBytesInUse())
        .isEqualTo(live.values().stream().mapToLong(Long::longValue).sum());
    long end = 0;
    for (Map.Entry<Long, Long> chunk : live.entrySet()) {
      assertThat(chunk.getKey()).isGreaterThanOrEqualTo(end);
      end = chunk.getKey() + chunk.getValue();
    }
  }
}
