package dev.stowage.cli.report;

import java.util.Locale;

/** Numbers as people read them. */
public final class Numbers {

  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Numbers() {}

  /**
   * {@return bytes in the unit that suits them: {@code 5.742 MiB}}
   *
   * @param bytes the number
   */
  public static String bytes(long bytes) {
    int unit = unitOf(bytes);
    return inUnit(bytes, unit) + " " + UNITS[unit];
  }

  /**
   * {@return the exact number, grouped: {@code 6,021,120}}
   *
   * @param number the number
   */
  public static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@return the power of 1024 in which bytes read best} */
  static int unitOf(long bytes) {
    int unit = 0;
    while (unit < UNITS.length - 1 && bytes >> (10 * (unit + 1)) > 0) {
      unit++;
    }
    return unit;
  }

  static String unitName(int unit) {
    return UNITS[unit];
  }

  static String inUnit(long bytes, int unit) {
    return unit == 0
        ? Long.toString(bytes)
        : String.format(Locale.ROOT, "%.3f", bytes / (double) (1L << (10 * unit)));
  }

  /** {@return how much more than a bound, {@code +7.7 %}} */
  static String above(long bytes, long bound) {
    return bound == 0
        ? ""
        : String.format(Locale.ROOT, "%+.1f %%", 100.0 * (bytes - bound) / bound);
  }

  static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
  }

  static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.6f", seconds);
  }
}
