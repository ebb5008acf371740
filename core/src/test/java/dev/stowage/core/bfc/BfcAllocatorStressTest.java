package dev.stowage.core.bfc;

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

/** Four threads on one allocator. */
class BfcAllocatorStressTest {

  private static final int THREADS = 4;
  private static final int STEPS = 20_000;
  private static final int MOST_LIVE = 200;

  /** Who holds an address, while it is held; two at once would be a clash. */
  private final Map<Long, Integer> holders = new ConcurrentHashMap<>();

  static LongStream seeds() {
    return BfcAllocatorRandomTest.seeds(6);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_fourThreads_noChunksOverlap(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedDevice device =
        new SimulatedDevice(SimulatedDevice.Order.SCATTERED, seed, random.nextInt(60));
    BfcOptions options = BfcOptions.growing().withLimit((16 + random.nextInt(64)) << 20);
    if (random.nextBoolean()) {
      options = options.withGarbageCollection();
    }
    BfcAllocator allocator = new BfcAllocator("stress", device, options);
    TreeMap<Long, Long> live = new TreeMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Map<Long, Long>>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        tasks.add(() -> run(allocator, new Random(seed * THREADS + thread), thread));
      }
      for (Future<Map<Long, Long>> result : threads.invokeAll(tasks)) {
        live.putAll(result.get());
      }
    }
    allocator.checkInvariants();
    assertDisjoint(allocator, live);
    live.keySet().forEach(allocator::free);
    assertThat(allocator.statistics().bytesInUse()).isZero();
    allocator.trim();
    assertThat(device.held()).isEmpty();
    allocator.checkInvariants();
  }

  /** {@return the requested bytes by address of what is live at the end} */
  private Map<Long, Long> run(BfcAllocator allocator, Random random, int thread) {
    Map<Long, Long> live = new TreeMap<>();
    List<Long> addresses = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      if (addresses.size() == MOST_LIVE || (!addresses.isEmpty() && random.nextInt(5) < 2)) {
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
