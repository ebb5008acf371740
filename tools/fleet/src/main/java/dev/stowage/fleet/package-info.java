/**
 * Sweeps: many models and traces through one command of Stowage, on Apache Flink.
 *
 * <p>Clusters of Flink run Java 17, and so does this module, on the class path. It cannot use
 * classes of {@code tools/cli}, which need Java 25. It starts processes with these classes instead,
 * and has the converters of sizes and seconds a second time.
 *
 * <p>{@link SweepCommand} collects the items, {@link SweepRun} runs them, and {@link SweepReport}
 * writes the results. A worker draws the page, because the pages are part of {@code tools/cli}.
 */
@org.jspecify.annotations.NullMarked
package dev.stowage.fleet;
