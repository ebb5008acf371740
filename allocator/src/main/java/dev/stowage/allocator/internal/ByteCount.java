package dev.stowage.allocator.internal;

import java.util.Locale;

/** Numbers of bytes in sentences for people. */
public final class ByteCount {

  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private ByteCount() {}

  /**
   * {@return a number of bytes in its largest unit, such as {@code 330.7 MiB}, {@code 1.99 GiB} or
   * {@code 512 bytes}; exact below 1 KiB}
   *
   * @param bytes the number of bytes
   */
  public static String text(long bytes) {
    if (bytes < 1024) {
      return bytes == 1 ? "1 byte" : String.format(Locale.ROOT, "%,d bytes", bytes);
    }
    double value = bytes / 1024.0;
    int unit = 0;
    while (value >= 1023.95) { // so that no text has 1024 of a unit
      value /= 1024;
      unit++;
    }
    String digits = String.format(Locale.ROOT, value < 9.995 ? "%.2f" : "%.1f", value);
    return digits.replaceFirst("\\.?0+$", "") + " " + UNITS[unit];
  }

  /**
   * {@return a number of bytes in its largest unit and exactly, such as {@code 300 MiB (314,576,896
   * bytes)} or {@code 512 bytes}}
   *
   * @param bytes the number of bytes
   */
  public static String exact(long bytes) {
    return bytes < 1024
        ? text(bytes)
        : String.format(Locale.ROOT, "%s (%,d bytes)", text(bytes), bytes);
  }
}
