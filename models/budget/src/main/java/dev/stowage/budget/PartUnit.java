package dev.stowage.budget;

import java.util.Locale;

/** The thing that has a part of a budget once. */
public enum PartUnit {
  /** The process has the part once. */
  PROCESS,
  /** Each session has the part. */
  SESSION,
  /** Each session beyond the first has the part. */
  FURTHER_SESSION,
  /** Each session has the part for each thread beyond the first, which is the caller's. */
  THREAD;

  /** {@return the number of times that a process has the part} */
  long count(int sessions, int threads) {
    return switch (this) {
      case PROCESS -> 1;
      case SESSION -> sessions;
      case FURTHER_SESSION -> sessions - 1;
      case THREAD -> Math.multiplyFull(sessions, threads - 1);
    };
  }

  /** {@return the name in files and reports} */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
