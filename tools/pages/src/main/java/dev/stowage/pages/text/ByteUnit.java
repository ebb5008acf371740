package dev.stowage.pages.text;

/**
 * A unit of numbers of bytes in texts for people.
 *
 * @param name the name, such as {@code MiB}
 * @param bytes the number of bytes in one unit
 */
public record ByteUnit(String name, long bytes) {

  private static final String[] NAMES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  /** {@return the largest unit that does not exceed a number of bytes} */
  public static ByteUnit unitFor(long bytes) {
    int power = bytes < 1 ? 0 : (Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes)) / 10;
    return new ByteUnit(NAMES[power], 1L << (10 * power));
  }

  /**
   * {@return a number of bytes in this unit, such as {@code 5.480}}
   *
   * @param number the number of bytes
   */
  public String count(long number) {
    return bytes == 1 ? Long.toString(number) : Text.of("%.3f", (double) number / bytes);
  }

  /** {@return a number of bytes such as {@code 5.480 MiB}} */
  public static String human(long bytes) {
    ByteUnit unit = unitFor(bytes);
    return unit.count(bytes) + " " + unit.name;
  }

  /** {@return a number of bytes such as {@code 5,746,688 bytes (5.480 MiB)}} */
  public static String exact(long bytes) {
    String exact = bytes == 1 ? "1 byte" : Numbers.grouped(bytes) + " bytes";
    return bytes < 1024 ? exact : exact + " (" + human(bytes) + ")";
  }

  /** {@return a number of bytes such as {@code 5.480 MiB (5,746,688 bytes)}, for a sentence} */
  public static String sentence(long bytes) {
    String exact = bytes == 1 ? "1 byte" : Numbers.grouped(bytes) + " bytes";
    return bytes < 1024 ? exact : human(bytes) + " (" + exact + ")";
  }
}
