package dev.stowage.cli.picture;

import dev.stowage.cli.replay.ReplayHistory;
import dev.stowage.core.trace.ReplayResult;

/**
 * The content of a picture of a replay.
 *
 * @param title the title, such as the file name of the trace
 * @param allocator the allocator and its options, such as {@code a BFC allocator with its defaults}
 * @param result the statistics of the allocator
 * @param history the events
 */
public record ReplayPicture(
    String title, String allocator, ReplayResult result, ReplayHistory history) {}
