package dev.stowage.plan.search;

/** The reason that a search ended. */
public enum SearchEnd {
  /** No plan can be smaller. */
  OPTIMAL,
  /** The plan fits into the capacity. */
  CAPACITY_REACHED,
  /** The search reached its node limit. */
  NODE_LIMIT,
  /**
   * The problem has a {@link dev.stowage.plan.ReuseGraph}, and the search on widened lifetimes is
   * complete. Other plans may be smaller.
   */
  NOT_EXHAUSTIVE,
  /** The time limit passed. */
  TIME_LIMIT,
  /** The search was cancelled, or its thread was interrupted. */
  CANCELLED;

  /**
   * {@return this end if it is a limit, else {@link #NOT_EXHAUSTIVE}, because a proof for widened
   * lifetimes is no proof for the problem}
   */
  SearchEnd onWidenedLifetimes() {
    return switch (this) {
      case TIME_LIMIT, NODE_LIMIT, CANCELLED -> this;
      default -> NOT_EXHAUSTIVE;
    };
  }
}
