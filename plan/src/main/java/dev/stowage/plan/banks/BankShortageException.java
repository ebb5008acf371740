package dev.stowage.plan.banks;

/**
 * Thrown by a planner for several banks if a record fits into none of them. The message names the
 * record and the bytes that each bank lacks.
 *
 * @serial exclude
 */
public final class BankShortageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int record;
  private final boolean isProved;

  BankShortageException(String message, int record, boolean isProved) {
    super(message);
    this.record = record;
    this.isProved = isProved;
  }

  /** {@return the index of the record} */
  public int record() {
    return record;
  }

  /**
   * {@return true if no plan fits: the record may be in no bank at all, or more bytes are live at a
   * task than all banks have}
   */
  public boolean isProved() {
    return isProved;
  }
}
