package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.pool.DevicePool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of memory that is freed while queued work uses it. */
abstract class PoolTests {

  /** The fills of a chunk before it is read, which give an early reuse time to corrupt it. */
  private static final int FILLS = 30;

  abstract Device open();

  /** A device, two streams, the size of a chunk and host memory for one test. */
  private record Bench(
      Device device, DeviceStream first, DeviceStream second, long bytes, Arena arena) {

    DevicePool pool(BfcOptions options) {
      return DevicePool.open("pool", device, options);
    }

    /** A pool with room for one chunk. */
    DevicePool smallPool() {
      return pool(BfcOptions.oneRegion(bytes));
    }

    /** {@return the queued read of a chunk that a stream fills with a value} */
    MemorySegment use(DeviceStream stream, long address, int value) {
      for (int i = 1; i <= FILLS; i++) {
        stream.fill(address, bytes, (byte) (value + FILLS - i));
      }
      return read(stream, address);
    }

    MemorySegment read(DeviceStream stream, long address) {
      MemorySegment target = arena.allocate(bytes);
      stream.copyToHost(address, target);
      return target;
    }

    void check(MemorySegment result, int value) {
      assertThat(result.mismatch(arena.allocate(bytes).fill((byte) value))).isEqualTo(-1);
    }
  }

  /** A test. */
  private interface Body {
    void run(Bench bench) throws Exception;
  }

  private void withStreams(Body body) throws Exception {
    try (Device device = open();
        Arena arena = Arena.ofShared();
        DeviceStream first = device.openStream();
        DeviceStream second = device.openStream()) {
      body.run(new Bench(device, first, second, Math.max(1 << 18, unit(device)), arena));
    }
  }

  private static long unit(Device device) {
    return Contents.regionBytes(device);
  }

