/**
 * Ranks of tasks, and quantities computed over all tasks, such as the load.
 *
 * <p>{@link TaskRanks} numbers the first tasks of records. All structures use these ranks, so that
 * they depend on the number of records and not on the number of tasks. {@link TaskLoad} subtracts
 * {@link InPlaceSavings}, so that all bounds and explanations respect records in place of others.
 * {@link PositionalMaximums} adds the records in descending size, instead of sorting a profile for
 * every task.
 */
package dev.stowage.plan.time;
