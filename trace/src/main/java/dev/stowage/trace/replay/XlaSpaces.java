package dev.stowage.trace.replay;

/** The spaces of a preallocated pool of XLA: for collective memory, and for all other memory. */
enum XlaSpaces {
  /** One space, with all requests at the low end. */
  ONE("XLA with one space: the log has no collective memory"),

  /** Collective memory from the low end: pull request 48834, and 48985 if the region grows. */
  COLLECTIVE_LOW("XLA since September 2026, with collective memory at the low end"),

  /** Collective memory from the high end: pull request 43912. */
  COLLECTIVE_HIGH("XLA before September 2026, with collective memory at the high end"),

  /** Two spaces. The log does not show which space has which end. */
  UNKNOWN("XLA with one space, because the log does not show the ends of its two");

  private static final long UNIT = 256;

  private final String rules;

  XlaSpaces(String rules) {
    this.rules = rules;
  }

  /** {@return the rules in a sentence} */
  String rules() {
    return rules;
  }

  /** {@return true if requests come from two ends} */
  boolean areTwo() {
    return this == COLLECTIVE_LOW || this == COLLECTIVE_HIGH;
  }

  /** {@return true if a request comes from the high end} */
  boolean isHighEnd(boolean isCollective) {
    return isCollective == (this == COLLECTIVE_HIGH);
  }

  /** {@return true if a request with an alignment is one for collective memory} */
  static boolean isCollective(long alignment) {
    return alignment > UNIT;
  }
}
