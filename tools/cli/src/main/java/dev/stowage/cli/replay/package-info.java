/**
 * Replays and comparisons of traces, and the data of their pages.
 *
 * <p>A {@link ReplayRunner} reads and replays a trace. For a page, a {@link HistoryRecorder}
 * observes the replay between events and keeps the data to draw, in bounded memory: {@link
 * StepCurve}s, whose steps become ranges of values in long traces, and the {@link LargestChunks}. A
 * {@link ComparedTrace} is one side of {@code stowage diff}.
 */
package dev.stowage.cli.replay;
