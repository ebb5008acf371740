/**
 * Searches for settings of allocators: traces in memory, replays in several threads, reports.
 *
 * <p>{@link TuningRunner} gives the replays to its threads. At the same time, it plans the
 * lifetimes of the trace: {@link TuningReport.Hindsight} has the bytes of a plan that knows them in
 * advance.
 */
package dev.stowage.cli.tune;
