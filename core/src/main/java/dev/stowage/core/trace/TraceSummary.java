package dev.stowage.core.trace;

import java.util.Optional;

/**
 * What reading a trace came to.
 *
 * @param format {@code csv}, {@code rmm} or {@code pytorch}
 * @param eventCount how many events were given to the consumer
 * @param leftOutCount how many wrong ones were left out, which only lenient reading does
 * @param firstLeftOut what was wrong with the first of them
 */
public record TraceSummary(
    String format, long eventCount, long leftOutCount, Optional<String> firstLeftOut) {}
