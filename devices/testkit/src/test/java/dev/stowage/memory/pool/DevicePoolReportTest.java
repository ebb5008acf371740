package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testkit.SimulatedDevice;
import dev.stowage.trace.TraceRecorder;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceReader;
import dev.stowage.trace.replay.TraceReplay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that a stream reuses in reports, listeners and recordings. */
class DevicePoolReportTest {

  private final SimulatedDevice device = new SimulatedDevice("simulated", 1 << 20);

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
          .withMessageContaining("allocation 2 'second' of 2.93 KiB (3,000 bytes)");
      assertThat(heard).last().isEqualTo("failed 256");
      pool.free(address);
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
  void allocate_waitsAndSucceeds_isNoFailureOfTheListener() {
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
  void listener_thatCallsThePool_isRejectedAndMayReadReports() {
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
              "pool 'pool' cannot be called by its own listener or device; call it after they have returned",
              messages.get(1),
              messages.get(1),
              messages.get(1));
    }
  }

  /** Queued work still uses the chunk. */
  @Test
  void listener_throwsInAReuse_chunkIsFreedWhenTheWorkIsDone() {
    AtomicReference<String> refused = new AtomicReference<>("none");
    AllocationListener throwing =
        new AllocationListener() {
          @Override
          public void allocated(Allocation allocation) {
            if (allocation.tag().equals(refused.get())) {
              throw new IllegalStateException("refused");
            }
          }

          @Override
          public void freed(long id) {}

          @Override
          public void failed(long bytes) {}
        };
    ManualStreams manual = new ManualStreams(device);
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.oneRegion(4096), throwing)) {
      ManualStreams.ManualStream stream = manual.open();
      long address = pool.allocate(4000, stream);
      pool.free(address, stream);
      refused.set("again");
      Throwable thrown =
          catchThrowable(() -> AllocationTag.of("again").run(() -> pool.allocate(4000, stream)));
      assertThat(thrown).hasMessage("refused");
      assertThat(pool.tryAllocate(PoolRequest.of(4000), manual.open())).isEmpty();
      stream.reach(stream.recorded());
      assertThat(pool.tryAllocate(PoolRequest.of(4000), manual.open())).hasValue(address);
      pool.free(address);
      pool.checkInvariants();
    }
  }
}
