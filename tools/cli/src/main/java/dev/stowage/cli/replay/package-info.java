/**
 * Replays and comparisons of traces.
 *
 * <p>A {@link ReplayRunner} reads and replays a trace. For a page, a {@link
 * dev.stowage.pages.history.HistoryRecorder} observes the replay between events. A {@link
 * ComparedTrace} is one side of {@code stowage diff}.
 */
package dev.stowage.cli.replay;
