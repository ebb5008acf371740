package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.memory.device.Device;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of copies and fills that complete at once. */
abstract class CopyTests {

  abstract Device open();

  /** A test with a device and a region. */
  private interface Body {
    void run(Device device, long address, int bytes);
  }

  /** Runs a test with a region of zeros. */
  private void withRegion(Body body) {
    try (Device device = open()) {
      long bytes = Contents.regionBytes(device);
      long address = Contents.zeros(device, bytes);
      body.run(device, address, Math.toIntExact(bytes));
      device.free(address, bytes);
    }
  }

  @ParameterizedTest
  @CsvSource({"0,1", "3,5", "7,64", "0,4096", "4096,0"})
  void copyFrom_anotherDevice_changesTheRangeAlone(int offset, int count) {
    withRegion((device, address, bytes) -> {
      try (Device other = open()) {
        long region = Contents.zeros(other, bytes);
        long source = region + (bytes - count); // the end of the region
        byte[] contents = Contents.bytes(4, count);
        other.copyFromHost(MemorySegment.ofArray(contents), source);
        device.copyFrom(other, source, address + offset, count);
        byte[] expected = new byte[bytes];
        System.arraycopy(contents, 0, expected, offset, count);
        Contents.check(device, address, expected);
        other.free(region, bytes);
      }
    });
  }

  @Test
  void copyFrom_itself_isACopyWithinTheDevice() {
    withRegion((device, address, bytes) -> {
      assertThat(device.canCopyFrom(device)).isTrue();
      device.fill(address, 16, (byte) 7);
      device.copyFrom(device, address, address + 16, 16);
      byte[] expected = new byte[bytes];
      Arrays.fill(expected, 0, 32, (byte) 7);
      Contents.check(device, address, expected);
    });
  }

