/**
 * Plans the memory of tensors before a model runs.
 *
 * <p>A {@linkplain dev.stowage.plan.TensorUsageRecord usage record} contains the size of a tensor,
 * its first task and its last task. A {@linkplain dev.stowage.plan.strategy.MemoryStrategy
 * strategy} assigns to each record an {@linkplain dev.stowage.plan.OffsetsAssignment offset} in one
 * tensor arena, or a {@linkplain dev.stowage.plan.ObjectsAssignment shared object}:
 *
 * {@snippet :
 * var problem =
 *     PlanProblem.of(
 *         List.of(
 *             TensorUsageRecord.of(1024, 0, 1), // 1 KiB from task 0 to task 1
 *             TensorUsageRecord.of(4096, 1, 2),
 *             TensorUsageRecord.of(1024, 2, 3)));
 * OffsetsAssignment plan = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
 * plan.totalBytes(); // 5120; three separate buffers would take 6144
 * plan.offset(2); // 4096: the third tensor reuses the memory of the first
 * }
 *
 * <p>Bytes, offsets and tasks are {@code long}. Both ends of a lifetime are inclusive. Values are
 * immutable and strategies have no state, so all classes may be used by several threads at once.
 * The same problem always has the same plan, except for searches with a time limit.
 *
 * <h2>For maintainers</h2>
 *
 * <ul>
 *   <li>A usage record has its constraints in one field, {@link PlacementConstraints}: alignment,
 *       pin, hint and gaps. A list of constraints beside the records would separate the two, and
 *       every strategy needs both.
 *   <li>Tasks are {@code long}, like bytes: times in published problems are often nanoseconds
 *       instead of indices of operators.
 *   <li>Records may be in place of others ({@link PlanProblem#inPlace}): such a record may lie at
 *       the offset of a record that ends at its first task, and share its bytes there. Only offsets
 *       use this permission.
 *   <li>No class starts a thread or reads a file, except for the threads of {@code
 *       search.offsets.SearchWorkers}. The test {@code House} lists the classes that read a clock,
 *       and the packages that may use each other.
 * </ul>
 */
package dev.stowage.plan;
