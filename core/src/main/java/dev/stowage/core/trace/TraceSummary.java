package dev.stowage.core.trace;

import java.util.Optional;

/**
 * A summary of a trace that was read.
 *
 * @param format {@code csv}, {@code rmm} or {@code pytorch}
 * @param eventCount the number of events that the consumer got
 * @param skippedCount the number of invalid events that lenient reading skipped
 * @param firstSkipped the place and the problem of the first one; empty if there is none
 */
public record TraceSummary(
    String format, long eventCount, long skippedCount, Optional<String> firstSkipped) {}
