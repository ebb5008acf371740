/**
 * Plans that are updated after changes of lifetimes, and orders of operators.
 *
 * <p>{@link dev.stowage.plan.incremental.IncrementalPlan} changes the lifetimes of records; {@link
 * dev.stowage.plan.incremental.OperatorOrder} moves operators, from whose order the lifetimes
 * follow.
 */
package dev.stowage.plan.incremental;
