/**
 * Problems whose sizes are expressions of dimensions, and layouts that are valid for all shapes.
 *
 * <h2>For maintainers</h2>
 *
 * <p>A {@link ShapeLayout} has a formula for the offset of each record. The formula says which of
 * two conflicting records lies below the other one, and is therefore valid for all shapes. {@link
 * SizeExpression} is a polynomial over dimensions, floors and maximums in a canonical form. {@link
 * ShapeProver} decides whether an expression is not negative for all shapes. {@link LayoutChecker}
 * certifies layouts with it, by the rules Z1 to Z4. It proves only that each record ends above
 * those on top of the lower ones at its tasks ({@link TopRecords}), because the other pairs follow.
 */
package dev.stowage.plan.shapes;
