/**
 * {@code stowage sweep}: runs a command on many files, on Apache Flink.
 *
 * <p>{@link Sweep} is the command, {@link InputFiles} finds the files, and {@link SweepSummary}
 * reads the results. {@code job} has the job on Flink.
 */
@NullMarked
package dev.stowage.fleet;

import org.jspecify.annotations.NullMarked;
