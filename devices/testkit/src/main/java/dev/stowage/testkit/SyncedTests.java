package dev.stowage.testkit;

import static dev.stowage.memory.synced.SyncedHead.HEAD_AT_CPU;
import static dev.stowage.memory.synced.SyncedHead.HEAD_AT_GPU;
import static dev.stowage.memory.synced.SyncedHead.SYNCED;
import static dev.stowage.memory.synced.SyncedHead.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.synced.CopyCounts;
import dev.stowage.memory.synced.DeviceData;
import dev.stowage.memory.synced.SyncedHead;
import dev.stowage.memory.synced.SyncedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of buffers with a copy on the device: Caffe's table of copies, and Caffe's own tests. */
abstract class SyncedTests {

  /** Not a multiple of a word, so that a copy of whole words fails. */
  private static final int BYTES = 1001;

  abstract Device open();

  /** A test with a device, its allocator and a buffer. */
  private interface Body {
    void run(DevicePool memory, SyncedMemory buffer);
  }

  /** Runs a test with a new buffer, and checks that it returns all memory. */
  private void withBuffer(Body body) {
    try (Device device = open();
        DevicePool memory = DevicePool.open("synced", device, BfcOptions.growing())) {
      try (SyncedMemory buffer = SyncedMemory.of("data", BYTES, memory)) {
        body.run(memory, buffer);
      }
      assertThat(memory.statistics().bytesInUse()).isZero();
    }
  }

  @Test
  void buffer_withoutBytes_takesNoMemoryOfAPoolAndGoesBothWays() {
    try (Device device = open();
        HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("host", host, BfcOptions.growing());
        DevicePool memory = DevicePool.open("synced", device, BfcOptions.growing())) {
      for (SyncedMemory buffer :
          new SyncedMemory[] {
            SyncedMemory.of("none", 0, memory), SyncedMemory.of("none", 0, pool, memory)
          }) {
        assertThat(buffer.mutableCpuData().byteSize()).isZero();
        assertThat(buffer.gpuData().byteSize()).isZero();
        buffer.mutableGpuData();
        assertThat(buffer.cpuData().byteSize()).isZero();
        assertThat(pool.statistics().reservedBytes()).isZero();
        buffer.close();
      }
      assertThat(memory.statistics().bytesInUse()).isZero();
    }
  }

  // @throws BfcOutOfMemoryException if the pool or the device has no room
  @Test
  void gpuData_noRoom_namesTheBuffer() {
    try (Device device = open();
        DevicePool allocator =
            DevicePool.open("synced", device, BfcOptions.growing().withLimit(256));
        SyncedMemory buffer = SyncedMemory.of("weights", BYTES, allocator)) {
      buffer.mutableCpuData().fill((byte) 1);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(buffer::gpuData)
          .withMessageStartingWith("allocator 'synced' is out of memory for 'weights': ");
      assertThat(buffer.head()).isEqualTo(HEAD_AT_CPU);
    }
  }

  /** A column of the table. */
  enum Call {
    CPU_DATA,
    MUTABLE_CPU_DATA,
    GPU_DATA,
    MUTABLE_GPU_DATA;

    /** {@return the contents, read from the side of the call} */
    byte[] dataOf(SyncedMemory buffer) {
      return switch (this) {
        case CPU_DATA -> bytes(buffer.cpuData());
        case MUTABLE_CPU_DATA -> bytes(buffer.mutableCpuData());
        case GPU_DATA -> bytes(buffer.gpuData());
        case MUTABLE_GPU_DATA -> bytes(buffer.mutableGpuData());
      };
    }
  }

