package dev.stowage.budget;

import java.util.Locale;

/** The time during which a part of a budget needs memory. */
public enum PartPhase {
  /** From the creation of its session, or from the start, to the end of the process. */
  ALWAYS,
  /** While a session is created. Sessions are created one after the other. */
  LOADING,
  /** From the first run, which follows the creation of all sessions. */
  RUNNING;

  /** {@return the name in files and reports} */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
