package dev.stowage.plan.base;

import dev.stowage.plan.text.Message;
import java.util.Arrays;

/** A square matrix of n² bits, in n² / 8 bytes. */
public final class BitMatrix {

  /** Maximum number of rows; a larger matrix would take more than 5 GB. */
  static final int MAX_ROWS = 200_000;

  private final int count;
  private final long[][] rows;

  /**
   * Creates a matrix of {@code count} rows and columns, all bits clear.
   *
   * @throws IllegalArgumentException if {@code count > MAX_ROWS}
   */
  public BitMatrix(int count) {
    if (count > MAX_ROWS) {
      throw Message.illegalArgument("a graph has %d records, expected at most %d", count, MAX_ROWS);
    }
    this.count = count;
    rows = new long[count][wordCount(count)];
  }

  /** {@return the number of 64-bit words that hold some bits} */
  public static int wordCount(int bits) {
    return (bits + 63) >>> 6;
  }

  /** {@return the number of rows, and of columns} */
  public int count() {
    return count;
  }

  /** {@return the number of 64-bit words of a row} */
  public int wordCount() {
    return wordCount(count);
  }

  public boolean get(int row, int column) {
    return (rows[row][column >>> 6] >>> column & 1) != 0;
  }

  public void set(int row, int column) {
    rows[row][column >>> 6] |= 1L << column;
  }

  /** {@return 64 bits of a row; the lowest bit belongs to column {@code 64 * word}} */
  public long word(int row, int word) {
    return rows[row][word];
  }

  public void setWord(int row, int word, long bits) {
    rows[row][word] = bits;
  }

  /** {@return the columns of a row's set bits, ascending} */
  public int[] row(int row) {
    int[] columns = new int[Arrays.stream(rows[row]).mapToInt(Long::bitCount).sum()];
    int k = 0;
    for (int word = 0; word < rows[row].length; word++) {
      for (long bits = rows[row][word]; bits != 0; bits &= bits - 1) {
        columns[k++] = (word << 6) + Long.numberOfTrailingZeros(bits);
      }
    }
    return columns;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BitMatrix that && Arrays.deepEquals(rows, that.rows);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(rows);
  }
}
