package dev.stowage.memory.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.SubAllocator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of every kind of host memory. */
class HostMemoryTest {

  @ParameterizedTest
  @EnumSource
  void allocate_anySize_isAlignedAndWritable(HostMemories kind) {
    try (HostMemory host = kind.open()) {
      long granularity = host.granularityBytes();
      assertThat(granularity).isGreaterThanOrEqualTo(256);
      assertThat(Long.bitCount(granularity)).isOne();
      for (long bytes : new long[] {1, 256, granularity, 3 * granularity, (5 << 20) + 256}) {
        long address = host.allocate(bytes).orElseThrow();
        assertThat(address % granularity).isZero();
        MemorySegment segment = host.segment(address, bytes);
        assertThat(segment.byteSize()).isEqualTo(bytes);
        segment.fill((byte) 7);
        assertThat(segment.get(ValueLayout.JAVA_BYTE, bytes - 1)).isEqualTo((byte) 7);
        assertThat(host.regionCount()).isOne();
        assertThat(host.heldBytes()).isEqualTo(bytes);
        host.free(address, bytes);
      }
      assertThat(host.regionCount()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void allocate_moreThanTheMemory_isEmpty(HostMemories kind) {
    try (HostMemory host = kind.open()) {
      for (long bytes : new long[] {1L << 47, 1L << 60, Long.MAX_VALUE - 255, Long.MAX_VALUE}) {
        assertThat(host.allocate(bytes)).isEqualTo(OptionalLong.empty());
      }
      assertThat(host.regionCount()).isZero();
      long address = host.allocate(4096).orElseThrow();
      host.free(address, 4096);
    }
  }

  @ParameterizedTest
  @EnumSource
  void allocate_noBytes_isRejected(HostMemories kind) {
    try (HostMemory host = kind.open()) {
      for (long bytes : new long[] {0, -1, Long.MIN_VALUE}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> host.allocate(bytes))
            .withMessage("bytes of a region must be positive: bytes=" + bytes);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void free_noRegionHere_isRejectedAndNothingChanges(HostMemories kind) {
    try (HostMemory host = kind.open()) {
      SubAllocator other = host.newSubAllocator();
      long address = host.allocate(8192).orElseThrow();
      long others = other.allocate(512).orElseThrow();
      assertThatIllegalStateException()
          .isThrownBy(() -> host.free(address, 4096))
          .withMessage(
              "no region of 4096 bytes at 0x%x was allocated here: the region there has 8192 bytes at 0x%x",
              address, address);
      assertThatIllegalStateException()
          .isThrownBy(() -> host.free(address + 4096, 4096))
          .withMessageEndingWith("the region there has 8192 bytes at 0x%x", address);
      assertThatIllegalStateException()
          .isThrownBy(() -> host.free(0, 4096))
          .withMessageEndingWith("here: it lies in none of the 2 regions held");
      assertThatIllegalStateException()
          .isThrownBy(() -> host.free(others, 512))
          .withMessage(
              "no region of 512 bytes at 0x%x was allocated here: the region there has 512 bytes at 0x%x, and belongs to another sub-allocator",
              others, others);
      assertThatIllegalStateException().isThrownBy(() -> other.free(address, 8192));
      assertThatIllegalStateException().isThrownBy(() -> other.resize(address, 8192, 4096));
      assertThat(host.regionCount()).isEqualTo(2);
      other.free(others, 512);
      host.free(address, 8192);
      assertThatIllegalStateException().isThrownBy(() -> host.free(address, 8192));
    }
  }

  @ParameterizedTest
  @EnumSource
  void segment_afterFree_cannotBeTouched(HostMemories kind) {
    try (HostMemory host = kind.open()) {
      long address = host.allocate(8192).orElseThrow();
      MemorySegment segment = host.segment(address, 8192);
      MemorySegment part = host.segment(address + 100, 10);
      host.free(address, 8192);
      for (MemorySegment each : new MemorySegment[] {segment, part}) {
        assertThatIllegalStateException()
            .isThrownBy(() -> each.get(ValueLayout.JAVA_BYTE, 0))
            .withMessage("Already closed");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void segment_notWithinOneRegion_isRejected(HostMemories kind) {
    try (HostMemory host = kind.open()) {
      SubAllocator other = host.newSubAllocator();
      long address = host.allocate(4096).orElseThrow();
      long others = other.allocate(4096).orElseThrow();
      long[][] wrong = {
        {address, 4097},
        {address, Long.MAX_VALUE},
        {address, -1},
        {address + 1, 4096},
        {address - 1, 1},
        {address + 4097, 0},
        {0, 0},
        {-1, 1},
        {Long.MAX_VALUE, 1},
        {others, 1}
      };
      for (long[] range : wrong) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> host.segment(range[0], range[1]))
            .withMessage(
                "no region that was allocated here has %s bytes at 0x%x", range[1], range[0]);
      }
      MemorySegment segment = host.segment(address, 4096);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 4096));
      host.free(address, 4096);
      other.free(others, 4096);
    }
  }

  @Test
  void resize_fixedOrMallocedRegion_isRefusedToGrow() {
    for (HostMemories kind : new HostMemories[] {HostMemories.FIXED, HostMemories.MALLOCED}) {
      try (HostMemory host = kind.open()) {
        long bytes = 4 * host.granularityBytes();
        long address = host.allocate(bytes).orElseThrow();
        MemorySegment segment = host.segment(address, bytes);
        assertThat(host.resize(address, bytes, bytes + host.granularityBytes())).isFalse();
        segment.fill((byte) 1);
        assertThat(host.heldBytes()).isEqualTo(bytes);
        host.free(address, bytes);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -4096, Long.MIN_VALUE})
  void resize_toNoBytes_isRejected(long newBytes) {
    try (HostMemory host = HostMemory.open()) {
      long address = host.allocate(4096).orElseThrow();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> host.resize(address, 4096, newBytes))
          .withMessage("bytes of a region must be positive: bytes=" + newBytes);
      host.free(address, 4096);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_whileRegionsAreHeld_isRejectedAndNothingChanges(HostMemories kind) {
    HostMemory host = kind.open();
    SubAllocator holder = host.newSubAllocator();
    long address = holder.allocate(4096).orElseThrow();
    assertThatIllegalStateException()
        .isThrownBy(host::close)
        .withMessage(
            "device 'host' is in use: pools, allocators or growing memory hold 1 region with 4096 bytes; close them first");
    long another = host.allocate(4096).orElseThrow();
    host.free(another, 4096);
    holder.free(address, 4096);
    host.close();
  }

  @Test
  void allocate_afterClose_isRejected() {
    HostMemory host = HostMemory.open();
    host.close();
    host.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> host.allocate(4096))
        .withMessage("device 'host' is closed");
  }

  @Test
  void totalAndAvailableBytes_ofThisMachine_arePlausible() {
    try (HostMemory host = HostMemory.open()) {
      assertThat(host.totalBytes()).isGreaterThan(64 << 20);
      assertThat(host.availableBytes()).isBetween(1L, host.totalBytes());
    }
  }

  @Test
  void options_negativeReservation_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostMemoryOptions.expandable(-1))
        .withMessage("reservedBytes must not be negative: reservedBytes=-1");
  }
}
