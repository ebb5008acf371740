package dev.stowage.cli.picture;

import dev.stowage.cli.replay.ReplayHistory;
import dev.stowage.core.trace.ReplayResult;

/**
 * The content of a picture of a replay.
 *
 * @param title the title, such as the file name of the trace
 * @param options the options of the allocator, as on the command line; empty for the defaults
 * @param result the statistics of the allocator
 * @param history the events
 */
public record ReplayPicture(
    String title, String options, ReplayResult result, ReplayHistory history) {}
