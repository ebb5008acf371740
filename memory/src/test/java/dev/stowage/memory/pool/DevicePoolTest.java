package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocationListener;
import dev.stowage.core.bfc.AllocationTag;
import dev.stowage.core.bfc.AllocatorReport;
import dev.stowage.core.bfc.AllocatorStatistics;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.core.trace.TraceOptions;
import dev.stowage.core.trace.TraceReader;
import dev.stowage.core.trace.TraceRecorder;
import dev.stowage.core.trace.TraceReplay;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.device.SimulatedDevice;
import dev.stowage.testing.Seeds;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On streams that do nothing before someone waits: whoever does not wait is wrong, always. */
class DevicePoolTest {

  private final Arena arena = Arena.ofShared();
  private final SimulatedDevice device = new SimulatedDevice("simulated", 1 << 20);

  @AfterEach
  void end() {
    arena.close();
  }

  private MemorySegment bytes(int value) {
    return arena.allocate(4096).fill((byte) value);
  }

  private static byte first(MemorySegment segment) {
    return segment.get(ValueLayout.JAVA_BYTE, 0);
  }

  @Test
  void allocate_freedOnTheSameStream_isTheSameMemoryAtOnce() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      long address = pool.allocate(4096, stream);
      MemorySegment result = bytes(0);
      stream.copyFromHost(bytes(1), address);
      stream.copyToHost(address, result);
      pool.free(address, stream);
      assertThat(pool.queuedBytes()).isEqualTo(4096);

