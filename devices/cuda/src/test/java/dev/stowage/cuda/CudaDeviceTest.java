package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.cuda.standin.Kind;
import dev.stowage.cuda.standin.StandIn;
import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of CUDA devices beyond the contract. */
class CudaDeviceTest {

  private static final long GRANULE = StandIn.GRANULE_BYTES;

  @RegisterExtension final StandIn standIn = new StandIn();

  private CudaDevice fixed() {
    return CudaDevice.open(standIn::functions, 0, CudaOptions.fixed());
  }

  private CudaDevice expandable() {
    return CudaDevice.open(standIn::functions, 0, CudaOptions.expandable());
  }

  private static void assertFails(ThrowingCallable call, String message) {
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(call)
        .withMessage(message)
        .matches(e -> e.code() == StandIn.UNKNOWN && e.codeName().equals("CUDA_ERROR_UNKNOWN"));
  }

  @Test
  void copyFrom_anotherGpu_isOneCopyOfTheDriver() {
    try (CudaDevice first = CudaDevice.open(standIn::functions, 0, CudaOptions.fixed());
        CudaDevice second = CudaDevice.open(standIn::functions, 1, CudaOptions.expandable())) {
      assertThat(second.canCopyFrom(first)).isTrue();
      long source = first.allocate(4096).orElseThrow();
      long target = second.allocate(StandIn.GRANULE_BYTES).orElseThrow();
      first.fill(source, 4096, (byte) 7);
      second.copyFrom(first, source, target + 1, 4095);
      byte[] read = new byte[4095];
      second.copyToHost(target + 1, MemorySegment.ofArray(read));
      assertThat(read).containsOnly(7);
      second.copyFrom(first, source, target, 0);
      try (DeviceStream stream = second.openStream()) {
        assertThat(standIn.calls(() -> stream.copyFrom(first, source + 1, target, 4095)))
            .containsExactly("cuMemcpyPeerAsync");
        stream.fill(target, 4095, (byte) 8);
        first.fill(source, 4096, (byte) 9);
        stream.copyFrom(first, source, target + 9, 1);
        stream.synchronize();
        second.copyToHost(target, MemorySegment.ofArray(read));
        assertThat(read).startsWith(8, 8, 8, 8, 8, 8, 8, 8, 8, 9, 8);
        stream.copyFrom(first, source, target, 0);
      }
      standIn.fail("cuMemcpyPeerAsync", 1, StandIn.UNKNOWN);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> second.copyFrom(first, source, target, 4096))
          .withMessage(
              "cuMemcpyPeerAsync of 4096 bytes from 0x%x of device 'cuda:0 Stand-in A' to 0x%x on"
                  + " device 'cuda:1 Stand-in B' failed: CUDA_ERROR_UNKNOWN (999)",
              source, target);
      first.free(source, 4096);
      second.free(target, StandIn.GRANULE_BYTES);
    }
  }

  /** 225 MiB of the 1 GiB of the stand-in. */
  @Test
  void systemReserveBytes_smallGpu_isThatOfTensorFlow() {
    try (CudaDevice device = CudaDevice.open(standIn::functions, 0, CudaOptions.fixed())) {
      assertThat(device.systemReserveBytes()).isEqualTo(225L << 20);
      assertThat(BfcOptions.forDevice(device, 0, true).limitBytes())
          .isEqualTo(StandIn.TOTAL_BYTES - (225L << 20));
    }
  }

  /** The second device has compute capability 8.x, and 1,536 MiB stay with the system. */
  @Test
  void systemReserveBytes_largeGpu_dependsOnItsComputeCapability() {
    standIn.reset(2, 16L << 30);
    try (CudaDevice device = CudaDevice.open(standIn::functions, 1, CudaOptions.fixed())) {
      assertThat(BfcOptions.forDevice(device, 0, true).limitBytes())
          .isEqualTo((16L << 30) - (1536L << 20));
    }
  }

  @Test
  void figures_ofADevice_areTheDriversOwn() {
    try (CudaDevice device = fixed()) {
      assertThat(device.name()).isEqualTo("cuda:0 Stand-in A");
      assertThat(device.totalBytes()).isEqualTo(StandIn.TOTAL_BYTES);
      assertThat(device.granularityBytes()).isEqualTo(256);
      long address = device.allocate(4096).orElseThrow();
      assertThat(device.availableBytes()).isEqualTo(StandIn.TOTAL_BYTES - 4096);
      device.free(address, 4096);
    }
    try (CudaDevice device = expandable()) {
      assertThat(device.granularityBytes()).isEqualTo(GRANULE);
      assertThat(device.alignmentBytes()).isEqualTo(GRANULE);
    }
  }

  @Test
  void availableBytes_afterClose_isRejected() {
    CudaDevice device = fixed();
    device.close();
    assertThatIllegalStateException()
        .isThrownBy(device::availableBytes)
        .withMessage("device 'cuda:0 Stand-in A' is closed");
  }

  // Contexts.

  @Test
  void calls_ofTwoDevices_leaveTheThreadsContext() {
    try (CudaDevice first = fixed();
        CudaDevice second = CudaDevice.open(standIn::functions, 1, CudaOptions.expandable());
        Arena arena = Arena.ofConfined()) {
      for (int own = -1; own <= 1; own++) {
        standIn.setCurrentDevice(own);
        long one = first.allocate(4096).orElseThrow();
        long two = second.allocate(GRANULE).orElseThrow();
        second.fill(two, GRANULE, (byte) 2);
        first.fill(one, 4096, (byte) 1);
        first.allocateStaging(1, arena);
        second.openStream().close();
        second.free(two, GRANULE);
        standIn.fail("cuMemFree_v2", 1, StandIn.UNKNOWN);
        assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> first.free(one, 4096));
        first.free(one, 4096);
        assertThat(standIn.currentDevice()).isEqualTo(own);
      }
      standIn.setCurrentDevice(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void calls_ofAnyThread_haveAContext(boolean virtual) throws Exception {
    try (ExecutorService threads =
            virtual
                ? Executors.newVirtualThreadPerTaskExecutor()
                : Executors.newSingleThreadExecutor();
        CudaDevice device = fixed()) {
      long address = threads.submit(() -> device.allocate(4096).orElseThrow()).get();
      DeviceStream stream = threads.submit(device::openStream).get();
      threads.submit(() -> stream.fill(address, 4096, (byte) 7)).get();
      DeviceEvent event = threads.submit(stream::record).get();
      threads.submit(event::await).get();
      byte[] read = new byte[1];
      threads.submit(() -> device.copyToHost(address, MemorySegment.ofArray(read))).get();
      assertThat(read).containsExactly(7);
      threads.submit(event::close).get();
      threads.submit(stream::close).get();
      threads.submit(() -> device.free(address, 4096)).get();
    }
  }

  @Test
  void close_whileStagingAndEventsLive_leavesThemTheContext() {
    try (Arena arena = Arena.ofShared()) {
      CudaDevice device = fixed();
      DeviceStream stream = device.openStream();
      DeviceEvent event = stream.record();
      stream.close();
      MemorySegment staging = device.allocateStaging(100, arena);
      device.close();
      assertThat(standIn.contexts(0)).isOne();
      event.await();
      assertThat(event.isDone()).isTrue();
      event.close();
      staging.set(ValueLayout.JAVA_BYTE, 99, (byte) 1);
      assertThat(standIn.contexts(0)).isOne();
      assertThat(standIn.alive(Kind.PINNED)).isOne();
    }
    assertThat(standIn.contexts(0)).isZero();
  }

  // Failures of the driver.

  @ParameterizedTest
  @CsvSource({"cuMemCreate,2", "cuMemCreate,3", "cuMemMap,2", "cuMemSetAccess,1"})
  void allocate_memoryRunsOut_isEmptyAndLeavesNothing(String function, int call) {
    try (CudaDevice device = expandable()) {
      standIn.fail(function, call, CudaDriver.OUT_OF_MEMORY);
      assertThat(device.allocate(4 * GRANULE)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cuMemCreate,2,of 65536 bytes",
    "cuMemMap,2,of 65536 bytes at 0x700000020000",
    "cuMemSetAccess,1,of 196608 bytes at 0x700000000000"
  })
  void allocate_undoingFailsToo_hasTheFirstFailureAndLeavesNothing(
      String function, int call, String what) {
    try (CudaDevice device = expandable()) {
      standIn.fail(function, call, StandIn.UNKNOWN);
      standIn.fail("cuMemUnmap", 1, StandIn.UNKNOWN);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> device.allocate(3 * GRANULE))
          .withMessage(
              "%s %s on device 'cuda:0 Stand-in A' failed: CUDA_ERROR_UNKNOWN (999)"
                  .formatted(function, what))
          .satisfies(failed ->
              assertThat(failed.getSuppressed()[0])
                  .hasMessageMatching("cuMemUnmap of (65536|131072) bytes at .*"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuMemUnmap", "cuMemAddressFree"})
  void allocate_memoryRunsOutAndUndoingFails_hasThatFailureAndLeavesNothing(String function) {
    try (CudaDevice device = expandable()) {
      standIn.fail("cuMemSetAccess", 1, CudaDriver.OUT_OF_MEMORY);
      standIn.fail(function, 1, StandIn.UNKNOWN);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> device.allocate(3 * GRANULE))
          .withMessageStartingWith(function + " of ")
          .withMessageEndingWith("failed: CUDA_ERROR_UNKNOWN (999)");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cuMemAddressReserve,1,of 1073741824 bytes",
    "cuMemCreate,2,of 65536 bytes",
    "cuMemMap,2,of 65536 bytes at 0x700000020000",
    "cuMemSetAccess,1,of 196608 bytes at 0x700000000000"
  })
  void allocate_failureOfTheDriver_hasItsNameAndLeavesNothing(
      String function, int call, String what) {
    try (CudaDevice device = expandable()) {
      standIn.fail(function, call, StandIn.UNKNOWN);
      assertFails(
          () -> device.allocate(3 * GRANULE),
          "%s %s on device 'cuda:0 Stand-in A' failed: CUDA_ERROR_UNKNOWN (999)"
              .formatted(function, what));
    }
  }

  @Test
  void allocate_failureThatIsNotMemory_isNoRefusal() {
    try (CudaDevice device = fixed()) {
      standIn.fail("cuMemAlloc_v2", 1, StandIn.UNKNOWN);
      assertFails(
          () -> device.allocate(4096),
          "cuMemAlloc of 4096 bytes on device 'cuda:0 Stand-in A' failed: CUDA_ERROR_UNKNOWN (999)");
      standIn.fail("cuMemAlloc_v2", 1, CudaDriver.OUT_OF_MEMORY);
      assertThat(device.allocate(4096)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"cuCtxSynchronize,1", "cuMemUnmap,1", "cuMemUnmap,2", "cuMemAddressFree,1"})
  void free_failureOfTheDriver_canBeTriedAgain(String function, int call) {
    try (CudaDevice device = expandable()) {
      long address = device.allocate(3 * GRANULE).orElseThrow();
      standIn.fail(function, call, StandIn.UNKNOWN);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> device.free(address, 3 * GRANULE));
      device.fill(address, 3 * GRANULE, (byte) 1); // it is whole still
      device.free(address, 3 * GRANULE);
    }
  }

  @Test
  void free_fixedRegionFails_canBeTriedAgain() {
    try (CudaDevice device = fixed()) {
      long address = device.allocate(4096).orElseThrow();
      standIn.fail("cuMemFree_v2", 1, StandIn.UNKNOWN);
      assertFails(
          () -> device.free(address, 4096),
          "cuMemFree of 4096 bytes at 0x700000000000 on device 'cuda:0 Stand-in A' failed: CUDA_ERROR_UNKNOWN (999)");
      device.free(address, 4096);
    }
  }

  @Test
  void copies_failureOfTheDriver_hasItsNameAndPlace() {
    try (CudaDevice device = fixed();
        DeviceStream stream = device.openStream();
        Arena arena = Arena.ofConfined()) {
      long at = device.allocate(4096).orElseThrow();
      assertThat(at).isEqualTo(0x700000000000L);
      MemorySegment host = arena.allocate(8);
      String[] functions = {
        "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoH_v2", "cuMemcpyDtoD_v2", "cuMemsetD8_v2",
        "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2", "cuMemsetD8Async"
      };
      ThrowingCallable[] calls = {
        () -> device.copyFromHost(host, at),
        () -> device.copyToHost(at, host),
        () -> device.copy(at, at + 8, 8),
        () -> device.fill(at, 8, (byte) 1),
        () -> stream.copyFromHost(host, at),
        () -> stream.copyToHost(at, host),
        () -> stream.copy(at, at + 8, 8),
        () -> stream.fill(at, 8, (byte) 1)
      };
      String[] places = {
        "to 0x700000000000", "from 0x700000000000",
        "from 0x700000000000 to 0x700000000008", "at 0x700000000000"
      };
      for (int i = 0; i < functions.length; i++) {
        standIn.fail(functions[i], 1, StandIn.UNKNOWN);
        assertFails(
            calls[i],
            "%s of 8 bytes %s on device 'cuda:0 Stand-in A' failed: CUDA_ERROR_UNKNOWN (999)"
                .formatted(functions[i].replace("_v2", ""), places[i % 4]));
      }
      device.free(at, 4096);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuEventCreate", "cuEventRecord"})
  void record_failureOfTheDriver_leavesNothing(String function) {
    try (CudaDevice device = fixed();
        DeviceStream stream = device.openStream()) {
      standIn.fail(function, 1, StandIn.UNKNOWN);
      assertFails(
          stream::record,
          function + " on device 'cuda:0 Stand-in A' failed: CUDA_ERROR_UNKNOWN (999)");
    }
  }

  @Test
  void openStream_failureOfTheDriver_leavesNothing() {
    try (CudaDevice device = fixed()) {
      standIn.fail("cuStreamCreate", 1, StandIn.UNKNOWN);
      assertFails(
          device::openStream,
          "cuStreamCreate on device 'cuda:0 Stand-in A' failed: CUDA_ERROR_UNKNOWN (999)");
    }
  }

  @Test
  void synchronize_workThatFailed_throwsOnce() {
    try (CudaDevice device = fixed();
        DeviceStream stream = device.openStream()) {
      long address = device.allocate(4096).orElseThrow();
      stream.fill(address, 4096, (byte) 1);
      standIn.fail("work", 1, StandIn.UNKNOWN);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(stream::synchronize)
          .withMessage(
              "a kernel has accessed memory out of bounds, which ends all use of the GPU by the process; find it with compute-sanitizer: cuStreamSynchronize on device 'cuda:0 Stand-in A' failed: CUDA_ERROR_ILLEGAL_ADDRESS (700)");
      stream.synchronize();
      device.free(address, 4096);
    }
  }

  @Test
  void close_workThatFailed_throwsAndClosesTheStream() {
    try (CudaDevice device = fixed()) {
      long address = device.allocate(4096).orElseThrow();
      DeviceStream stream = device.openStream();
      stream.fill(address, 4096, (byte) 1);
      standIn.fail("work", 1, StandIn.UNKNOWN);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(stream::close)
          .matches(e -> e.code() == StandIn.ILLEGAL_ADDRESS);
      stream.close();
      device.free(address, 4096);
    }
  }

  // Host memory.

  @Test
  void allocateStaging_arenaThatHasEnded_isRejectedAndLeavesNothing() {
    try (CudaDevice device = fixed()) {
      Arena arena = Arena.ofConfined();
      arena.close();
      assertThatIllegalStateException()
          .isThrownBy(() -> device.allocateStaging(100, arena))
          .withMessage("Already closed");
    }
  }

  @Test
  void allocateStaging_arenaOfAnotherThread_isRejectedAndLeavesNothing() throws Exception {
    try (CudaDevice device = fixed();
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      Arena arena = other.submit(Arena::ofConfined).get();
      assertThatExceptionOfType(WrongThreadException.class)
          .isThrownBy(() -> device.allocateStaging(100, arena));
      other.submit(arena::close).get();
    }
  }

  @Test
  void allocateStaging_memoryRunsOut_isAFailure() {
    try (CudaDevice device = fixed();
        Arena arena = Arena.ofConfined()) {
      standIn.fail("cuMemHostAlloc", 1, CudaDriver.OUT_OF_MEMORY);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> device.allocateStaging(100, arena))
          .withMessageStartingWith(
              "device 'cuda:0 Stand-in A' refused 100 bytes of staging memory: ")
          .withMessageEndingWith(
              ": cuMemHostAlloc of 100 bytes on device 'cuda:0 Stand-in A' failed: CUDA_ERROR_OUT_OF_MEMORY (2)");
    }
  }

  // Events.

  @Test
  void isDone_workIsQueued_isNotYet() {
    try (CudaDevice device = fixed();
        DeviceStream stream = device.openStream()) {
      long address = device.allocate(4096).orElseThrow();
      stream.fill(address, 4096, (byte) 1);
      try (DeviceEvent event = stream.record()) {
        assertThat(event.isDone()).isFalse();
        stream.synchronize();
        assertThat(event.isDone()).isTrue();
        standIn.fail("cuEventQuery", 1, StandIn.UNKNOWN);
        assertFails(
            event::isDone,
            "cuEventQuery on device 'cuda:0 Stand-in A' failed: CUDA_ERROR_UNKNOWN (999)");
      }
      device.free(address, 4096);
    }
  }
}
