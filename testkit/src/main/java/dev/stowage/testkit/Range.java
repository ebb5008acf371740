package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.memory.device.Device;
import java.util.List;
import java.util.Locale;

/**
 * A range of a device's memory.
 *
 * @param address where it starts
 * @param bytes its size
 */
record Range(long address, long bytes) {

  /** What is done with a range, of which it should be told that it does not exist. */
  interface Use {
    void of(long address, long bytes);
  }

  /** {@return ranges that do not lie within a region of some bytes at an address} */
  private static List<Range> outside(long address, long bytes) {
    return List.of(
        new Range(address, bytes + 1),
        new Range(address + 1, bytes),
        new Range(address + bytes, 1),
        new Range(address + bytes + 1, 0),
        new Range(address - 1, 1),
        new Range(address - 1, 0),
        new Range(address - 1, bytes),
        new Range(0, 0),
        new Range(0, 1),
        new Range(-1, 1),
        new Range(Long.MAX_VALUE, 1),
        new Range(Long.MIN_VALUE, 1));
  }

  /** Of a use, that it rejects whatever does not lie within the only region that is held. */
  static void checkRejected(Device device, long address, long bytes, Use use) {
    for (Range each : outside(address, bytes)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> use.of(each.address, each.bytes))
          .withMessage(noSuchRange(device, each.address, each.bytes));
    }
  }

  /** Of a use that has a size of its own, that it rejects those no range can have. */
  static void checkSizesRejected(Device device, long address, Use use) {
    for (long bytes : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> use.of(address, bytes))
          .withMessage(noSuchRange(device, address, bytes));
    }
  }

  static String noSuchRange(Device device, long address, long bytes) {
    return String.format(
        Locale.ROOT,
        "no region of device '%s' has %d bytes at 0x%x",
        device.name(),
        bytes,
        address);
  }
}