      assertThat(pool.allocate(4096, stream)).isEqualTo(address);
      assertThat(pool.queuedBytes()).isZero();
      stream.fill(address, 4096, (byte) 2);
      stream.synchronize();
      assertThat(first(result)).isEqualTo((byte) 1);
      pool.free(address, stream);
    }
    device.close();
  }

  @Test
  void allocate_kernelsNeedMoreThanTheAllocator_isAlignedForThem() {
    SimulatedDevice wide = new SimulatedDevice("wide", 1 << 20, 512);
    try (DevicePool pool = DevicePool.open("pool", wide, BfcOptions.oneRegion(1024));
        DeviceStream stream = wide.openStream();
        DeviceStream other = wide.openStream()) {
      long first = pool.allocate(256, stream);
      long second = pool.allocate(256, stream);
      assertThat(first % 512).isZero();
      assertThat(second).isEqualTo(first + 512);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocate(512, stream))
          .withMessageContaining("requested=512");
      pool.free(second, stream);
      assertThat(pool.allocate(512, other)).isEqualTo(second); // when the first stream is done
    }
    try (DevicePool whole = DevicePool.open("whole", wide, BfcOptions.growing().withLimit(4096));
        DeviceStream stream = wide.openStream()) {
      whole.allocate(4096, stream); // nothing is set aside for an alignment that regions have
    }
    wide.close();
  }

  @Test
  void allocate_freedOnAnotherStream_isOtherMemoryUntilThatIsDone() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream slow = device.openStream();
        DeviceStream fast = device.openStream()) {
      long address = pool.allocate(4096, slow);
      MemorySegment result = bytes(0);
      slow.copyFromHost(bytes(1), address);
      slow.copyToHost(address, result);
      pool.free(address, slow);

      long other = pool.allocate(4096, fast);
      assertThat(other).isNotEqualTo(address);
      fast.fill(other, 4096, (byte) 2);
      fast.synchronize();
      slow.synchronize();
      assertThat(first(result)).isEqualTo((byte) 1);

      assertThat(pool.allocate(4096, fast)).isEqualTo(address);
    }
  }

  @Test
  void allocate_noRoomButQueuedWork_waitsForIt() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.oneRegion(4096));
        DeviceStream slow = device.openStream();
        DeviceStream fast = device.openStream()) {
      long address = pool.allocate(4096, slow);
      MemorySegment result = bytes(0);
      slow.copyFromHost(bytes(1), address);
      slow.copyToHost(address, result);
      pool.free(address, slow);

      assertThat(pool.allocate(4096, fast)).isEqualTo(address);
      assertThat(first(result)).isEqualTo((byte) 1);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocate(256, fast));
    }
  }

  @Test
  void free_usedByTwoStreams_waitsForBoth() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream one = device.openStream();
        DeviceStream two = device.openStream()) {
      long address = pool.allocate(4096, one);
      one.fill(address, 4096, (byte) 1);
      two.waitFor(one.record());
      two.copyToHost(address, bytes(0));
      pool.free(address, one, two);

      // Not even to one of them: the other may not have read it.
      assertThat(pool.allocate(4096, one)).isNotEqualTo(address);
      one.synchronize();
      assertThat(pool.queuedBytes()).isEqualTo(4096);
      two.synchronize();
      assertThat(pool.queuedBytes()).isZero();
    }
  }

  @Test
  void free_doneAccordingToTheCaller_goesToAnyoneAtOnce() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      long address = pool.allocate(4096, stream);
      pool.free(address);
      assertThat(pool.statistics().bytesInUse()).isZero();
      assertThat(pool.trim().bytes()).isEqualTo(4096);
    }
  }

  // @throws IllegalStateException if nothing is in use at address
  @Test
  void free_twice_throws() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      long address = pool.allocate(4096, stream);
      stream.fill(address, 4096, (byte) 1);
      pool.free(address, stream);
      for (DeviceStream[] users : new DeviceStream[][] {{stream}, {}}) {
        assertThatIllegalStateException()
            .isThrownBy(() -> pool.free(address, users))
            .withMessage(
                "what is at 0x100000000000000 was freed already, and work that uses it is still"
                    + " queued");
      }
      stream.synchronize();
      assertThat(pool.queuedBytes()).isZero();
      assertThatIllegalStateException()
          .isThrownBy(() -> pool.free(address, stream))
          .withMessageContaining("nothing to free");
    }
  }

  // @throws IllegalArgumentException if a stream is of another device
  @Test
  void allocate_streamOfAnotherDevice_throws() {
    try (HostMemory host = HostMemory.open();
        DeviceStream foreign = host.openStream();
        DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      String message = "a stream of device 'host' cannot use memory of device 'simulated'";
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pool.allocate(256, foreign))
          .withMessage(message);
      long address = pool.allocate(256, stream);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pool.free(address, foreign))
          .withMessage(message);
    }
  }

  @Test
  void close_workQueued_waitsAndGivesAllBack() {
    DeviceStream stream = device.openStream();
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable())) {
      long address = pool.allocate(4096, stream);
      stream.fill(address, 4096, (byte) 1);
      pool.free(address, stream);
    }
    assertThat(device.filled().count()).isEqualTo(1);
    stream.close();
    device.close();
  }

  @Test
  void close_queuedWorkFails_givesAllBackAndTheStreamTells() {
    DeviceStream stream = device.openStream();
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable())) {
      long address = pool.allocate(4096, stream);
      stream.fill(address, 4096, (byte) 1);
      pool.free(address, stream);
      device.failAt(1);
    }
    assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(stream::close)
        .withMessage("fill of device 'simulated' failed: SIMULATED_FAILURE (1)");
    device.close();
  }

  @Test
  void allocate_noRoomBeforeWorkThatFails_isGivenAndTheStreamTells() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.oneRegion(4096));
        DeviceStream first = device.openStream();
        DeviceStream second = device.openStream()) {
      long address = pool.allocate(4096, first);
      first.fill(address, 4096, (byte) 1);
      pool.free(address, first);
      device.failAt(1);
      assertThat(pool.allocate(4096, second)).isEqualTo(address);
      assertThatExceptionOfType(DeviceException.class).isThrownBy(first::synchronize);
    }
  }

  // What a reuse is to others.

  @Test
  void allocate_reusedOnItsStream_isANewAllocationInEveryReport() {
    List<String> heard = new ArrayList<>();
    try (DevicePool pool =
            DevicePool.open("pool", device, BfcOptions.oneRegion(4096), new Lines(heard));
        DeviceStream stream = device.openStream()) {
      long address = AllocationTag.of("first").call(() -> pool.allocate(4000, stream));
      stream.fill(address, 4000, (byte) 1);
      pool.free(address, stream);
      assertThat(heard).containsExactly("allocated 1 'first' of 4000");
      assertThat(
              AllocationTag.of("second")
                  .<Long, RuntimeException>call(() -> pool.allocate(3000, stream)))
          .isEqualTo(address);
      assertThat(heard)
          .containsExactly(
              "allocated 1 'first' of 4000", "freed 1", "allocated 2 'second' of 3000");

      assertThat(pool.statistics().allocations()).isEqualTo(2);
      assertThat(pool.statistics().requestedBytesInUse()).isEqualTo(3000);
      assertThat(pool.report().holders())
          .containsExactly(new AllocatorReport.Holder("second", 1, 3000, 4096));
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocate(256, stream))
          .withMessageContaining("allocation 2 'second' of 3000 bytes");
      assertThat(heard).last().isEqualTo("failed 256");
      pool.free(address);
    }
  }

  @Test
  void allocate_smallAgainOnItsStream_isTheSameChunk() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      for (long bytes : new long[] {1, 100, 127, 128, 129, 255, 256}) {
        long address = pool.allocate(bytes, stream);
        stream.fill(address, bytes, (byte) 1);
        pool.free(address, stream);
        assertThat(pool.allocate(bytes, stream)).isEqualTo(address);
        pool.free(address);
      }
    }
  }

  private record Lines(List<String> lines) implements AllocationListener {

    @Override
    public void allocated(Allocation allocation) {
      lines.add(
          String.format(
              Locale.ROOT,
              "allocated %d '%s' of %d",
              allocation.id(),
              allocation.tag(),
              allocation.requestedBytes()));
    }

    @Override
    public void freed(long id) {
      lines.add("freed " + id);
    }

    @Override
    public void failed(long bytes) {
      lines.add("failed " + bytes);
    }
  }

  @Test
  void allocate_waitsAndPasses_isHeardAsNoFailure() {
    List<String> heard = new ArrayList<>();
    try (DevicePool pool =
            DevicePool.open("pool", device, BfcOptions.oneRegion(4096), new Lines(heard));
        DeviceStream slow = device.openStream();
        DeviceStream fast = device.openStream()) {
      long address = pool.allocate(4096, slow);
      slow.fill(address, 4096, (byte) 1);
      pool.free(address, slow);
      pool.free(pool.allocate(2048, fast));
      assertThat(heard)
          .containsExactly(
              "allocated 1 '' of 4096", "freed 1", "allocated 2 '' of 2048", "freed 2");
    }
  }

  @Test
  void open_recorder_recordsARunThatReplaysToTheSameSizes(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("run.csv");
    BfcOptions options = BfcOptions.growing().withFirstRegion(4096).withLimit(64 << 10);
    Random random = new Random(1);
    AllocatorStatistics recorded;
    try (TraceRecorder recorder = TraceRecorder.create(file);
        DevicePool pool = DevicePool.open("pool", device, options, recorder);
        DeviceStream stream = device.openStream()) {
      for (int i = 0; i < 200; i++) {
        long bytes = 1L + random.nextInt(5000);
        long address = pool.allocate(bytes, stream);
        stream.fill(address, bytes, (byte) 1);
        pool.free(address, stream);
        for (int k = random.nextInt(3); k > 0; k--) {
          device.runNext();
        }
      }
      stream.synchronize();
      recorded = pool.statistics();
    }
    assertThat(recorded.allocations()).isEqualTo(200);
    TraceReplay replay = new TraceReplay(options, _ -> {});
    TraceReader.read("run", file, TraceOptions.strict(), replay);
    assertThat(replay.result().allocations()).isEqualTo(200);
    assertThat(replay.result().frees()).isEqualTo(200);
    assertThat(replay.result().failures()).isZero();
  }

  @Test
  void listener_thatCallsThePool_isRefusedAndMayReadReports() {
    AtomicReference<Optional<DevicePool>> called = new AtomicReference<>(Optional.empty());
    List<String> messages = new ArrayList<>();
    try (DeviceStream stream = device.openStream();
        DevicePool pool =
            DevicePool.open(
                "pool",
                device,
                BfcOptions.growing(),
                new AllocationListener() {
                  @Override
                  public void allocated(Allocation allocation) {
                    called.get().ifPresent(own -> messages.add(own.queuedBytes() + " queued"));
                  }

                  @Override
                  public void freed(long id) {
                    DevicePool own = called.get().orElseThrow();
                    for (Runnable call :
                        List.<Runnable>of(
                            () -> own.allocate(1, stream),
                            () -> own.free(0),
                            own::trim,
                            own::close)) {
                      messages.add(catchThrowable(call::run).getMessage());
                    }
                  }

                  @Override
                  public void failed(long bytes) {}
                })) {
      called.set(Optional.of(pool));
      pool.free(pool.allocate(100, stream));
      assertThat(messages)
          .containsExactly(
              "0 queued",
              "pool 'pool' is called by its own listener or device; do that after the call that called it",
              messages.get(1),
              messages.get(1),
              messages.get(1));
    }
  }

  // What a call costs, and whom it holds up.

  /** {@return the number of looks for an allocation and its free, with some frees queued before} */
  private static long looks(int queuedFrees) {
    try (ManualDevice manual = new ManualDevice(1L << 30);
        DevicePool pool = DevicePool.open("pool", manual, BfcOptions.expandable())) {
      DeviceStream own = manual.openStream();
      DeviceStream other = manual.openStream();
      List<Long> addresses = new ArrayList<>();
      for (int i = 0; i < queuedFrees; i++) {
        addresses.add(pool.allocate(256L * (1 + i % 7), i % 2 == 0 ? own : other));
      }
      for (int i = 0; i < queuedFrees; i++) {
        pool.free(addresses.get(i), i % 2 == 0 ? own : other);
      }
      long before = manual.looks();
      pool.free(pool.allocate(256 * 3, own), own);
      pool.free(pool.allocate(1 << 16, own), own);
      pool.free(pool.allocate(256 * 5, own), own, other);
      long looks = manual.looks() - before;
      own.synchronize();
      other.synchronize();
      return looks;
    }
  }

  @Test
  void allocateAndFree_manyQueuedFrees_lookAtNoMoreStreamsAndEventsThanWithFew() {
    assertThat(looks(1000)).isLessThanOrEqualTo(looks(40) + 10).isLessThan(200);
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void allocate_anotherThreadWaitsForTheDevice_isNotHeldUp() throws Exception {
    try (ManualDevice manual = new ManualDevice(1 << 20);
        DevicePool pool = DevicePool.open("pool", manual, BfcOptions.oneRegion(8192))) {
      ManualDevice.ManualStream slow = manual.openStream();
      DeviceStream fast = manual.openStream();
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

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void close_waitsForTheDevice_holdsUpNoOther() throws Exception {
    try (ManualDevice manual = new ManualDevice(1 << 20)) {
      DevicePool pool = DevicePool.open("pool", manual, BfcOptions.oneRegion(8192));
      ManualDevice.ManualStream slow = manual.openStream();
      long first = pool.allocate(4096, slow);
      long second = pool.allocate(2048, slow);
      pool.free(first, slow);
      Thread closing = Thread.ofPlatform().start(pool::close);
      while (closing.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      pool.free(second, slow);
      assertThat(pool.queuedBytes()).isEqualTo(6144);
      slow.reach(slow.recorded());
      closing.join();
      assertThat(manual.availableBytes()).isEqualTo(1 << 20);
      assertThat(manual.openEvents()).isZero();
    }
  }

  @Test
  void free_withAStreamTwice_waitsForIt() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      long address = pool.allocate(4096, stream);
      stream.fill(address, 4096, (byte) 1);
      pool.free(address, stream, stream);
      assertThat(pool.allocate(4096, stream)).isEqualTo(address);
    }
  }

  static LongStream seeds() {
    return Seeds.of(200);
  }

  /** Every buffer is written, read back later by its stream, and freed before either happened. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOrderOfWork_manyStreams_everyoneReadsWhatItWrote(long seed) {
    Random random = new Random(seed);
    List<MemorySegment> results = new ArrayList<>();
    List<Byte> expected = new ArrayList<>();
    List<DeviceStream> streams = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      streams.add(device.openStream());
    }
    BfcOptions options =
        random.nextBoolean() ? BfcOptions.expandable() : BfcOptions.oneRegion(64 << 10);
    try (DevicePool pool = DevicePool.open("pool", device, options.withSplitThreshold(256))) {
      for (int step = 0; step < 200; step++) {
        DeviceStream stream = streams.get(random.nextInt(4));
        byte value = (byte) random.nextInt();
        MemorySegment result = arena.allocate(1 + random.nextInt(8000));
        long address = pool.allocate(result.byteSize(), stream);
        stream.fill(address, result.byteSize(), value);
        stream.copyToHost(address, result);
        pool.free(address, stream);
        results.add(result);
        expected.add(value);
        for (int k = random.nextInt(4); k > 0; k--) {
          device.runNext();
        }
        if (random.nextInt(10) == 0) {
          streams.get(random.nextInt(4)).synchronize();
        }
      }
    }
    streams.forEach(DeviceStream::close);
    for (int i = 0; i < results.size(); i++) {
      MemorySegment result = results.get(i);
      byte[] filled = new byte[(int) result.byteSize()];
      Arrays.fill(filled, expected.get(i));
      assertThat(result.mismatch(MemorySegment.ofArray(filled))).isEqualTo(-1);
    }
    device.close();
  }
}
