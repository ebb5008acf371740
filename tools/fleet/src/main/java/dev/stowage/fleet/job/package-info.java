/**
 * A sweep as a job on Apache Flink, in this process or on a cluster.
 *
 * <p>{@link Batches} divides the files. {@link BatchFunction} runs the command on a batch in a
 * process and writes a file of results. The job has as many subtasks as batches, and no data flows
 * between them, so that each subtask is a region of its own: Flink runs as many at a time as there
 * are slots, and after the loss of a task manager it repeats only the subtasks that ran there.
 * {@link FlinkSweep} submits the job and waits for it.
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
