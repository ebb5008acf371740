package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.memory.device.Device;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.Random;

/** Bytes to copy, and what a device has of them. */
final class Contents {

  private Contents() {}

  /** {@return a region's size: a multiple of what regions are made of, 4 KiB at least} */
  static long regionBytes(Device device) {
    return Math.max(4096, device.granularityBytes());
  }

  /** {@return the address of a region of zeros} */
  static long zeros(Device device, long bytes) {
    long address = device.allocate(bytes).orElseThrow();
    device.fill(address, bytes, (byte) 0);
    return address;
  }

  /** {@return bytes that differ from their neighbours'} */
  static byte[] bytes(long seed, int count) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** {@return what a device has} */
  static byte[] read(Device device, long address, long bytes) {
    byte[] read = new byte[Math.toIntExact(bytes)];
    device.copyToHost(address, MemorySegment.ofArray(read));
    return read;
  }

  static byte[] read(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  static void check(Device device, long address, byte[] expected) {
    checkSame(read(device, address, expected.length), expected);
  }

  /** As an assertion of equal arrays, which prints them: here they have megabytes. */
  static void checkSame(byte[] actual, byte[] expected) {
    assertThat(actual.length).isEqualTo(expected.length);
    long index = MemorySegment.ofArray(actual).mismatch(MemorySegment.ofArray(expected));
    assertThat(index)
        .as(() -> String.format(Locale.ROOT, "the first wrong byte is 0x%02x", actual[(int) index]))
        .isEqualTo(-1);
  }
}
