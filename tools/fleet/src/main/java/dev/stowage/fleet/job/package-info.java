/**
 * A sweep as a job on Apache Flink, in this process or on a cluster.
 *
 * <p>{@link Batches} divides the files. The job has a subtask for each batch, and no data flows
 * between subtasks: {@link BatchSource} gives the batch to its subtask, and {@link BatchFunction}
 * runs the command on it in a process and writes a file of results. Each subtask is therefore a
 * region of its own: Flink runs as many subtasks at a time as there are slots. After the loss of a
 * task manager, it repeats only the batches that ran there. {@link FlinkSweep} submits the job and
 * waits for it.
 *
 * <p>Flink's {@code FileSink} does not fit. In a batch job it commits all files at the end, so that
 * an interrupted sweep would have none. In a stream, subtasks wait at their end for a checkpoint.
 * Flink takes no checkpoint while a lost subtask has no slot.
 *
 * <p>The classes of this package run on the Java of the cluster, the processes on Java 25.
 */
@NullMarked
package dev.stowage.fleet.job;

import org.jspecify.annotations.NullMarked;
