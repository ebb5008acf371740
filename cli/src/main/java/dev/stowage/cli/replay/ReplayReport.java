package dev.stowage.cli.replay;

import dev.stowage.core.trace.Placement;
import dev.stowage.core.trace.ReplayAdvice;
import dev.stowage.core.trace.ReplayResult;
import dev.stowage.core.trace.TraceSummary;
import java.util.List;
import java.util.Optional;

/**
 * What came of a trace.
 *
 * @param input the file as it was named on the command line
 * @param summary how the file was read
 * @param result what the allocator did
 * @param placements where each request went; empty where nobody asked for them
 * @param history what happened event by event; empty where nobody asked for it
 * @param advice changes with which no request fails; empty if none failed, or none is known
 * @param seconds how long reading and replaying took
 */
public record ReplayReport(
    String input,
    TraceSummary summary,
    ReplayResult result,
    List<Placement> placements,
    Optional<ReplayHistory> history,
    Optional<ReplayAdvice> advice,
    double seconds) {}
