/**
 * Plans that are updated after changes of lifetimes, and orders of operators.
 *
 * <p>{@link dev.stowage.plan.incremental.IncrementalPlan} changes the lifetimes of records; {@link
 * dev.stowage.plan.incremental.OperatorOrder} moves operators, and computes the lifetimes from
 * their order.
 *
 * <h2>For maintainers</h2>
 *
 * <p>Searches that try thousands of orders of operators a second need the load and the offsets of
 * {@code GREEDY_BY_SIZE} after each change. An {@code IncrementalPlan} computes an offset again
 * only if an earlier overlapping record has moved, or is new or gone. It does so when the caller
 * requests an offset, once for all changes since the last request. A checkpoint is a copy of
 * lifetimes and offsets.
 */
package dev.stowage.plan.incremental;
