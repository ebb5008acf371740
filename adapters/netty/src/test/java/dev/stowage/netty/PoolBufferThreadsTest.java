package dev.stowage.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.pool.PoolOptions;
import dev.stowage.testing.Seeds;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads that pass buffers to each other, which other threads read and release. */
class PoolBufferThreadsTest {

  private static final int THREADS = 4;
  private static final int BUFFERS = 500;

  static LongStream seeds() {
    return Seeds.of(8);
  }

  @Tag("full")
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void buffers_passedBetweenThreads_keepTheirBytes(long seed) throws Exception {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool =
            MemoryPool.open(
                "threads",
                host,
                BfcOptions.expandable(),
                PoolOptions.standard().withoutZeroing().withDebugging())) {
      PoolByteBufAllocator allocator = PoolByteBufAllocator.of(pool);
      ConcurrentLinkedQueue<ByteBuf> passed = new ConcurrentLinkedQueue<>();
      List<FutureTask<Boolean>> tasks = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Random random = new Random(seed * THREADS + thread);
        FutureTask<Boolean> task = new FutureTask<>(() -> exchange(allocator, passed, random));
        tasks.add(task);
        Thread.ofPlatform().start(task);
      }
      for (FutureTask<Boolean> task : tasks) {
        assertThat(task.get()).isTrue();
      }
      passed.forEach(PoolBufferThreadsTest::checkAndRelease);
      assertThat(pool.statistics().bytesInUse()).isZero();
      assertThat(allocator.metric().usedDirectMemory()).isZero();
      pool.checkFreed();
    }
  }

  private static boolean exchange(
      PoolByteBufAllocator allocator, ConcurrentLinkedQueue<ByteBuf> passed, Random random) {
    for (int i = 0; i < BUFFERS; i++) {
      int longs = 1 + random.nextInt(random.nextInt(10) == 0 ? 5000 : 50);
      ByteBuf buffer = allocator.directBuffer(8);
      for (int at = 0; at < longs; at++) { // and grows on the way
        buffer.writeLong(longs);
      }
      if (random.nextBoolean()) {
        passed.add(buffer.retainedSlice(0, 8));
      }
      passed.add(buffer);
      while (passed.size() > THREADS) {
        ByteBuf other = passed.poll();
        if (other != null) {
          checkAndRelease(other);
        }
      }
    }
    return true;
  }

  private static void checkAndRelease(ByteBuf buffer) {
    long longs = buffer.getLong(0);
    for (int at = 0; at < buffer.readableBytes(); at += 8) {
      assertThat(buffer.getLong(at)).isEqualTo(longs);
    }
    buffer.release();
  }
}
