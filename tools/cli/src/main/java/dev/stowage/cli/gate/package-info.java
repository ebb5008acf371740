/**
 * Baselines: the figures of earlier runs in a file, and comparisons with them.
 *
 * <p>A {@link GatedResult} has figures by their names, options and records. The package does not
 * depend on plans, so that all commands can use it. {@link TensorPairs} pairs the records of two
 * versions of an input. {@link TensorChange} has the records that cause growth against a {@link
 * BaselineEntry}.
 *
 * <p>A baseline has all records of an input, not only the records at its peak: growth can move the
 * peak, and the records at the new peak must be compared with their earlier sizes and lifetimes.
 *
 * <p>A baseline records the options of a run, and refuses runs with other options. If it had an
 * entry for each set of options, a wrong option in a CI job would look like a new input.
 */
package dev.stowage.cli.gate;
