package dev.stowage.core.plan.search;

import java.time.Duration;

/**
 * How far a search is.
 *
 * @param bestBytes the smallest arena so far
 * @param lowerBoundBytes no arena is smaller, proved
 * @param nodes how many placements were tried
 * @param elapsed since the search began
 */
public record SearchProgress(long bestBytes, long lowerBoundBytes, long nodes, Duration elapsed) {}
