/**
 * Comparisons of two files of the same kind.
 *
 * <p>{@link ComparedKind} finds the kind of a file: a recording, a plan or a baseline. Two plans
 * ({@link ComparedPlan}) become a {@link PlanDiff}, and two baselines a {@link ReleaseDiff}. The
 * comparison of recordings is {@link dev.stowage.trace.explain.TraceDiff}. {@link
 * dev.stowage.cli.text.DifferenceText} has the sentence that all of them start with.
 */
package dev.stowage.cli.diff;
