package dev.stowage.cli.output;

import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.RunFacts;
import java.util.function.Function;

/**
 * An HTML page of several replays, with an index.
 *
 * @param path the path as on the command line
 * @param facts returns the facts of the run on a report
 */
public record ReplayReportFile(String path, Function<ReplayReport, RunFacts> facts) {}
