/**
 * Problems with sizes that depend on dimensions with ranges, and one plan for all shapes.
 *
 * <h2>For maintainers</h2>
 *
 * <p>A plan for the largest size of each record is valid for all shapes, because smaller records at
 * the same offsets share no more bytes. {@link RangedProblem} has the sizes: {@link
 * SizeExpression}s, with an upper bound of each by interval arithmetic, or sizes at sampled shapes.
 * {@link ShapeBuckets} divides the shapes among several plans.
 */
package dev.stowage.plan.shapes;
