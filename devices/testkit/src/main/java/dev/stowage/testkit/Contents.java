package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.memory.device.Device;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.Random;

/** Bytes to copy, and the contents of devices. */
final class Contents {

  private Contents() {}

  /** {@return the size of a region: the granularity, but at least 4 KiB} */
  static long regionBytes(Device device) {
    return Math.max(4096, device.granularityBytes());
  }

  /** {@return the address of a region of zeros} */
  static long zeros(Device device, long bytes) {
    long address = device.allocate(bytes).orElseThrow();
    device.fill(address, bytes, (byte) 0);
    return address;
  }

  /** {@return pseudorandom bytes} */
  static byte[] bytes(long seed, int count) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** {@return the contents of a range} */
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

  /** Compares arrays of megabytes, which an assertion of equality would print. */
  static void checkSame(byte[] actual, byte[] expected) {
    assertThat(actual.length).isEqualTo(expected.length);
    long index = MemorySegment.ofArray(actual).mismatch(MemorySegment.ofArray(expected));
    assertThat(index)
        .as(() -> String.format(Locale.ROOT, "the first wrong byte is 0x%02x", actual[(int) index]))
        .isEqualTo(-1);
  }
}
