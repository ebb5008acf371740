package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.memory.device.HostMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineMemoryTest {

  private static final long LIMIT_BYTES = 1 << 20;
  private static final int THREADS = 4;
  private static final OnnxRuntimeOptions OPTIONS =
      OnnxRuntimeOptions.of(BfcOptions.expandable().withLimit(LIMIT_BYTES));

  private final HostMemory host = HostMemory.open();
  private final EngineMemory memory = memory(Optional.empty());

  private EngineMemory memory(Optional<AllocationListener> listener) {
    return new EngineMemory(
        "engine",
        EngineRegions.ofHost(host.newSubAllocator()),
        listener.map(OPTIONS::withListener).orElse(OPTIONS));
  }

  @AfterEach
  void close() {
    memory.close(() -> {});
    host.close();
  }

  @Test
  void allocate_noBytes_takesOne() {
    long first = memory.allocate(0);
    long second = memory.allocate(0);
    assertThat(first).isNotZero().isNotEqualTo(second);
    assertThat(memory.statistics().requestedBytesInUse()).isEqualTo(2);
    memory.free(first);
    memory.free(second);
    assertThat(memory.statistics().chunksInUse()).isZero();
  }

  @Test
  void free_null_doesNothing() {
    memory.free(0);
    memory.throwFailures();
    assertThat(memory.statistics().allocations()).isZero();
  }

  @Test
  void allocate_beyondTheLimit_isAlignedAndOutsideIt() {
    List<Long> addresses = new ArrayList<>();
    for (int request = 0; request < 5; request++) {
      addresses.add(memory.allocate(LIMIT_BYTES + 1));
    }
    assertThat(addresses).doesNotHaveDuplicates().allMatch(address -> address % 64 == 0);
    OnnxRuntimeReport report = memory.report();
    assertThat(report.overflow().refusedRequests()).isEqualTo(5);
    assertThat(report.overflow().bytesInUse()).isEqualTo(5 * (LIMIT_BYTES + 1));
    addresses.forEach(memory::free);
    assertThat(memory.report().overflow().bytesInUse()).isZero();
    assertThatThrownBy(memory::throwFailures)
        .isInstanceOf(BfcOutOfMemoryException.class)
        .hasMessageContaining("1 MiB (1,048,577 bytes) requested");
    memory.throwFailures(); // once
  }

  @Test
  void allocate_moreThanAnyMachineHas_isNullAndTold() {
    for (long size : new long[] {1L << 62, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
      assertThat(memory.allocate(size)).as("%d bytes", size).isZero();
      assertThatThrownBy(memory::throwFailures).isInstanceOf(BfcOutOfMemoryException.class);
    }
    assertThat(memory.report().overflow().bytesInUse()).isZero();
  }

  @Test
  void free_addressNotInUse_isReportedAndChangesNothing() {
    long address = memory.allocate(1000);
    memory.free(address);
    memory.free(address);
    assertThatThrownBy(memory::throwFailures)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("allocator 'engine' has nothing to free at " + address);
  }

  @Test
  void allocate_regionsThrow_isAnsweredAndTold() {
    SubAllocator broken =
        new SubAllocator() {
          @Override
          public OptionalLong allocate(long bytes) {
            throw new UnsupportedOperationException("driver");
          }

          @Override
          public void free(long address, long bytes) {}
        };
    EngineMemory onBroken =
        new EngineMemory(
            "engine", EngineRegions.ofHost(broken), OnnxRuntimeOptions.of(BfcOptions.growing()));
    long address = onBroken.allocate(1000);
    assertThat(address).isNotZero();
    onBroken.free(address);
    assertThatThrownBy(onBroken::throwFailures)
        .hasMessage(
            "the listener or the system failed during a request of ONNX Runtime: "
                + "java.lang.UnsupportedOperationException: driver");
    onBroken.close(() -> {});
  }

  @Test
  void report_reservedAndAllocatedUnderTags_isByTheirPaths() {
    List<Long> addresses = new ArrayList<>();
    AllocationTag.of("resnet")
        .run(() -> {
          addresses.add(memory.reserve(5000));
          addresses.add(memory.allocate(300));
        });
    addresses.add(memory.allocate(200));
    memory.free(memory.allocate(400));
    assertThat(memory.report().tags())
        .containsExactly(
            new OnnxRuntimeReport.TagUsage("resnet/weights", 1, 5000, 5000),
            new OnnxRuntimeReport.TagUsage("tensors", 2, 200, 600),
            new OnnxRuntimeReport.TagUsage("resnet/tensors", 1, 300, 300));
    addresses.forEach(memory::free);
    assertThat(memory.report().tags())
        .allMatch(usage -> usage.requestedBytesInUse() == 0 && usage.peakRequestedBytes() > 0);
  }

  @Test
  void close_byTheListener_isRefused() {
    AtomicInteger refusals = new AtomicInteger();
    List<EngineMemory> closed = new ArrayList<>();
    EngineMemory listened =
        memory(
            Optional.of(
                new AllocationListener() {
                  @Override
                  public void allocated(Allocation allocation) {
                    assertThatThrownBy(() -> closed.getFirst().close(() -> {}))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("allocator 'engine' cannot be closed by its listener");
                    refusals.incrementAndGet();
                  }

                  @Override
                  public void freed(long id) {}

                  @Override
                  public void failed(long bytes) {}
                }));
    closed.add(listened);
    listened.free(listened.allocate(1));
    listened.throwFailures();
    assertThat(refusals).hasValue(1);
    listened.close(() -> {});
  }

  @Test
  void calls_ofManyThreads_leaveNothing() throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> threads = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Random random = new Random(thread);
        threads.add(executor.submit(() -> allocateAndFree(random)));
      }
      for (Future<?> thread : threads) {
        thread.get();
      }
    }
    OnnxRuntimeReport report = memory.report();
    assertThat(report.memory().statistics().bytesInUse()).isZero();
    assertThat(report.overflow().bytesInUse()).isZero();
    assertThat(report.tags()).allMatch(usage -> usage.requestedBytesInUse() == 0);
    assertThat(report.overflow().refusedRequests()).isPositive();
  }

  private void allocateAndFree(Random random) {
    List<Long> addresses = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      if (addresses.size() < 10 && random.nextBoolean()) {
        addresses.add(memory.allocate(random.nextInt(100_000)));
      } else if (!addresses.isEmpty()) {
        memory.free(addresses.remove(random.nextInt(addresses.size())));
      }
    }
    addresses.forEach(memory::free);
  }
}
