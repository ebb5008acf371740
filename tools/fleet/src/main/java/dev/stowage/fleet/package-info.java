/**
 * Sweeps: many models and traces through one command of Stowage, on Apache Flink.
 *
 * <p>Clusters of Flink run Java 17, and so does this module, on the class path. It cannot use
 * classes of {@code tools/cli}, which need Java 25. It starts processes with these classes instead,
 * and has the converters of sizes and seconds a second time.
 *
 * <p>The client estimates the cost of each item from its file and options, and sorts the items by
 * cost. An idle subtask of Flink requests the next batch: at most a sixteenth of the subtask's
 * share of the remaining cost, and at most 256 items. Large items therefore start first and alone,
 * small items share requests, and all subtasks end at about the same time. Each subtask has a
 * worker, a process with Java 25 that runs one item after the other. It commits the results of a
 * batch as one file. The client merges these files.
 *
 * <p>{@link SweepCommand} collects the items, {@link SweepRun} runs them, and {@link SweepReport}
 * writes the results. A worker draws the page, because the pages are part of {@code tools/cli}.
 */
@org.jspecify.annotations.NullMarked
package dev.stowage.fleet;
