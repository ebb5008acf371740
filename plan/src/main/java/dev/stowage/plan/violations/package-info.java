/**
 * The overlaps of placed records: the first one, and lists of all violations of a plan.
 *
 * <h2>For maintainers</h2>
 *
 * <p>Nothing in this package shares code with planners. {@link OverlapSweep} finds overlaps in
 * bytes and tasks, except for {@link PermittedOverlaps}, and {@link SharingCheck} pairs that a
 * graph does not permit. {@code AssignmentChecker} returns the first violation, {@link
 * PlanViolations} a list.
 */
package dev.stowage.plan.violations;
