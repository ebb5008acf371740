package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testkit.SimulatedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that wait for queued work do not block other threads, and no call queries many events.
 */
class DevicePoolWaitingTest {

  /**
   * {@return the number of event queries of an allocation and its free, with some frees queued
   * before}
   */
  private static long queries(int queuedFrees) {
    try (SimulatedDevice device = new SimulatedDevice("manual", 1L << 30);
        DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable())) {
      ManualStreams manual = new ManualStreams(device);
      DeviceStream own = manual.open();
      DeviceStream other = manual.open();
      List<Long> addresses = new ArrayList<>();
      for (int i = 0; i < queuedFrees; i++) {
        addresses.add(pool.allocate(256L * (1 + i % 7), i % 2 == 0 ? own : other));
      }
      for (int i = 0; i < queuedFrees; i++) {
        pool.free(addresses.get(i), i % 2 == 0 ? own : other);
      }
      long before = manual.queries();
      pool.free(pool.allocate(256 * 3, own), own);
      pool.free(pool.allocate(1 << 16, own), own);
      pool.free(pool.allocate(256 * 5, own), own, other);
      long queries = manual.queries() - before;
      own.synchronize();
      other.synchronize();
      return queries;
    }
  }

  @Test
  void allocateAndFree_manyQueuedFrees_lookAtNoMoreStreamsAndEventsThanWithFew() {
    assertThat(queries(1000)).isLessThanOrEqualTo(queries(40) + 10).isLessThan(200);
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void allocate_anotherThreadWaitsForTheDevice_isNotHeldUp() throws Exception {
    try (SimulatedDevice device = new SimulatedDevice("manual", 1 << 20);
        DevicePool pool = DevicePool.open("pool", device, BfcOptions.oneRegion(8192))) {
      ManualStreams manual = new ManualStreams(device);
      ManualStreams.ManualStream slow = manual.open();
      DeviceStream fast = manual.open();
      long large = pool.allocate(4096, slow);
      long small = pool.allocate(2048, fast);
      pool.free(large, slow);
      FutureTask<Long> waiting = new FutureTask<>(() -> pool.allocate(4096, fast));
      Thread thread = Thread.ofPlatform().start(waiting);
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }

      long second = pool.allocate(1024, fast); // while the other one waits
      pool.free(second, fast);
      pool.free(small, fast);
      assertThat(pool.queuedBytes()).isEqualTo(4096 + 1024 + 2048);
      assertThat(waiting.isDone()).isFalse();

      slow.reach(slow.recorded());
      assertThat(waiting.get()).isEqualTo(large);
      pool.free(large);
      fast.synchronize();
    }
  }
}
