/**
 * Comparisons of two files of the same kind.
 *
 * <p>{@link ComparedKind} finds the kind of a file: a recording or a plan. Two plans ({@link
 * ComparedPlan}) become a {@link PlanDiff}. {@link dev.stowage.trace.explain.TraceDiff} compares
 * recordings. {@link dev.stowage.cli.text.DifferenceText} has the first sentence of both.
 */
package dev.stowage.cli.diff;
