/**
 * Plans that are updated after changes of lifetimes, and orders of operators.
 *
 * <p>{@link dev.stowage.core.plan.incremental.IncrementalPlan} changes the lifetimes of records;
 * {@link dev.stowage.core.plan.incremental.OperatorOrder} moves operators, from whose order the
 * lifetimes follow.
 */
package dev.stowage.core.plan.incremental;
