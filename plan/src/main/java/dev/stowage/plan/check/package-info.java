/**
 * Independent checks of plans, which share no code with the planners.
 *
 * <p>The package depends only on records and on arithmetic. {@link AssignmentChecker} finds the
 * first violation, and {@link PlanViolations} counts and lists all violations of a foreign plan.
 * Both use {@link OverlapSweep}. {@link PermittedOverlaps} has the rule for records in place of
 * others a second time, and {@link SharingCheck} compares the users of each byte with a graph.
 */
package dev.stowage.plan.check;
