package dev.stowage.plan.banks.search;

/** The reason that a search for banks ended. */
public enum BankedSearchEnd {
  /** No plan can be cheaper. */
  OPTIMAL,
  /** There is no plan: the search proved that the records do not fit into the banks. */
  NO_PLAN,
  /** The search is complete, except for placements that reached their own limits. */
  NOT_EXHAUSTIVE,
  /** The search reached its node limit. */
  NODE_LIMIT,
  /** The time limit passed. */
  TIME_LIMIT,
  /** The search was cancelled, or its thread was interrupted. */
  CANCELLED
}
