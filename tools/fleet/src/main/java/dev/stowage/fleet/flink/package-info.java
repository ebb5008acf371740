/**
 * Runs items on Apache Flink, in this process or on a cluster.
 *
 * <p>This is the only package that uses Flink. It moves lines of text: items in, results out.
 *
 * <p>{@link BatchSource} and {@link BatchSink} are the job, in one chain. A {@link BatchPlan} cuts
 * the file of items into batches of consecutive lines, by guided self-scheduling, the most
 * expensive items first. A {@link BatchEnumerator} assigns them on request. The {@link BatchWriter}
 * of a subtask runs a batch and commits its results as one part; {@link PartMerge} merges the parts
 * by key.
 *
 * <ul>
 *   <li>No data flows between subtasks, so that each is a region of its own. If one fails, the
 *       others continue.
 *   <li>Flink gives back all batches of a lost subtask, because a batch job has no checkpoints. The
 *       enumerator skips those whose part is in the {@link PartsFolder}.
 *   <li>A sink of Flink's own would commit when a subtask ends, and a lost task manager would then
 *       lose all of its results.
 *   <li>Failures of a machine, such as a missing Java, end the sweep without restarts and name the
 *       machine.
 *   <li>{@link SweepProgress} counts the parts by their names, because Flink loses the accumulators
 *       of a lost subtask.
 * </ul>
 *
 * <p>The tests start a cluster of four processes and kill one of them. They run after the jar of
 * the module is built.
 */
@org.jspecify.annotations.NullMarked
package dev.stowage.fleet.flink;