  // @throws IllegalArgumentException if a range does not lie within one region
  @Test
  void copyFrom_noSuchRange_throwsAndNothingChanges() {
    withRegion((device, address, bytes) -> {
      try (Device other = open()) {
        long source = Contents.zeros(other, bytes);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> device.copyFrom(other, source + 1, address, bytes));
        assertThatIllegalArgumentException()
            .isThrownBy(() -> device.copyFrom(other, source, address + 1, bytes));
        Contents.check(device, address, new byte[bytes]);
        other.free(source, bytes);
      }
    });
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,1", "3,5", "7,64", "13,1021", "0,4096", "1,4095", "4095,1", "4096,0"})
  void copyFromHost_anyRange_changesItAlone(int offset, int count) {
    withRegion((device, address, bytes) -> {
      byte[] contents = Contents.bytes(1, count);
      device.copyFromHost(MemorySegment.ofArray(contents), address + offset);
      byte[] expected = new byte[bytes];
      System.arraycopy(contents, 0, expected, offset, count);
      Contents.check(device, address, expected);
    });
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,1", "3,5", "7,64", "13,1021", "0,4096", "1,4095", "4095,1", "4096,0"})
  void copyToHost_anyRange_fillsTheTargetAlone(int offset, int count) {
    withRegion((device, address, bytes) -> {
      byte[] contents = Contents.bytes(2, bytes);
      device.copyFromHost(MemorySegment.ofArray(contents), address);
      byte[] target = new byte[count + 10];
      MemorySegment middle = MemorySegment.ofArray(target).asSlice(5, count);
      device.copyToHost(address + offset, middle);
      byte[] expected = new byte[count + 10];
      System.arraycopy(contents, offset, expected, 5, count);
      Contents.checkSame(target, expected);
      Contents.check(device, address, contents);
    });
  }

  @ParameterizedTest
  @CsvSource({"0,2048,1", "1,0,1", "3,1001,17", "2048,0,2048", "0,2048,2048", "4095,1,1", "5,5,0"})
  void copy_withinARegion_changesTheTargetAlone(int source, int target, int count) {
    withRegion((device, address, bytes) -> {
      byte[] contents = Contents.bytes(3, bytes);
      device.copyFromHost(MemorySegment.ofArray(contents), address);
      device.copy(address + source, address + target, count);
      System.arraycopy(contents, source, contents, target, count);
      Contents.check(device, address, contents);
    });
  }

  @ParameterizedTest
  @CsvSource({"0,0,4096", "1,3,1000", "4095,0,1", "4096,4096,0"})
  void copy_betweenRegions_changesTheTargetAlone(int source, int target, int count) {
    withRegion((device, address, bytes) -> {
      long other = Contents.zeros(device, bytes);
      byte[] contents = Contents.bytes(4, bytes);
      device.copyFromHost(MemorySegment.ofArray(contents), address);
      device.copy(address + source, other + target, count);
      byte[] expected = new byte[bytes];
      System.arraycopy(contents, source, expected, target, count);
      Contents.check(device, other, expected);
      Contents.check(device, address, contents);
      device.free(other, bytes);
    });
  }

  @ParameterizedTest
  @CsvSource({"0,4096,1", "1,1,-1", "3,5,-128", "7,64,127", "13,1021,85", "4095,1,0", "4096,0,3"})
  void fill_anyRange_changesItAlone(int offset, int count, byte value) {
    withRegion((device, address, bytes) -> {
      byte[] contents = Contents.bytes(5, bytes);
      device.copyFromHost(MemorySegment.ofArray(contents), address);
      device.fill(address + offset, count, value);
      Arrays.fill(contents, offset, offset + count, value);
      Contents.check(device, address, contents);
    });
  }

  @Test
  void copies_ofHeapAndNativeAndReadOnlyMemory_areTheSame() {
    withRegion((device, address, _) -> {
      float[] floats = {1, 2, 3, Float.NaN};
      long[] longs = {5, 6};
      try (Arena arena = Arena.ofConfined()) {
        device.copyFromHost(MemorySegment.ofArray(floats).asReadOnly(), address);
        MemorySegment unaligned = arena.allocate(17).asSlice(1);
        device.copyToHost(address, unaligned);
        device.fill(address, 16, (byte) 0);
        device.copyFromHost(unaligned, address + 1);
        device.copyToHost(address + 1, MemorySegment.ofArray(longs));
      }
      float[] back = new float[4];
      MemorySegment.ofArray(back).copyFrom(MemorySegment.ofArray(longs));
      assertThat(back).isEqualTo(floats);
    });
  }

  @Test
  void copies_ofMegabytesOfHeapMemory_areComplete() {
    try (Device device = open()) {
      int bytes = Math.toIntExact(Math.max(device.granularityBytes(), 8 << 20));
      long address = device.allocate(bytes).orElseThrow();
      byte[] contents = Contents.bytes(6, bytes - 3);
      device.copyFromHost(MemorySegment.ofArray(contents), address + 1);
      Contents.check(device, address + 1, contents);
      device.free(address, bytes);
    }
  }

  @Test
  void copies_ofManyThreadsInOneRegion_doNotDisturbEachOther() throws Exception {
    int bytesOfEach = (2 << 20) - 1;
    long bytes = Math.max(4L * bytesOfEach + 4, 8 << 20);
    try (Device device = open();
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      long regionBytes = (bytes + device.granularityBytes() - 1) & -device.granularityBytes();
      long address = device.allocate(regionBytes).orElseThrow();
      List<Future<?>> results = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        long start = address + (long) thread * bytesOfEach;
        int seed = thread;
        results.add(
            threads.submit(() -> {
              for (int i = 0; i < 4; i++) {
                byte[] contents = Contents.bytes(10L * seed + i, bytesOfEach);
                device.copyFromHost(MemorySegment.ofArray(contents), start);
                Contents.check(device, start, contents);
              }
            }));
      }
      for (Future<?> result : results) {
        result.get();
      }
      device.free(address, regionBytes);
    }
  }

