package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of regions, from their allocation to the end of the device. */
abstract class RegionTests {

  abstract Device open();

  @Test
  void figures_ofTheDevice_arePlausible() {
    try (Device device = open()) {
      assertThat(device.name()).isNotBlank();
      assertThat(device.totalBytes()).isPositive();
      assertThat(device.availableBytes()).isBetween(0L, device.totalBytes());
      assertThat(device.alignmentBytes()).isGreaterThanOrEqualTo(256);
      assertThat(Long.bitCount(device.alignmentBytes())).isOne();
      assertThat(device.granularityBytes()).isGreaterThanOrEqualTo(256);
      assertThat(Long.bitCount(device.granularityBytes())).isOne();
    }
  }

  @Test
  void allocate_severalRegions_areAlignedAndApart() {
    try (Device device = open()) {
      long[] addresses = new long[5];
      for (int i = 0; i < addresses.length; i++) {
        long bytes = (i + 1) * device.granularityBytes();
        addresses[i] = device.allocate(bytes).orElseThrow();
        assertThat(addresses[i] % device.alignmentBytes()).isZero();
        device.fill(addresses[i], bytes, (byte) (i + 1));
      }
      for (int i = 0; i < addresses.length; i++) {
        byte[] expected = new byte[Math.toIntExact((i + 1) * device.granularityBytes())];
        Arrays.fill(expected, (byte) (i + 1));
        Contents.check(device, addresses[i], expected);
        device.free(addresses[i], expected.length);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -4096, Long.MIN_VALUE})
  void allocate_noBytes_isRejected(long bytes) {
    try (Device device = open()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.allocate(bytes))
          .withMessage("bytes of a region must be positive: bytes=" + bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void allocate_moreThanThereCanBe_isEmpty(int halvings) {
    try (Device device = open()) {
      long bytes = (Long.MAX_VALUE >> halvings) & -device.granularityBytes();
      assertThat(device.allocate(bytes)).isEmpty();
      device.free(
          device.allocate(device.granularityBytes()).orElseThrow(), device.granularityBytes());
    }
  }

  @Test
  void free_noRegion_isRejectedAndNothingChanges() {
    try (Device device = open()) {
      long bytes = 2 * Contents.regionBytes(device);
      long address = Contents.zeros(device, bytes);
      long[][] wrong = {
        {address, bytes / 2}, {address, bytes + 256}, {address + 256, bytes - 256}, {0, bytes}
      };
      for (long[] each : wrong) {
        assertThatIllegalStateException()
            .isThrownBy(() -> device.free(each[0], each[1]))
            .withMessageContaining("%s bytes at 0x%x", each[1], each[0]);
        assertThatIllegalStateException()
            .isThrownBy(() -> device.resize(each[0], each[1], bytes))
            .withMessageContaining("%s bytes at 0x%x", each[1], each[0]);
      }
      Contents.check(device, address, new byte[Math.toIntExact(bytes)]);
      device.free(address, bytes);
      assertThatIllegalStateException()
          .isThrownBy(() -> device.free(address, bytes))
          .withMessageContaining("%s bytes at 0x%x", bytes, address);
    }
  }

  @Test
  void free_region_endsItsRange() {
    try (Device device = open()) {
      long bytes = Contents.regionBytes(device);
      long address = device.allocate(bytes).orElseThrow();
      device.free(address, bytes);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.fill(address, 1, (byte) 0))
          .withMessage(Range.noSuchRange(device, address, 1));
    }
  }

  @Test
  void hasRange_withinARegion_onlyThere() {
    try (Device device = open()) {
      long bytes = Contents.regionBytes(device);
      long address = device.allocate(bytes).orElseThrow();
      assertThat(device.hasRange(address, bytes)).isTrue();
      assertThat(device.hasRange(address + 1, bytes - 1)).isTrue();
      assertThat(device.hasRange(address + bytes, 0)).isTrue();
      Range.checkRejected(device, address, bytes, (at, count) -> checkRange(device, at, count));
      Range.checkSizesRejected(device, address, (at, count) -> checkRange(device, at, count));
      device.free(address, bytes);
      assertThat(device.hasRange(address, 1)).isFalse();
    }
  }

  private static void checkRange(Device device, long address, long bytes) {
    if (!device.hasRange(address, bytes)) {
      throw new IllegalArgumentException(Range.noSuchRange(device, address, bytes));
    }
  }

  @Test
  void hasRange_fromOneRegionToAnother_isNone() {
    try (Device device = open()) {
      long bytes = Contents.regionBytes(device);
      long one = device.allocate(bytes).orElseThrow();
      long other = device.allocate(bytes).orElseThrow();
      long first = Math.min(one, other);
      long last = Math.max(one, other);
      assertThat(device.hasRange(first, last - first + 1)).isFalse();
      assertThat(device.hasRange(first, last - first + bytes)).isFalse();
      assertThat(device.hasRange(first + bytes - 1, last - first - bytes + 2)).isFalse();
      device.free(one, bytes);
      device.free(other, bytes);
    }
  }

  @Test
  void free_manyTimes_givesTheMemoryBack() {
    try (Device device = open()) {
      long bytes = Contents.regionBytes(device);
      for (int i = 0; i < 100; i++) {
        long address = device.allocate(bytes).orElseThrow();
        device.fill(address, bytes, (byte) i);
        device.free(address, bytes);
      }
    }
  }

  @Test
  void resize_whereItIsGranted_keepsContentsAndMovesTheEnd() {
    try (Device device = open()) {
      long unit = Contents.regionBytes(device);
      long address = device.allocate(2 * unit).orElseThrow();
      byte[] contents = Contents.bytes(7, Math.toIntExact(2 * unit));
      device.copyFromHost(MemorySegment.ofArray(contents), address);
      long now = 2 * unit;
      for (long then : new long[] {5 * unit, unit, unit, 3 * unit}) {
        boolean moved = device.resize(address, now, then);
        now = moved ? then : now;
        long kept = Math.min(unit, now);
        Contents.check(device, address, Arrays.copyOf(contents, Math.toIntExact(kept)));
        device.fill(address + now - 1, 1, (byte) 1);
        device.copyFromHost(MemorySegment.ofArray(contents).asSlice(0, unit), address);
        long end = address + now;
        assertThatIllegalArgumentException()
            .isThrownBy(() -> device.fill(end - 1, 2, (byte) 0))
            .withMessage(Range.noSuchRange(device, end - 1, 2));
      }
      device.free(address, now);
    }
  }

  @Test
  void reserve_whereItIsGranted_growsToItsMaximumAtItsAddress() {
    try (Device device = open()) {
      long unit = Contents.regionBytes(device);
      OptionalLong reserved = device.reserve(unit, 5 * unit);
      if (reserved.isEmpty()) {
        return;
      }
      long address = reserved.getAsLong();
      assertThat(address % device.alignmentBytes()).isZero();
      long other = device.allocate(unit).orElseThrow();
      for (int units = 1; units <= 5; units++) {
        assertThat(units == 1 || device.resize(address, (units - 1) * unit, units * unit)).isTrue();
        device.fill(address + (units - 1) * unit, unit, (byte) units);
      }
      assertThat(device.hasRange(address, 5 * unit + 1)).isFalse();
      byte[] expected = new byte[Math.toIntExact(5 * unit)];
      for (int i = 0; i < expected.length; i++) {
        expected[i] = (byte) (i / unit + 1);
      }
      Contents.check(device, address, expected);
      device.free(other, unit);
      device.free(address, 5 * unit);
    }
  }

  @Test
  void reserve_moreAddressesThanThereCanBe_isEmpty() {
    try (Device device = open()) {
      long unit = Contents.regionBytes(device);
      assertThat(device.reserve(unit, Long.MAX_VALUE & -device.granularityBytes())).isEmpty();
    }
  }

  @Test
  void reserve_lessThanItsBytes_isRejected() {
    try (Device device = open()) {
      long unit = Contents.regionBytes(device);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.reserve(2 * unit, unit))
          .withMessage(
              "maxBytes of a region must be at least its bytes: bytes=%s, maxBytes=%s",
              2 * unit, unit);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.reserve(0, unit))
          .withMessage("bytes of a region must be positive: bytes=0");
    }
  }

