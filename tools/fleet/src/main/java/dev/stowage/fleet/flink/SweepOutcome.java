package dev.stowage.fleet.flink;

import java.util.Optional;

/**
 * The end of a sweep, whose results are in the file {@code results.jsonl}.
 *
 * @param itemCount the items of the sweep
 * @param results the items with a result
 * @param isCancelled true if the caller ended the sweep
 * @param failure the reason if the sweep failed as a whole
 */
public record SweepOutcome(
    long itemCount, SweepProgress results, boolean isCancelled, Optional<String> failure) {}
