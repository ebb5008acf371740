package dev.stowage.core.plan.base;

import java.util.Arrays;
import java.util.Locale;

/** A square matrix of bits in n² / 8 bytes. */
public final class BitMatrix {

  /** Beyond, the bits take more than 5 GB. */
  static final int MOST_RECORDS = 200_000;

  private final int count;
  private final long[][] rows;

  /**
   * A matrix of {@code count} rows and columns, all bits clear.
   *
   * @throws IllegalArgumentException if {@code count > MOST_RECORDS}
   */
  public BitMatrix(int count) {
    if (count > MOST_RECORDS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "a graph is of %d records, expected at most %d", count, MOST_RECORDS));
    }
    this.count = count;
    rows = new long[count][wordCount(count)];
  }

  public static int wordCount(int bits) {
    return (bits + 63) >>> 6;
  }

  public int count() {
    return count;
  }

  public int wordCount() {
    return wordCount(count);
  }

  public boolean get(int row, int column) {
    return (rows[row][column >>> 6] >>> column & 1) != 0;
  }

  public void set(int row, int column) {
    rows[row][column >>> 6] |= 1L << column;
  }

  /** {@return 64 bits of a row, the lowest of them that of column {@code 64 * word}} */
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

  /** Sets each bit whose mirror image at the diagonal is set. O(n² / 64 · log 64). */
  public void mirror() {
    long[] upper = new long[64];
    long[] lower = new long[64];
    for (int a = 0; a < wordCount(); a++) {
      for (int b = a; b < wordCount(); b++) {
        copyBlock(a, b, upper);
        copyBlock(b, a, lower);
        long[] mirroredUpper = upper.clone();
        transpose(mirroredUpper);
        transpose(lower);
        mergeBlock(a, b, lower);
        mergeBlock(b, a, mirroredUpper);
      }
    }
  }

  private void copyBlock(int rowBlock, int word, long[] to) {
    for (int k = 0; k < 64; k++) {
      int row = (rowBlock << 6) + k;
      to[k] = row < count ? rows[row][word] : 0;
    }
  }

  private void mergeBlock(int rowBlock, int word, long[] bits) {
    for (int k = 0; k < 64 && (rowBlock << 6) + k < count; k++) {
      rows[(rowBlock << 6) + k][word] |= bits[k];
    }
  }

  /** Mirrors a block of 64 by 64 bits: swaps halves off the diagonal, then quarters, and so on. */
  private static void transpose(long[] block) {
    long mask = 0xFFFFFFFFL;
    for (int half = 32; half > 0; half >>= 1, mask ^= mask << half) {
      for (int k = 0; k < 64; k = (k + half + 1) & ~half) {
        long swapped = (block[k] >>> half ^ block[k + half]) & mask;
        block[k] ^= swapped << half;
        block[k + half] ^= swapped;
      }
    }
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
