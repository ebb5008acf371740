package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.cuda.standin.Kind;
import dev.stowage.cuda.standin.StandIn;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testing.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The mappings of regions that grow and shrink. */
class VirtualRegionsTest {

  private static final long GRANULE = StandIn.GRANULE_BYTES;

  /** Memory that tests can run out of. */
  private static final long FEW_BYTES = 16 * GRANULE;

  @RegisterExtension final StandIn standIn = new StandIn();

  private CudaDevice open(CudaOptions options) {
    return CudaDevice.open(standIn::functions, 0, options);
  }

  private long usedGranules() {
    return standIn.usedBytes(0) / GRANULE;
  }

  @Test
  void resize_by512Granules_makesTenMappings() {
    standIn.reset(1, 2L << 30);
    try (CudaDevice device = open(CudaOptions.expandable())) {
      long granule = device.granularityBytes();
      long more = 512 * granule;
      long address = device.reserve(granule, 2 * more).orElseThrow();
      List<String> growth = standIn.calls(() -> resize(device, address, granule, granule + more));
      assertThat(Collections.frequency(growth, "cuMemCreate")).isEqualTo(10);
      assertThat(Collections.frequency(growth, "cuMemMap")).isEqualTo(10);
      assertThat(Collections.frequency(growth, "cuMemSetAccess")).isOne();
      assertThat(growth).hasSize(31);
      List<String> shrinking =
          standIn.calls(() -> resize(device, address, granule + more, granule));
      assertThat(shrinking).hasSize(11).startsWith("cuCtxSynchronize").contains("cuMemUnmap");
      assertThat(standIn.usedBytes(0)).isEqualTo(granule);
      device.free(address, granule);
    }
  }

  private static void resize(CudaDevice device, long address, long bytes, long newBytes) {
    assertThat(device.resize(address, bytes, newBytes)).isTrue();
  }

  @Test
  void resize_byOneGranule_isFourCalls() {
    try (CudaDevice device = open(CudaOptions.expandable())) {
      long address = device.reserve(GRANULE, 4 * GRANULE).orElseThrow();
      assertThat(standIn.calls(() -> resize(device, address, GRANULE, 2 * GRANULE)))
          .containsExactly("cuMemCreate", "cuMemMap", "cuMemRelease", "cuMemSetAccess");
      device.free(address, 2 * GRANULE);
    }
  }

  /** Eight granules are mappings of 4, 2, 1 and 1. */
  @Test
  void resize_endWithinAMapping_keepsItsMemoryForTheNextGrowth() {
    try (CudaDevice device = open(CudaOptions.expandable())) {
      long address = device.reserve(8 * GRANULE, 20 * GRANULE).orElseThrow();
      device.fill(address, 8 * GRANULE, (byte) 7);
      assertThat(standIn.alive(Kind.MAPPINGS)).isEqualTo(4);
      resize(device, address, 8 * GRANULE, 5 * GRANULE);
      assertThat(usedGranules()).isEqualTo(6);
      assertThat(standIn.calls(() -> resize(device, address, 5 * GRANULE, 6 * GRANULE))).isEmpty();
      byte[] read = new byte[(int) (6 * GRANULE)];
      device.copyToHost(address, MemorySegment.ofArray(read));
      assertThat(read).containsOnly(7);
      resize(device, address, 6 * GRANULE, 4 * GRANULE);
      assertThat(usedGranules()).isEqualTo(4);
      assertThat(standIn.calls(() -> resize(device, address, 4 * GRANULE, GRANULE))).isEmpty();
      assertThat(usedGranules()).isEqualTo(4);
      resize(device, address, GRANULE, 6 * GRANULE);
      assertThat(usedGranules()).isEqualTo(6);
      device.free(address, 6 * GRANULE);
    }
  }

  @Test
  void allocate_driverRefusesALargeMapping_makesSmallerOnes() {
    try (CudaDevice device = open(CudaOptions.expandable())) {
      standIn.fail("cuMemCreate", 1, CudaDriver.OUT_OF_MEMORY);
      List<String> calls =
          standIn.calls(() -> assertThat(device.allocate(8 * GRANULE)).isPresent());
      assertThat(Collections.frequency(calls, "cuMemCreate")).isEqualTo(6);
      assertThat(standIn.alive(Kind.MAPPINGS)).isEqualTo(5); // 2, 2, 2, 1, 1
      device.free(StandIn.FIRST_ADDRESS, 8 * GRANULE);
    }
  }

