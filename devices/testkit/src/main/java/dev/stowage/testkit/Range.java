package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.memory.device.Device;
import java.util.List;
import java.util.Locale;

/**
 * A range of device memory.
 *
 * @param address the start
 * @param bytes the size
 */
record Range(long address, long bytes) {

  /** An operation on a range. */
  interface Use {
    void of(long address, long bytes);
  }

  /** {@return ranges that do not lie within a region} */
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

  /** Checks that an operation rejects ranges outside of the only region. */
  static void checkRejected(Device device, long address, long bytes, Use use) {
    for (Range each : outside(address, bytes)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> use.of(each.address, each.bytes))
          .withMessage(noSuchRange(device, each.address, each.bytes));
    }
  }

  /** Checks that an operation rejects impossible sizes of ranges. */
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
