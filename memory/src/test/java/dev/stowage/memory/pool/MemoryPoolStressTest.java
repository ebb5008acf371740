package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemories;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Eight threads on one pool. */
@Tag("full")
class MemoryPoolStressTest {

  private static final int THREADS = 8;

  static LongStream seeds() {
    return Seeds.of(6);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_eightThreads_nothingOverlapsAndNothingIsLost(long seed) throws Exception {
    Random random = new Random(seed);
    try (HostMemory host = HostMemories.any(random).open()) {
      PoolOptions options =
          random.nextBoolean() ? PoolOptions.standard() : PoolOptions.standard().withDebugging();
      try (MemoryPool pool = MemoryPool.open("stress", host, growth(random), options)) {
        Arena common = pool.openSharedArena();
        runAll(thread -> run(pool, common, new Random(seed * THREADS + thread), options));
        common.close();
        assertThat(pool.statistics().bytesInUse()).isZero();
        pool.trim();
        assertThat(host.regionCount()).isZero();
      }
    }
  }

  private static BfcOptions growth(Random random) {
    return random.nextBoolean()
        ? BfcOptions.expandable().withTrimThreshold(1 << 16)
        : BfcOptions.growing().withGarbageCollection();
  }

  private interface Task {
    void run(int thread);
  }

  private static void runAll(Task task) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Object>> tasks = new ArrayList<>();
      IntStream.range(0, THREADS)
          .forEach(thread -> tasks.add(Executors.callable(() -> task.run(thread))));
      for (Future<Object> result : threads.invokeAll(tasks)) {
        result.get();
      }
    }
  }

  private static void run(MemoryPool pool, Arena common, Random random, PoolOptions options) {
    List<MemoryBlock> blocks = new ArrayList<>();
    for (int step = 0; step < 1500; step++) {
      byte pattern = (byte) (1 + random.nextInt(100));
      switch (random.nextInt(step % 100 == 0 ? 6 : 4)) {
        case 0 -> blocks.add(filled(pool.allocate(random.nextInt(20_000)), pattern));
        case 1 -> {
          if (!blocks.isEmpty()) {
            closeChecked(blocks.remove(random.nextInt(blocks.size())));
          }
        }
        case 2 -> {
          try (Arena arena = pool.openArena()) {
            List<MemorySegment> segments = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
              segments.add(arena.allocate(random.nextInt(3000), 8).fill(pattern));
            }
            segments.forEach(each -> check(each, pattern));
          }
        }
        case 3 -> check(common.allocate(random.nextInt(50)).fill(pattern), pattern);
        case 4 -> closeChecked(filled(pool.allocateShared(random.nextInt(20_000)), pattern));
        default -> {
          pool.trim();
          if (options.isDebugging()) {
            pool.checkFreed();
          }
        }
      }
    }
    blocks.forEach(MemoryPoolStressTest::closeChecked);
  }

  private static MemoryBlock filled(MemoryBlock block, byte pattern) {
    block.segment().fill(pattern);
    return block;
  }

  private static void closeChecked(MemoryBlock block) {
    if (block.segment().byteSize() > 0) {
      check(block.segment(), block.segment().get(ValueLayout.JAVA_BYTE, 0));
    }
    block.close();
  }

  private static void check(MemorySegment segment, byte pattern) {
    for (long i = 0; i < segment.byteSize(); i++) {
      if (segment.get(ValueLayout.JAVA_BYTE, i) != pattern) {
        throw new AssertionError("overwritten: " + segment);
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void sharedArena_closedWhileOthersAllocate_nothingIsLost(long seed) throws Exception {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("stress", host, BfcOptions.expandable())) {
      for (int round = 0; round < 20; round++) {
        Arena arena = pool.openSharedArena();
        int closeAfter = new Random(seed + round).nextInt(300);
        runAll(thread -> allocateUntilClosed(arena, thread < 2 ? closeAfter : Integer.MAX_VALUE));
        assertThat(arena.scope().isAlive()).isFalse();
        assertThat(pool.statistics().bytesInUse()).isZero();
      }
    }
  }

  /** The first two threads close, of which one is too late. */
  private static void allocateUntilClosed(Arena arena, int closeAfter) {
    try {
      for (int i = 0; i < closeAfter; i++) {
        arena.allocate(5000).fill((byte) 1);
      }
      arena.close();
    } catch (IllegalStateException closed) {
      assertThat(closed).hasMessage("Already closed");
    }
  }

  @Test
  void sharedBlock_closedByAllThreads_isFreedOnce() throws Exception {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("stress", host, BfcOptions.expandable())) {
      for (int round = 0; round < 200; round++) {
        MemoryBlock block = pool.allocateShared(5000);
        runAll(_ -> block.close()); // a second free would throw
        assertThat(pool.statistics().bytesInUse()).isZero();
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void pool_closedWhileOthersUseIt_nothingIsTouchedAfterOrLost(long seed) throws Exception {
    for (int round = 0; round < 20; round++) {
      try (HostMemory host = HostMemory.open()) {
        MemoryPool pool = MemoryPool.open("stress", host, BfcOptions.expandable());
        Random random = new Random(seed + round);
        int[] closeAfter = random.ints(THREADS, 0, 300).toArray();
        runAll(thread -> useUntilClosed(pool, closeAfter[thread]));
        assertThat(host.regionCount()).isZero();
      }
    }
  }

  private static void useUntilClosed(MemoryPool pool, int closeAfter) {
    try {
      for (int i = 0; i < closeAfter; i++) {
        if (i % 20 == 0) {
          useShared(pool);
        }
        try (Arena arena = pool.openArena()) {
          arena.allocate(5000).fill((byte) 1);
        }
      }
    } catch (IllegalStateException closed) {
      assertThat(closed)
          .hasMessageMatching(
              "(pool|allocator) 'stress' is (being )?closed( by thread '.*')?|Already closed");
      return;
    }
    for (boolean done = false; !done; ) {
      try {
        pool.close();
        done = true;
      } catch (IllegalStateException inUse) {
        assertThat(inUse).hasMessageContaining("' cannot be closed");
      }
    }
  }

  private static void useShared(MemoryPool pool) {
    try (MemoryBlock block = pool.allocateShared(5000)) {
      block.segment().fill((byte) 1);
    }
  }
}