  @Test
  void allocate_freedOnTheSameStream_isTheSameMemoryAtOnce() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.pool(BfcOptions.expandable())) {
        long address = pool.allocate(bench.bytes, bench.first);
        MemorySegment one = bench.use(bench.first, address, 1);
        pool.free(address, bench.first);
        assertThat(pool.allocate(bench.bytes, bench.first)).isEqualTo(address);
        MemorySegment two = bench.use(bench.first, address, 2);
        bench.first.synchronize();
        bench.check(one, 1);
        bench.check(two, 2);
        pool.free(address, bench.first);
        bench.first.synchronize(); // close() does not wait
      }
    });
  }

  @Test
  void allocate_freedOnTheSameStream_isReportedAsANewAllocation() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.smallPool()) {
        long address = AllocationTag.of("old").call(() -> pool.allocate(bench.bytes, bench.first));
        MemorySegment one = bench.use(bench.first, address, 1);
        pool.free(address, bench.first);
        long again =
            AllocationTag.of("new").call(() -> pool.allocate(bench.bytes - 1, bench.first));
        assertThat(again).isEqualTo(address);
        assertThat(pool.statistics().allocations()).isEqualTo(2);
        assertThat(pool.statistics().requestedBytesInUse()).isEqualTo(bench.bytes - 1);
        assertThat(pool.report().holders())
            .extracting(AllocatorReport.Holder::tag)
            .containsExactly("new");
        assertThatExceptionOfType(BfcOutOfMemoryException.class)
            .isThrownBy(() -> AllocationTag.of("large").run(() -> pool.allocate(256, bench.second)))
            .withMessageContaining("is out of memory for 'large': ");
        bench.first.synchronize();
        bench.check(one, 1);
        pool.free(address);
      }
    });
  }

  @Test
  void allocate_fewBytesFreedOnTheSameStream_isTheSameMemoryAtOnce() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.pool(BfcOptions.expandable())) {
        long address = pool.allocate(100, bench.first);
        bench.first.fill(address, 100, (byte) 1);
        pool.free(address, bench.first);
        long again = pool.allocate(100, bench.first);
        bench.first.synchronize();
        assertThat(again).isEqualTo(address);
        pool.free(again);
      }
    });
  }

  @Test
  void allocate_freedOnAnotherStream_disturbsNeither() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.pool(BfcOptions.expandable())) {
        long address = pool.allocate(bench.bytes, bench.first);
        MemorySegment one = bench.use(bench.first, address, 1);
        pool.free(address, bench.first);
        long other = pool.allocate(bench.bytes, bench.second);
        MemorySegment two = bench.use(bench.second, other, 2);
        bench.second.synchronize();
        bench.first.synchronize();
        bench.check(one, 1);
        bench.check(two, 2);
        pool.free(other, bench.second);
        bench.second.synchronize(); // close() does not wait
      }
    });
  }

  @Test
  void allocate_noRoomButQueuedWork_waitsForIt() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.smallPool()) {
        long address = pool.allocate(bench.bytes, bench.first);
        MemorySegment one = bench.use(bench.first, address, 1);
        pool.free(address, bench.first);
        assertThat(pool.allocate(bench.bytes, bench.second)).isEqualTo(address);
        bench.check(one, 1);
        MemorySegment two = bench.use(bench.second, address, 2);
        bench.second.synchronize();
        bench.check(two, 2);
        pool.free(address, bench.second);
        bench.second.synchronize(); // close() does not wait
      }
    });
  }

  // @throws BfcOutOfMemoryException if there is no room after all queued work has completed
  @Test
  void allocate_noRoomAtAll_throwsAndNothingChanges() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.smallPool()) {
        long address = pool.allocate(bench.bytes, bench.first);
        MemorySegment one = bench.use(bench.first, address, 1);
        assertThatExceptionOfType(BfcOutOfMemoryException.class)
            .isThrownBy(() -> pool.allocate(bench.bytes, bench.second));
        bench.first.synchronize();
        bench.check(one, 1);
        pool.free(address, bench.first);
        assertThat(pool.allocate(bench.bytes, bench.second)).isEqualTo(address);
        pool.free(address);
      }
    });
  }

  @Test
  void free_usedByTwoStreams_waitsForBoth() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.smallPool();
          DeviceStream third = bench.device.openStream()) {
        long address = pool.allocate(bench.bytes, bench.first);
        MemorySegment one = bench.use(bench.first, address, 1);
        try (DeviceEvent written = bench.first.record()) {
          bench.second.waitFor(written);
        }
        MemorySegment two = bench.read(bench.second, address);
        pool.free(address, bench.first, bench.second);
        assertThat(pool.allocate(bench.bytes, third)).isEqualTo(address);
        bench.check(one, 1);
        bench.check(two, 1);
        pool.free(address);
      }
    });
  }

  @Test
  void free_streamClosedAfterwards_isWaitedForNevertheless() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.smallPool()) {
        DeviceStream ended = bench.device.openStream();
        long address = pool.allocate(bench.bytes, ended);
        MemorySegment one = bench.use(ended, address, 1);
        pool.free(address, ended);
        ended.close();
        assertThat(pool.allocate(bench.bytes, bench.second)).isEqualTo(address);
        bench.check(one, 1);
        pool.free(address);
      }
    });
  }

  @Test
  void free_takenOverAndNotUsed_waitsForItsEarlierUse() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.smallPool()) {
        long address = pool.allocate(bench.bytes, bench.first);
        MemorySegment one = bench.use(bench.first, address, 1);
        pool.free(address, bench.first);
        assertThat(pool.allocate(bench.bytes, bench.first)).isEqualTo(address);
        pool.free(address);
        assertThat(pool.allocate(bench.bytes, bench.second)).isEqualTo(address);
        bench.check(one, 1);
        pool.free(address);
      }
    });
  }

  @Test
  void free_takenOverAndFreedWithAnother_waitsForItsEarlierUse() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.smallPool();
          DeviceStream third = bench.device.openStream()) {
        long address = pool.allocate(bench.bytes, bench.first);
        MemorySegment one = bench.use(bench.first, address, 1);
        pool.free(address, bench.first);
        assertThat(pool.allocate(bench.bytes, bench.first)).isEqualTo(address);
        pool.free(address, bench.second); // which has no queued work
        assertThat(pool.allocate(bench.bytes, third)).isEqualTo(address);
        bench.check(one, 1);
        pool.free(address);
      }
    });
  }

  // @throws DeviceException if a call of the driver fails; nothing changes
  @Test
  void free_withAClosedStream_throwsAndNothingChanges() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.smallPool()) {
        DeviceStream ended = bench.device.openStream();
        long address = pool.allocate(bench.bytes, bench.first);
        ended.close();
        assertThatIllegalStateException()
            .isThrownBy(() -> pool.free(address, bench.first, ended))
            .withMessage("a stream of device '%s' is closed", bench.device.name());
        assertThat(pool.queuedBytes()).isZero();
        assertThat(pool.statistics().bytesInUse()).isEqualTo(bench.bytes);
        pool.free(address, bench.first);
        bench.first.synchronize(); // close() does not wait
      }
    });
  }

  // @throws IllegalStateException if no memory is in use at address
  @Test
  void free_twice_throwsAndNothingChanges() throws Exception {
    withStreams(bench -> {
      try (DevicePool pool = bench.smallPool()) {
        long address = pool.allocate(bench.bytes, bench.first);
        MemorySegment one = bench.use(bench.first, address, 1);
        pool.free(address, bench.first);
        assertThatIllegalStateException().isThrownBy(() -> pool.free(address, bench.first));
        assertThatIllegalStateException().isThrownBy(() -> pool.free(address));
        bench.first.synchronize();
        bench.check(one, 1);
        assertThat(pool.queuedBytes()).isZero();
        assertThatIllegalStateException().isThrownBy(() -> pool.free(address));
        assertThat(pool.statistics().bytesInUse()).isZero();
      }
    });
  }

  // @throws IllegalArgumentException if a stream belongs to another device
  @Test
  void everything_withAStreamOfAnotherDevice_throws() throws Exception {
    withStreams(bench -> {
      try (SimulatedDevice another = new SimulatedDevice("another", 1 << 20);
          DeviceStream foreign = another.openStream();
          DevicePool pool = bench.smallPool()) {
        String message =
            String.format(
                Locale.ROOT,
                "a stream of device 'another' cannot use memory of device '%s'",
                bench.device.name());
        assertThatIllegalArgumentException()
            .isThrownBy(() -> pool.allocate(256, foreign))
            .withMessage(message);
        long address = pool.allocate(256, bench.first);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> pool.free(address, bench.first, foreign))
            .withMessage(message);
        pool.free(address, bench.first);
        bench.first.synchronize(); // close() does not wait
      }
    });
  }

  @Test
  void closeWithin_workQueued_waitsForItAndGivesAllBack() throws Exception {
    withStreams(bench -> {
      List<MemorySegment> results = new ArrayList<>();
      try (DevicePool pool = bench.pool(BfcOptions.expandable())) {
        for (DeviceStream stream : List.of(bench.first, bench.second)) {
          long address = pool.allocate(bench.bytes, stream);
          results.add(bench.use(stream, address, results.size()));
          pool.free(address, stream);
        }
        pool.allocate(bench.bytes, bench.first); // taken over, and never freed
        assertThat(pool.closeWithin(Duration.ofDays(1)).isClosed()).isTrue();
      }
      bench.check(results.get(0), 0);
      bench.check(results.get(1), 1);
    });
  }

  static LongStream seeds() {
    return Seeds.of(15);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOrderOfWork_severalStreams_readsMatchTheWrites(long seed) {
    try (Device device = open();
        PoolRun run = new PoolRun(device, seed)) {
      for (int i = 0; i < 300; i++) {
        run.step();
      }
    }
  }

  @Test
  void pool_ofManyThreads_givesNothingTwice() throws Exception {
    try (Device device = open();
        DevicePool pool =
            DevicePool.open("pool", device, BfcOptions.oneRegion(Math.max(1 << 18, unit(device))));
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Void>> results =
          threads.invokeAll(IntStream.range(0, 4).mapToObj(i -> work(device, pool, i)).toList());
      for (Future<Void> result : results) {
        result.get();
      }
    }
  }

  /** Writes and reads chunks that are freed before the work has completed. */
  private static Callable<Void> work(Device device, DevicePool pool, int thread) {
    return () -> {
      int bytes = 20_000;
      try (Arena arena = Arena.ofShared();
          DeviceStream stream = device.openStream()) {
        for (int i = 0; i < 50; i++) {
          byte[] contents = Contents.bytes(100L * thread + i, bytes);
          MemorySegment source = arena.allocate(bytes).copyFrom(MemorySegment.ofArray(contents));
          MemorySegment target = arena.allocate(bytes);
          long address = pool.allocate(bytes, stream);
          stream.copyFromHost(source, address);
          stream.copyToHost(address, target);
          pool.free(address, stream);
          if (i % 10 == 9) {
            stream.synchronize();
            Contents.checkSame(Contents.read(target), contents);
          }
        }
      }
      return null;
    };
  }
}
