package dev.stowage.fleet.result;

import java.util.Locale;

/** Numbers of bytes in texts for people. */
final class ByteText {

  private static final String[] NAMES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private ByteText() {}

  /** {@return a number of bytes such as {@code 5.480 MiB}} */
  static String human(long bytes) {
    int power = bytes < 1 ? 0 : (Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes)) / 10;
    return power == 0
        ? bytes + " B"
        : String.format(
            Locale.ROOT, "%.3f %s", (double) bytes / (1L << (10 * power)), NAMES[power]);
  }
}