  /** All 11 granules of the device: 6 of 12 are too many, 3 and others follow. */
  @Test
  void allocate_tooLittleMemory_isEmptyAndLeavesNothing() {
    standIn.reset(1, 11 * GRANULE);
    try (CudaDevice device = open(CudaOptions.expandable())) {
      long address = device.allocate(GRANULE).orElseThrow();
      assertThat(device.resize(address, GRANULE, 12 * GRANULE)).isFalse();
      assertThat(usedGranules()).isOne();
      resize(device, address, GRANULE, 11 * GRANULE);
      device.free(address, 11 * GRANULE);
    }
  }

  @Test
  void resize_granuleByGranule_movesTheEndAndTheMemory() {
    try (CudaDevice device = open(CudaOptions.expandable())) {
      long address = device.allocate(GRANULE).orElseThrow();
      long bytes = GRANULE;
      for (long granules : new long[] {2, 3, 7, 6, 1, 2, 2, 1}) {
        assertThat(device.resize(address, bytes, granules * GRANULE)).isTrue();
        bytes = granules * GRANULE;
        assertThat(standIn.usedBytes(0)).isEqualTo(bytes);
        device.fill(address, bytes, (byte) granules);
      }
      device.free(address, bytes);
    }
  }

  @Test
  void resize_withinAGranule_movesTheEndAlone() {
    try (CudaDevice device = open(CudaOptions.expandable())) {
      long address = device.allocate(1000).orElseThrow();
      assertThat(device.resize(address, 1000, GRANULE)).isTrue();
      assertThat(device.resize(address, GRANULE, 1)).isTrue();
      assertThat(standIn.usedBytes(0)).isEqualTo(GRANULE);
      device.free(address, 1);
    }
  }

  @Test
  void resize_beyondTheReservation_isRefused() {
    CudaOptions options = CudaOptions.expandable(3 * GRANULE);
    try (CudaDevice device = open(options)) {
      long address = device.allocate(GRANULE).orElseThrow();
      assertThat(device.resize(address, GRANULE, 3 * GRANULE + 1)).isFalse();
      assertThat(device.resize(address, GRANULE, 3 * GRANULE)).isTrue();
      device.free(address, 3 * GRANULE);
      address = device.allocate(5 * GRANULE).orElseThrow();
      assertThat(device.resize(address, 5 * GRANULE, 6 * GRANULE)).isFalse();
      device.free(address, 5 * GRANULE);
    }
  }

  @Test
  void resize_allMemoryOfTheMachine_succeeds() {
    standIn.reset(1, FEW_BYTES);
    try (CudaDevice device = open(CudaOptions.expandable())) {
      long address = device.allocate(GRANULE).orElseThrow();
      assertThat(device.resize(address, GRANULE, FEW_BYTES)).isTrue();
      assertThat(device.availableBytes()).isZero();
      assertThat(device.allocate(GRANULE)).isEmpty();
      assertThat(device.resize(address, FEW_BYTES, GRANULE)).isTrue();
      long other = device.allocate(GRANULE).orElseThrow();
      assertThat(device.resize(address, GRANULE, FEW_BYTES)).isFalse();
      assertThat(standIn.usedBytes(0)).isEqualTo(2 * GRANULE);
      device.free(other, GRANULE);
      device.free(address, GRANULE);
    }
  }

  @Test
  void resize_workIsQueuedOnLostBytes_waitsForIt() {
    try (CudaDevice device = open(CudaOptions.expandable())) {
      long address = device.allocate(2 * GRANULE).orElseThrow();
      try (DeviceStream stream = device.openStream()) {
        stream.fill(address, 2 * GRANULE, (byte) 1);
        assertThat(device.resize(address, 2 * GRANULE, GRANULE)).isTrue();
        stream.fill(address, GRANULE, (byte) 1);
        device.free(address, GRANULE);
      }
    }
  }

  @Test
  void allocate_addressesAreScarce_reservesLess() {
    try (CudaDevice device = open(CudaOptions.expandable())) {
      standIn.fail("cuMemAddressReserve", 1, CudaDriver.OUT_OF_MEMORY);
      long address = device.allocate(GRANULE).orElseThrow();
      assertThat(device.resize(address, GRANULE, 2 * GRANULE)).isFalse();
      device.free(address, GRANULE);
    }
  }

