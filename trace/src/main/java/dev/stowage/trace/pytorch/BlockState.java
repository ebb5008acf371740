package dev.stowage.trace.pytorch;

/** The state of a block when a snapshot was taken. */
public enum BlockState {
  /** The program uses the block. */
  ACTIVE("active_allocated"),
  /** The program freed the block, but queued work may still use it. */
  PENDING_FREE("active_pending_free"),
  /** The block is free. */
  INACTIVE("inactive");

  private final String key;

  BlockState(String key) {
    this.key = key;
  }

  /** {@return the name in a snapshot} */
  public String key() {
    return key;
  }

  /** {@return true if the block is not free} */
  public boolean isActive() {
    return this != INACTIVE;
  }

  /**
   * {@return the state with a name; {@link #PENDING_FREE} for other names that start with {@code
   * active}, and {@link #INACTIVE} for all others}
   */
  static BlockState of(String key) {
    if (key.equals(ACTIVE.key)) {
      return ACTIVE;
    }
    return key.startsWith("active") ? PENDING_FREE : INACTIVE;
  }
}
