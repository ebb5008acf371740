/**
 * Baselines: the figures of earlier runs in a file, and comparisons with them.
 *
 * <p>The package does not depend on plans, so that all commands can use it. A {@link BaselineEntry}
 * has the figures of an input by their names.
 *
 * <p>A baseline records the options of a run, and refuses runs with other options. If it had an
 * entry for each set of options, a wrong option in a CI job would look like a new input.
 */
package dev.stowage.cli.gate;
