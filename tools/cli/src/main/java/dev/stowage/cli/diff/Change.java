package dev.stowage.cli.diff;

import java.util.Locale;

/** A change of a tensor or a group of blocks, in the order of tables. */
public enum Change {
  NEW("NEW"),
  GROWN("GROWN"),
  GONE("GONE"),
  SHRUNK("SHRUNK"),
  LONGER("LIVE LONGER"),
  SHORTER("LIVE SHORTER"),
  SAME("SAME");

  private final String title;

  Change(String title) {
    this.title = title;
  }

  /** {@return the title of a table of these changes} */
  public String title() {
    return title;
  }

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

  /** {@return the change for programs: {@code longer}} */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
