package dev.stowage.cli.diff;

import java.util.Locale;

/** A change of a tensor or a model, in the order of tables. */
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

  /** {@return the change in a cell of a table: {@code live longer}} */
  public String text() {
    return title.toLowerCase(Locale.ROOT);
  }

  /** {@return the change for programs: {@code longer}} */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
