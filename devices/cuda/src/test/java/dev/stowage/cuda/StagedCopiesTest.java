package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.cuda.standin.Kind;
import dev.stowage.cuda.standin.StandIn;
import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Copies through pinned memory: the calls of the driver, and the contents. The stand-in copies when
 * a caller waits, so that a half that is filled too early, or read too early, has wrong bytes.
 */
class StagedCopiesTest {

  private static final int MIB = 1 << 20;

  @RegisterExtension final StandIn standIn = new StandIn();

  private CudaDevice open() {
    return CudaDevice.open(standIn::functions, 0, CudaOptions.fixed());
  }

  private static byte[] contents(int bytes) {
    byte[] contents = new byte[bytes];
    new Random(bytes).nextBytes(contents);
    return contents;
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 4096, 256 << 10, (256 << 10) + 1, MIB - 1, MIB, 8 * MIB, 8 * MIB + 1, 11 * MIB})
  void copies_ofHeapArrays_haveTheContents(int bytes) {
    try (CudaDevice device = open()) {
      long address = device.allocate(bytes + 2).orElseThrow();
      device.fill(address, bytes + 2, (byte) 5);
      byte[] source = contents(bytes);
      device.copyFromHost(MemorySegment.ofArray(source), address + 1);
      byte[] target = new byte[bytes + 2];
      device.copyToHost(address, MemorySegment.ofArray(target));
      byte[] expected = new byte[bytes + 2];
      System.arraycopy(source, 0, expected, 1, bytes);
      expected[0] = 5;
      expected[bytes + 1] = 5;
      assertThat(target).isEqualTo(expected);
      device.free(address, bytes + 2);
    }
  }

  @Test
  void copies_ofFewBytes_areOneCallOfTheDriver() {
    try (CudaDevice device = open();
        Arena arena = Arena.ofConfined()) {
      long address = device.allocate(4096).orElseThrow();
      MemorySegment heap = MemorySegment.ofArray(contents(4096));
      MemorySegment pageable = arena.allocate(4096);
      assertThat(standIn.calls(() -> device.copyFromHost(heap, address)))
          .containsExactly("cuMemHostAlloc", "cuStreamCreate", "cuStreamCreate", "cuMemcpyHtoD");
      assertThat(standIn.calls(() -> device.copyFromHost(heap, address)))
          .containsExactly("cuMemcpyHtoD"); // the first copy alone allocates
      for (MemorySegment host : List.of(pageable, device.allocateStaging(4096, arena))) {
        assertThat(standIn.calls(() -> device.copyFromHost(host, address)))
            .containsExactly("cuMemcpyHtoDAsync", "cuStreamSynchronize");
      }
      for (MemorySegment host : List.of(heap, pageable)) {
        assertThat(standIn.calls(() -> device.copyToHost(address, host)))
            .containsExactly("cuMemcpyDtoH");
      }
      device.free(address, 4096);
    }
  }

  /** Two pieces are queued before the thread waits for the first one. */
  @Test
  void copies_ofSeveralPieces_overlap() {
    try (CudaDevice device = open()) {
      long address = device.allocate(MIB).orElseThrow();
      MemorySegment heap = MemorySegment.ofArray(contents(MIB));
      device.copyFromHost(MemorySegment.ofArray(new byte[1]), address); // allocates
      String wait = "cuStreamSynchronize";
      String up = "cuMemcpyHtoDAsync";
      assertThat(standIn.calls(() -> device.copyFromHost(heap, address)))
          .containsExactly(wait, up, up, wait, up, wait, up, wait, wait);
      String down = "cuMemcpyDtoHAsync";
      assertThat(standIn.calls(() -> device.copyToHost(address, heap)))
          .containsExactly(wait, down, down, wait, down, wait, down, wait, wait);
      device.free(address, MIB);
    }
  }

  @Test
  void copies_ofLargeArrays_haveFourParts() {
    int bytes = 16 * MIB + 1;
    try (CudaDevice device = open()) {
      long address = device.allocate(bytes).orElseThrow();
      MemorySegment heap = MemorySegment.ofArray(contents(bytes));
      List<String> calls = standIn.calls(() -> device.copyFromHost(heap, address));
      assertThat(Collections.frequency(calls, "cuMemcpyHtoDAsync")).isEqualTo(4 * 4);
      assertThat(standIn.alive(Kind.PINNED)).isBetween(1L, 4L);
      device.free(address, bytes);
    }
  }

  @Test
  void copies_driverRefusesPinnedMemory_haveTheContents() {
    try (CudaDevice device = open()) {
      long address = device.allocate(MIB).orElseThrow();
      standIn.fail("cuMemHostAlloc", 1, CudaDriver.OUT_OF_MEMORY);
      byte[] source = contents(MIB);
      assertThat(
              standIn.calls(() -> device.copyFromHost(MemorySegment.ofArray(new byte[1]), address)))
          .containsExactly(
              "cuMemHostAlloc",
              "cuGetErrorName",
              "cuStreamCreate",
              "cuStreamCreate",
              "cuMemcpyHtoD",
              "cuStreamSynchronize");
      device.copyFromHost(MemorySegment.ofArray(source), address);
      byte[] target = new byte[MIB];
      device.copyToHost(address, MemorySegment.ofArray(target));
      assertThat(target).isEqualTo(source);
      assertThat(standIn.alive(Kind.PINNED)).isZero();
      device.free(address, MIB);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1,cuMemHostAlloc,1,cuMemHostAlloc of 8388608 bytes",
    "1,cuStreamCreate,2,cuStreamCreate",
    "4096,cuMemcpyHtoD_v2,1,cuMemcpyHtoD of 4096 bytes to 0x700000000000",
    "1048576,cuMemcpyHtoDAsync_v2,2,cuMemcpyHtoDAsync of 262144 bytes to 0x700000040000",
    "1048576,cuStreamSynchronize,3,cuStreamSynchronize",
    "16777216,cuMemcpyHtoDAsync_v2,16,cuMemcpyHtoDAsync of 1048576 bytes"
  })
  void copyFromHost_failureOfTheDriver_leavesNothingQueued(
      int bytes, String function, int call, String what) {
    try (CudaDevice device = open()) {
      long address = device.allocate(bytes).orElseThrow();
      MemorySegment heap = MemorySegment.ofArray(contents(bytes));
      standIn.fail(function, call, StandIn.UNKNOWN);
      assertFails(() -> device.copyFromHost(heap, address), what);
      assertThat(standIn.alive(Kind.PINNED)).isLessThan(Math.ceilDiv(bytes, 4 * MIB));
      device.copyFromHost(heap, address);
      byte[] target = new byte[bytes];
      device.copyToHost(address, MemorySegment.ofArray(target));
      assertThat(target).isEqualTo(contents(bytes));
      device.free(address, bytes);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "4096,cuMemcpyDtoH_v2,1,cuMemcpyDtoH of 4096 bytes from 0x700000000000",
    "1048576,cuMemcpyDtoHAsync_v2,2,cuMemcpyDtoHAsync of 262144 bytes from 0x700000040000",
    "1048576,cuStreamSynchronize,1,cuStreamSynchronize",
    "16777216,cuMemcpyDtoHAsync_v2,16,cuMemcpyDtoHAsync of 1048576 bytes"
  })
  void copyToHost_failureOfTheDriver_leavesNothingQueued(
      int bytes, String function, int call, String what) {
    try (CudaDevice device = open()) {
      long address = device.allocate(bytes).orElseThrow();
      device.fill(address, bytes, (byte) 3);
      byte[] target = new byte[bytes];
      standIn.fail(function, call, StandIn.UNKNOWN);
      assertFails(() -> device.copyToHost(address, MemorySegment.ofArray(target)), what);
      assertThat(standIn.alive(Kind.PINNED)).isLessThan(Math.ceilDiv(bytes, 4 * MIB));
      device.copyToHost(address, MemorySegment.ofArray(target));
      assertThat(target).containsOnly(3);
      device.free(address, bytes);
    }
  }

  private static void assertFails(Runnable copy, String what) {
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(copy::run)
        .withMessageStartingWith(what)
        .withMessageEndingWith(" on device 'cuda:0 Stand-in A' failed: CUDA_ERROR_UNKNOWN (999)");
  }

  @Test
  void copies_ofMoreThreadsThanPinnedMemories_haveTheContents() throws Exception {
    try (CudaDevice device = open();
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      long address = device.allocate(8 * MIB).orElseThrow();
      threads
          .invokeAll(
              Collections.nCopies(
                  8,
                  () -> {
                    byte[] source = contents(MIB);
                    device.copyFromHost(MemorySegment.ofArray(source), address);
                    return source;
                  }))
          .forEach(done -> assertThat(done).succeedsWithin(Duration.ofDays(1)));
      byte[] target = new byte[MIB];
      device.copyToHost(address, MemorySegment.ofArray(target));
      assertThat(target).isEqualTo(contents(MIB));
      assertThat(standIn.alive(Kind.PINNED)).isBetween(1L, 4L);
      device.free(address, 8 * MIB);
    }
    assertThat(standIn.alive(Kind.PINNED)).isZero();
  }
}
