package dev.stowage.allocator;

/**
 * The bar of a report: the most frequent kind of bytes of each column. A column has as many parts
 * as all regions have bytes.
 */
final class Occupancy {

  private static final int COLUMNS = 100;
  private static final String KINDS = "*x_";

  /**
   * The right shift of byte counts, without which the number of parts would overflow above 2^56
   * bytes.
   */
  private final int shift;

  private final long partsPerColumn;
  private final long[][] parts = new long[KINDS.length()][COLUMNS];
  private long bytesBefore;

  Occupancy(long allBytes) {
    shift = Math.max(0, 8 - Long.numberOfLeadingZeros(allBytes));
    partsPerColumn = allBytes >>> shift;
  }

  /** Adds the next bytes. */
  void add(char kind, long bytes) {
    long at = COLUMNS * (bytesBefore >>> shift);
    bytesBefore += bytes;
    long end = Math.min(COLUMNS * (bytesBefore >>> shift), COLUMNS * partsPerColumn);
    long[] ofKind = parts[KINDS.indexOf(kind)];
    while (at < end) {
      int column = (int) (at / partsPerColumn);
      long next = Math.min(end, (column + 1) * partsPerColumn);
      ofKind[column] += next - at;
      at = next;
    }
  }

  /** {@return one character for each column; of equal kinds the first of {@code *x_}} */
  String bar() {
    StringBuilder bar = new StringBuilder();
    for (int column = 0; column < COLUMNS; column++) {
      int most = 0;
      for (int kind = 1; kind < KINDS.length(); kind++) {
        most = parts[kind][column] > parts[most][column] ? kind : most;
      }
      bar.append(KINDS.charAt(most));
    }
    return bar.toString();
  }
}
