/**
 * Searches for settings of allocators: traces in memory, replays in several threads, reports.
 *
 * <p>{@link TuningRunner} gives the replays to its threads. Beside them, {@link Hindsight} plans
 * the lifetimes of the trace: the bytes of a plan that knows them in advance.
 */
package dev.stowage.cli.tune;
