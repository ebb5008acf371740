/**
 * Reasons for the size of plans: the live bytes, and records that do not fit into a capacity.
 *
 * <p>{@link CapacityConflict} names a few records that provably do not fit together. {@link
 * ConflictFinder} tries simple reasons before it searches. {@link LoadPeak} has the tasks with the
 * most live bytes.
 */
package dev.stowage.plan.explain;
