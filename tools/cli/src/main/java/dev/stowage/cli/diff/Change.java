package dev.stowage.cli.diff;

import java.util.Locale;

/** A change of a tensor or a group of blocks. */
public enum Change {
  NEW,
  GROWN,
  GONE,
  SHRUNK,
  LONGER,
  SHORTER,
  SAME;

  /**
   * {@return the change of bytes}
   *
   * @param countA the number of blocks or tasks in the first file; 0 for a new one
   * @param countB the number of blocks or tasks in the second file; 0 for one that is gone
   */
  public static Change of(long countA, long countB, long growthBytes) {
    if (countA == 0) {
      return NEW;
    }
    if (countB == 0) {
      return GONE;
    }
    return growthBytes == 0 ? SAME : growthBytes > 0 ? GROWN : SHRUNK;
  }

  /** {@return the change in texts: {@code longer}} */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