  @Test
  void resize_ofFixedRegions_returnsFalse() {
    try (Device device = open()) {
      long bytes = Contents.regionBytes(device);
      long address = device.allocate(bytes).orElseThrow();
      boolean moved = device.resize(address, bytes, 2 * bytes);
      assertThat(moved).isEqualTo(device.canLengthen());
      device.free(address, moved ? 2 * bytes : bytes);
    }
  }

  @Test
  void allocate_expandableWhereRegionsDoNotLengthen_takesAsManyCallsAsDoubling() {
    try (Device device = open()) {
      if (!device.canLengthen()) {
        assertThat(callsOf(device, BfcOptions.expandable()))
            .isEqualTo(callsOf(device, BfcOptions.growing()));
      }
    }
  }

  private static int callsOf(Device device, BfcOptions options) {
    CountedCalls calls = new CountedCalls(device);
    try (BfcAllocator allocator = new BfcAllocator("contract", calls, options)) {
      List<Long> addresses = new ArrayList<>();
      for (int i = 0; i < 8000; i++) {
        addresses.add(allocator.allocate(1000));
      }
      addresses.forEach(allocator::free);
    }
    return calls.count();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -4096, Long.MIN_VALUE})
  void resize_toNoBytes_isRejected(long newBytes) {
    try (Device device = open()) {
      long bytes = Contents.regionBytes(device);
      long address = device.allocate(bytes).orElseThrow();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.resize(address, bytes, newBytes))
          .withMessage("bytes of a region must be positive: bytes=" + newBytes);
      device.free(address, bytes);
    }
  }

  @Test
  void resize_toMoreThanThereCanBe_returnsFalse() {
    try (Device device = open()) {
      long bytes = Contents.regionBytes(device);
      long address = Contents.zeros(device, bytes);
      assertThat(device.resize(address, bytes, Long.MAX_VALUE & -device.granularityBytes()))
          .isFalse();
      Contents.check(device, address, new byte[Math.toIntExact(bytes)]);
      device.free(address, bytes);
    }
  }

  @Test
  void close_whileRegionsAreHeld_isRejectedAndNothingChanges() {
    Device device = open();
    long bytes = Contents.regionBytes(device);
    long address = Contents.zeros(device, bytes);
    assertThatIllegalStateException()
        .isThrownBy(device::close)
        .withMessageEndingWith(
            " is in use: pools, allocators or growing memory hold 1 region with %s bytes; close them first",
            bytes);
    Contents.check(device, address, new byte[Math.toIntExact(bytes)]);
    OptionalLong another = device.allocate(bytes);
    device.free(another.orElseThrow(), bytes);
    device.free(address, bytes);
    device.close();
  }

  @Test
  void everything_afterClose_isRejected() {
    Device device = open();
    long bytes = Contents.regionBytes(device);
    long address = device.allocate(bytes).orElseThrow();
    device.free(address, bytes);
    device.close();
    device.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> device.allocate(bytes))
        .withMessageEndingWith(" is closed");
    assertThatIllegalStateException()
        .isThrownBy(device::openStream)
        .withMessageEndingWith(" is closed");
    try (Arena arena = Arena.ofConfined()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> device.allocateStaging(1, arena))
          .withMessageEndingWith(" is closed");
    }
    assertThatIllegalStateException().isThrownBy(() -> device.free(address, bytes));
    assertThatIllegalArgumentException().isThrownBy(() -> device.fill(address, 0, (byte) 0));
  }

  @Test
  void allocateStaging_ofAnySize_canBeTouchedAndCopied() {
    try (Device device = open();
        Arena arena = Arena.ofConfined()) {
      long bytes = Contents.regionBytes(device);
      long address = Contents.zeros(device, bytes);
      for (int size : new int[] {0, 1, 255, 4096}) {
        MemorySegment staging = device.allocateStaging(size, arena);
        assertThat(staging.byteSize()).isEqualTo(size);
        assertThat(staging.isNative()).isTrue();
        byte[] contents = Contents.bytes(size, size);
        MemorySegment.copy(contents, 0, staging, ValueLayout.JAVA_BYTE, 0, size);
        device.copyFromHost(staging, address);
        Contents.check(device, address, contents);
        staging.fill((byte) 0);
        device.copyToHost(address, staging);
        Contents.checkSame(Contents.read(staging), contents);
      }
      assertThatIllegalArgumentException().isThrownBy(() -> device.allocateStaging(-1, arena));
      device.free(address, bytes);
    }
  }

  // @throws DeviceException if there is too little memory; the message has the available bytes
  @Test
  void allocateStaging_moreThanThereCanBe_throwsAndSaysHowMuchThereCan() {
    try (Device device = open();
        Arena arena = Arena.ofConfined()) {
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> device.allocateStaging(1L << 60, arena))
          .withMessageMatching(
              String.format(
                  Locale.ROOT,
                  "\\Qdevice '%s' refused 1 EiB (1,152,921,504,606,846,976 bytes)\\E of staging memory: there are at most [\\d.]+ .iB \\([\\d,]+ bytes\\) now; stage less at a time: .* failed: .*",
                  device.name()));
      assertThat(device.allocateStaging(1, arena).byteSize()).isOne();
    }
  }

  @Test
  void allocateStaging_afterTheDevicesEnd_livesAsLongAsItsArena() {
    MemorySegment staging;
    try (Arena arena = Arena.ofConfined()) {
      try (Device device = open()) {
        staging = device.allocateStaging(1000, arena);
        staging.fill((byte) 1);
      }
      assertThat(staging.get(ValueLayout.JAVA_BYTE, 999)).isOne();
      staging.fill((byte) 2);
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> staging.get(ValueLayout.JAVA_BYTE, 0))
        .withMessage("Already closed");
  }
}
