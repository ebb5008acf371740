/**
 * Files of results, each written completely or not at all ({@link WholeFile}).
 *
 * <p>{@link PlanFiles} writes the best plan of a report.
 */
package dev.stowage.cli.output;