  private static byte[] bytes(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  /** {@return the contents of the device, read without the buffer} */
  private static byte[] bytes(DeviceData data) {
    return Contents.read(data.device(), data.addressOn(data.device()), data.byteSize());
  }

  /** A cell of the table. */
  record Row(SyncedHead from, Call call, int toDevice, int toHost, SyncedHead to) {}

  static Stream<Arguments> rows() {
    return Stream.of(
            new Row(UNINITIALIZED, Call.CPU_DATA, 0, 0, HEAD_AT_CPU),
            new Row(UNINITIALIZED, Call.MUTABLE_CPU_DATA, 0, 0, HEAD_AT_CPU),
            new Row(UNINITIALIZED, Call.GPU_DATA, 0, 0, HEAD_AT_GPU),
            new Row(UNINITIALIZED, Call.MUTABLE_GPU_DATA, 0, 0, HEAD_AT_GPU),
            new Row(HEAD_AT_CPU, Call.CPU_DATA, 0, 0, HEAD_AT_CPU),
            new Row(HEAD_AT_CPU, Call.MUTABLE_CPU_DATA, 0, 0, HEAD_AT_CPU),
            new Row(HEAD_AT_CPU, Call.GPU_DATA, 1, 0, SYNCED),
            new Row(HEAD_AT_CPU, Call.MUTABLE_GPU_DATA, 1, 0, HEAD_AT_GPU),
            new Row(HEAD_AT_GPU, Call.CPU_DATA, 0, 1, SYNCED),
            new Row(HEAD_AT_GPU, Call.MUTABLE_CPU_DATA, 0, 1, HEAD_AT_CPU),
            new Row(HEAD_AT_GPU, Call.GPU_DATA, 0, 0, HEAD_AT_GPU),
            new Row(HEAD_AT_GPU, Call.MUTABLE_GPU_DATA, 0, 0, HEAD_AT_GPU),
            new Row(SYNCED, Call.CPU_DATA, 0, 0, SYNCED),
            new Row(SYNCED, Call.MUTABLE_CPU_DATA, 0, 0, HEAD_AT_CPU),
            new Row(SYNCED, Call.GPU_DATA, 0, 0, SYNCED),
            new Row(SYNCED, Call.MUTABLE_GPU_DATA, 0, 0, HEAD_AT_GPU))
        .map(Arguments::of);
  }

  /** Brings a new buffer to a state, filled with sevens unless it is uninitialized. */
  private static void bringTo(SyncedHead head, SyncedMemory buffer) {
    switch (head) {
      case UNINITIALIZED -> {}
      case HEAD_AT_CPU -> buffer.mutableCpuData().fill((byte) 7);
      case HEAD_AT_GPU -> buffer.mutableGpuData().fill((byte) 7);
      case SYNCED -> {
        buffer.mutableCpuData().fill((byte) 7);
        buffer.gpuData();
      }
    }
    assertThat(buffer.head()).isEqualTo(head);
  }

  private static CopyCounts plus(CopyCounts before, int toDevice, int toHost) {
    return new CopyCounts(
        before.toDevices() + toDevice,
        before.bytesToDevices() + (long) toDevice * BYTES,
        before.toHost() + toHost,
        before.bytesToHost() + (long) toHost * BYTES);
  }

  private static void checkCopies(SyncedMemory buffer, int toDevice, int toHost) {
    assertThat(buffer.copies()).isEqualTo(plus(new CopyCounts(0, 0, 0, 0), toDevice, toHost));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void call_inState_copiesAsCaffe(Row row) {
    withBuffer((_, buffer) -> {
      bringTo(row.from(), buffer);
      CopyCounts before = buffer.copies();
      byte[] found = row.call().dataOf(buffer);
      assertThat(found).hasSize(BYTES).containsOnly(row.from() == UNINITIALIZED ? 0 : 7);
      assertThat(buffer.head()).isEqualTo(row.to());
      assertThat(buffer.copies()).isEqualTo(plus(before, row.toDevice(), row.toHost()));
    });
  }

  @ParameterizedTest
  @EnumSource
  void setCpuData_inAnyState_movesTheHeadAndCopiesNothing(SyncedHead from) {
    withBuffer((_, buffer) -> {
      try (Arena arena = Arena.ofConfined()) {
        bringTo(from, buffer);
        CopyCounts before = buffer.copies();
        buffer.setCpuData(arena.allocate(BYTES).fill((byte) 9));
        assertThat(buffer.head()).isEqualTo(HEAD_AT_CPU);
        assertThat(buffer.copies()).isEqualTo(before);
        assertThat(bytes(buffer.gpuData())).containsOnly(9);
        assertThat(buffer.head()).isEqualTo(SYNCED);
        assertThat(buffer.copies()).isEqualTo(plus(before, 1, 0));
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void setGpuData_inAnyState_movesTheHeadAndCopiesNothing(SyncedHead from) {
    withBuffer((memory, buffer) -> {
      long mine = memory.allocate(BYTES);
      memory.device().fill(mine, BYTES, (byte) 9);
      bringTo(from, buffer);
      CopyCounts before = buffer.copies();
      buffer.setGpuData(mine);
      assertThat(buffer.head()).isEqualTo(HEAD_AT_GPU);
      assertThat(buffer.copies()).isEqualTo(before);
      assertThat(bytes(buffer.cpuData())).containsOnly(9);
      assertThat(buffer.head()).isEqualTo(SYNCED);
      assertThat(buffer.copies()).isEqualTo(plus(before, 0, 1));
      buffer.close();
      memory.free(mine); // which the buffer did not free
    });
  }

  @Test
  void setGpuData_addressOfNoRegion_isRejected() {
    withBuffer((memory, buffer) -> {
      bringTo(HEAD_AT_CPU, buffer);
      for (long address : new long[] {0, 256, Long.MAX_VALUE}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> buffer.setGpuData(address))
            .withMessage(
                "buffer 'data' cannot wrap memory that is in no region of device '%s': address=0x%x, bytes=1001; allocate it from the device, or from an allocator over it",
                memory.device().name(), address);
      }
      assertThat(buffer.head()).isEqualTo(HEAD_AT_CPU);
    });
  }

  @Test
  void asyncGpuPush_headAtCpu_copiesOnceAndIsSynced() {
    withBuffer((memory, buffer) -> {
      bringTo(HEAD_AT_CPU, buffer);
      try (DeviceStream stream = memory.device().openStream()) {
        buffer.asyncGpuPush(stream);
        assertThat(buffer.head()).isEqualTo(SYNCED);
        stream.synchronize();
      }
      assertThat(bytes(buffer.gpuData())).containsOnly(7);
      checkCopies(buffer, 1, 0);
    });
  }

  @Test
  void gpuData_afterOtherMemory_liesWhereKernelsCanTakeIt() {
    withBuffer((memory, buffer) -> {
      long before = memory.allocate(1);
      long alignment = memory.device().kernelAlignmentBytes();
      assertThat(alignment).isBetween(256L, memory.device().alignmentBytes());
      assertThat(buffer.gpuData().address() % alignment).isZero();
      memory.free(before);
    });
  }

  // Caffe's own tests.

  /** Caffe's {@code TestInitialization}. */
  @Test
  void of_fresh_isUninitializedAndAllocatesNothing() {
    withBuffer((memory, buffer) -> {
      assertThat(buffer.head()).isEqualTo(UNINITIALIZED);
      assertThat(buffer.byteSize()).isEqualTo(BYTES);
      assertThat(memory.statistics().bytesInUse()).isZero();
    });
  }

  /** Caffe's {@code TestAllocationCPUGPU}, {@code TestAllocationCPU}, {@code TestAllocationGPU}. */
  @Test
  void data_onEitherSide_isAllocatedWhenAsked() {
    withBuffer((memory, buffer) -> {
      assertThat(buffer.cpuData().address()).isNotZero();
      buffer.mutableCpuData();
      assertThat(memory.statistics().bytesInUse()).isZero();
      assertThat(buffer.gpuData().address()).isNotZero();
      assertThat(buffer.mutableGpuData().address()).isNotZero();
      assertThat(memory.statistics().bytesInUse()).isGreaterThanOrEqualTo(BYTES);
    });
  }

  /** Caffe's {@code TestCPUWrite}. */
  @Test
  void mutableCpuData_writtenTwice_hasTheWrites() {
    withBuffer((_, buffer) -> {
      for (byte value = 1; value <= 2; value++) {
        buffer.mutableCpuData().fill(value);
        assertThat(buffer.head()).isEqualTo(HEAD_AT_CPU);
        assertThat(bytes(buffer.cpuData())).containsOnly(value);
      }
      checkCopies(buffer, 0, 0);
    });
  }

  /** Caffe's {@code TestGPURead}. */
  @Test
  void gpuData_afterEachWriteOnTheHost_holdsIt() {
    withBuffer((_, buffer) -> {
      for (byte value = 1; value <= 2; value++) {
        buffer.mutableCpuData().fill(value);
        assertThat(buffer.head()).isEqualTo(HEAD_AT_CPU);
        DeviceData data = buffer.gpuData();
        assertThat(buffer.head()).isEqualTo(SYNCED);
        assertThat(bytes(data)).containsOnly(value);
        checkCopies(buffer, value, 0);
      }
    });
  }

  /** Caffe's {@code TestGPUWrite}. */
  @Test
  void cpuData_afterEachWriteOnTheDevice_holdsIt() {
    withBuffer((_, buffer) -> {
      for (byte value = 1; value <= 2; value++) {
        buffer.mutableGpuData().fill(value);
        assertThat(buffer.head()).isEqualTo(HEAD_AT_GPU);
        MemorySegment data = buffer.cpuData();
        assertThat(buffer.head()).isEqualTo(SYNCED);
        assertThat(bytes(data)).containsOnly(value);
        checkCopies(buffer, 0, value);
      }
    });
  }

  /** The sequence that Caffe documents; mutable calls write. */
  @Test
  void documentedSequence_ofNineCalls_makesFourCopies() {
    withBuffer((_, buffer) -> {
      buffer.mutableCpuData().fill((byte) 1);
      assertThat(bytes(buffer.gpuData())).containsOnly(1);
      checkCopies(buffer, 1, 0);
      assertThat(bytes(buffer.cpuData())).containsOnly(1);
      buffer.mutableGpuData().fill((byte) 2);
      buffer.mutableGpuData().fill((byte) 3);
      checkCopies(buffer, 1, 0);
      assertThat(bytes(buffer.cpuData())).containsOnly(3);
      checkCopies(buffer, 1, 1);
      assertThat(bytes(buffer.gpuData())).containsOnly(3);
      buffer.mutableCpuData().fill((byte) 4);
      checkCopies(buffer, 1, 1);
      assertThat(bytes(buffer.mutableGpuData())).containsOnly(4);
      checkCopies(buffer, 2, 1);
      assertThat(bytes(buffer.mutableCpuData())).containsOnly(4);
      checkCopies(buffer, 2, 2);
    });
  }
}