  @ParameterizedTest
  @CsvSource({"cuMemCreate,2", "cuMemMap,2", "cuMemSetAccess,1"})
  void resize_memoryRunsOut_isRefusedAndNothingChanges(String function, int call) {
    try (CudaDevice device = open(CudaOptions.expandable())) {
      long address = device.allocate(GRANULE).orElseThrow();
      device.fill(address, GRANULE, (byte) 4);
      standIn.fail(function, call, CudaDriver.OUT_OF_MEMORY);
      assertThat(device.resize(address, GRANULE, 4 * GRANULE)).isFalse();
      assertThat(standIn.usedBytes(0)).isEqualTo(GRANULE);
      byte[] read = new byte[1];
      device.copyToHost(address + GRANULE - 1, MemorySegment.ofArray(read));
      assertThat(read).containsExactly(4);
      assertThat(device.resize(address, GRANULE, 4 * GRANULE)).isTrue();
      device.free(address, 4 * GRANULE);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void resize_shrinkingFails_canBeTriedAgain(int call) {
    try (CudaDevice device = open(CudaOptions.expandable())) {
      long address = device.allocate(4 * GRANULE).orElseThrow();
      device.fill(address, GRANULE, (byte) 6);
      standIn.fail("cuMemUnmap", call, StandIn.UNKNOWN);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> device.resize(address, 4 * GRANULE, 2 * GRANULE));
      device.fill(address + 2 * GRANULE, 2 * GRANULE, (byte) 1); // it is whole still
      assertThat(device.resize(address, 4 * GRANULE, 2 * GRANULE)).isTrue();
      byte[] read = new byte[1];
      device.copyToHost(address, MemorySegment.ofArray(read));
      assertThat(read).containsExactly(6);
      device.free(address, 2 * GRANULE);
    }
  }

  @Test
  void resize_failureWhileUndoing_isMadeGoodByTheNext() {
    standIn.reset(1, FEW_BYTES);
    try (CudaDevice device = open(CudaOptions.expandable())) {
      long address = device.allocate(GRANULE).orElseThrow();
      long rest = device.allocate(FEW_BYTES - 3 * GRANULE).orElseThrow();
      standIn.fail("cuMemUnmap", 1, StandIn.UNKNOWN);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> device.resize(address, GRANULE, 4 * GRANULE));
      assertThat(device.resize(address, GRANULE, 3 * GRANULE)).isTrue();
      device.fill(address, 3 * GRANULE, (byte) 1);
      device.free(rest, FEW_BYTES - 3 * GRANULE);
      device.free(address, 3 * GRANULE);
    }
  }

  static LongStream seeds() {
    return Seeds.of(40);
  }

  /** Mappings hold every region, the kept bytes do not change, and what is free is bounded. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anySizes_regionsKeepTheirContentsAndReturnMemory(long seed) {
    Random random = new Random(seed);
    int maxGranules = 1 + random.nextInt(40);
    standIn.reset(1, maxGranules * GRANULE);
    try (CudaDevice device = open(CudaOptions.expandable())) {
      int granules = 1;
      int mostGranules = 1;
      long address = device.reserve(GRANULE, 2L * maxGranules * GRANULE).orElseThrow();
      byte[] model = new byte[2 * maxGranules];
      device.fill(address, GRANULE, (byte) 0);
      for (int i = 0; i < 60; i++) {
        int next = 1 + random.nextInt(2 * maxGranules);
        boolean resized = device.resize(address, granules * GRANULE, next * GRANULE);
        assertThat(resized).isEqualTo(next <= maxGranules);
        if (resized) {
          for (int j = granules; j < next; j++) {
            model[j] = (byte) random.nextInt();
            device.fill(address + j * GRANULE, GRANULE, model[j]);
          }
          granules = next;
          mostGranules = Math.max(mostGranules, next);
        }
        assertThat(usedGranules()).isBetween((long) granules, (long) mostGranules);
        byte[] read = new byte[1];
        int at = random.nextInt(granules);
        device.copyToHost(address + at * GRANULE + 9, MemorySegment.ofArray(read));
        assertThat(read[0]).isEqualTo(model[at]);
      }
      device.free(address, granules * GRANULE);
      assertThat(usedGranules()).isZero();
    }
  }
}
