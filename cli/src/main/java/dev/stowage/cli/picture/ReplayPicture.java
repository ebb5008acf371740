package dev.stowage.cli.picture;

import dev.stowage.cli.replay.ReplayHistory;
import dev.stowage.core.trace.ReplayResult;

/**
 * What a picture of a replay shows.
 *
 * @param title a headline, such as the trace's file name
 * @param options how the allocator was set up, as on the command line; empty for the defaults
 * @param result what the allocator did, as numbers
 * @param history what it did, event by event
 */
public record ReplayPicture(
    String title, String options, ReplayResult result, ReplayHistory history) {}