  @Test
  void everything_rangeThatLiesInNoRegion_isRejectedAndNothingChanges() {
    withRegion((device, address, bytes) -> {
      byte[] host = new byte[2 * bytes];
      Arrays.fill(host, (byte) 1);
      MemorySegment segment = MemorySegment.ofArray(host);
      Range.checkRejected(
          device, address, bytes, (a, b) -> device.copyFromHost(segment.asSlice(0, b), a));
      Range.checkRejected(
          device, address, bytes, (a, b) -> device.copyToHost(a, segment.asSlice(0, b)));
      Range.checkRejected(device, address, bytes, (a, b) -> device.fill(a, b, (byte) 1));
      Range.checkSizesRejected(device, address, (a, b) -> device.fill(a, b, (byte) 1));
      byte[] zeros = new byte[bytes];
      Contents.check(device, address, zeros);
      Arrays.fill(host, 0, host.length / 2, (byte) 0);
    });
  }

  @Test
  void copy_rangeThatLiesInNoRegion_isRejectedAndNothingChanges() {
    withRegion((device, address, bytes) -> {
      long other = Contents.zeros(device, 4L * bytes);
      device.fill(other, 4L * bytes, (byte) 1);
      long middle = other + 2L * bytes;
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.copy(middle, address + 1, bytes))
          .withMessage(Range.noSuchRange(device, address + 1, bytes));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.copy(address + 1, middle, bytes))
          .withMessage(Range.noSuchRange(device, address + 1, bytes));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.copy(address, middle, -1))
          .withMessage(Range.noSuchRange(device, address, -1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.copy(0, middle, 0))
          .withMessage(Range.noSuchRange(device, 0, 0));
      Contents.check(device, address, new byte[bytes]);
      device.free(other, 4L * bytes);
    });
  }

  @Test
  void fill_acrossTwoRegions_isRejectedEvenWhereTheyTouch() {
    withRegion((device, address, bytes) -> {
      long other = Contents.zeros(device, bytes);
      long lower = Math.min(address, other);
      long bytesOfBoth = Math.max(address, other) + bytes - lower;
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.fill(lower, bytesOfBoth, (byte) 1))
          .withMessage(Range.noSuchRange(device, lower, bytesOfBoth));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.fill(lower + bytes - 1, 2, (byte) 1));
      Contents.check(device, address, new byte[bytes]);
      Contents.check(device, other, new byte[bytes]);
      device.free(other, bytes);
    });
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 99, -1, -99})
  void copy_overlappingRanges_isRejectedAndNothingChanges(long distance) {
    withRegion((device, address, bytes) -> {
      byte[] contents = Contents.bytes(8, bytes);
      device.copyFromHost(MemorySegment.ofArray(contents), address);
      long source = address + 1000;
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.copy(source, source + distance, 100))
          .withMessage(
              "the ranges of a copy must not overlap: source=0x%x, target=0x%x, bytes=100",
              source, source + distance);
      Contents.check(device, address, contents);
    });
  }

  @Test
  void copyToHost_readOnlyTarget_isRejected() {
    withRegion((device, address, _) -> {
      MemorySegment target = MemorySegment.ofArray(new byte[4]).asReadOnly();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> device.copyToHost(address, target))
          .withMessage("the target of a copy must be writable: segment=" + target);
    });
  }

  @Test
  void copies_ofMemoryThatHasEnded_areRejected() {
    withRegion((device, address, bytes) -> {
      Arena arena = Arena.ofConfined();
      MemorySegment segment = arena.allocate(16);
      arena.close();
      assertThatIllegalStateException()
          .isThrownBy(() -> device.copyFromHost(segment, address))
          .withMessage("Already closed");
      assertThatIllegalStateException()
          .isThrownBy(() -> device.copyToHost(address, segment))
          .withMessage("Already closed");
      Contents.check(device, address, new byte[bytes]);
    });
  }
}
