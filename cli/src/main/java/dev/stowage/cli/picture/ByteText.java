package dev.stowage.cli.picture;

import java.util.Locale;

/**
 * A unit in which numbers of bytes are told to people.
 *
 * @param name such as {@code MiB}
 * @param bytes how many bytes it is
 */
record ByteText(String name, long bytes) {

  private static final String[] NAMES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  /** {@return the largest unit that is not more than {@code bytes}} */
  static ByteText unitFor(long bytes) {
    int power = bytes < 1 ? 0 : (Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes)) / 10;
    return new ByteText(NAMES[power], 1L << (10 * power));
  }

  /** {@return such as {@code 5.48 MiB}} */
  static String human(long bytes) {
    ByteText unit = unitFor(bytes);
    return unit.bytes == 1
        ? bytes + " B"
        : String.format(Locale.ROOT, "%.2f %s", (double) bytes / unit.bytes, unit.name);
  }

  /** {@return such as {@code 5,746,688 bytes (5.48 MiB)}} */
  static String exact(long bytes) {
    String exact = bytes == 1 ? "1 byte" : String.format(Locale.ROOT, "%,d bytes", bytes);
    return bytes < 1024 ? exact : exact + " (" + human(bytes) + ")";
  }

  /** {@return such as {@code 12.5 %}, or nothing to compare with as {@code 0.0 %}} */
  static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.1f %%", whole == 0 ? 0 : 100.0 * part / whole);
  }
}
