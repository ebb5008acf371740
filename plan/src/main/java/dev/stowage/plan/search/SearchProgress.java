package dev.stowage.plan.search;

import java.time.Duration;

/**
 * The progress of a search for offsets.
 *
 * @param bestBytes the size of the smallest arena so far
 * @param lowerBoundBytes the proved lower bound so far
 * @param nodes the number of placements tried
 * @param elapsed the time since the start of the search
 */
public record SearchProgress(long bestBytes, long lowerBoundBytes, long nodes, Duration elapsed) {}
