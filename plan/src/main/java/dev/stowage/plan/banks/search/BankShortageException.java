package dev.stowage.plan.banks.search;

/**
 * Thrown by a planner for several banks if a record fits into none of them. The message names the
 * record and the bytes that each bank lacks.
 *
 * @serial exclude
 */
public final class BankShortageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean isProved;

  BankShortageException(String message, boolean isProved) {
    super(message);
    this.isProved = isProved;
  }

  /**
   * {@return true if no plan fits: the record may be in no bank at all, or more bytes are live at a
   * task than all banks have}
   */
  boolean isProved() {
    return isProved;
  }
}
