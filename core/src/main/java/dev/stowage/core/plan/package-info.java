/**
 * Plans the memory of tensors before a model runs.
 *
 * <p>A {@linkplain dev.stowage.core.plan.TensorUsageRecord usage record} says how many bytes a
 * tensor needs and during which tasks. A {@linkplain dev.stowage.core.plan.MemoryStrategy strategy}
 * turns records into an {@linkplain dev.stowage.core.plan.OffsetsAssignment offset each} in one
 * tensor arena, or a {@linkplain dev.stowage.core.plan.ObjectsAssignment shared object each}:
 *
 * {@snippet :
 * var problem =
 *     PlanProblem.of(
 *         List.of(
 *             TensorUsageRecord.of(1024, 0, 1), // 1 KiB from task 0 to task 1
 *             TensorUsageRecord.of(4096, 1, 2),
 *             TensorUsageRecord.of(1024, 2, 3)));
 * OffsetsAssignment plan = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem);
 * plan.totalBytes(); // 5120, where three buffers of their own would take 6144
 * plan.offset(2); // 4096: the third tensor takes the place of the first
 * }
 *
 * <p>Bytes, offsets and tasks are {@code long}. Both ends of a lifetime are inclusive. Everything
 * here is deterministic, and safe to use from many threads at once: values are immutable, and
 * strategies keep no state.
 */
package dev.stowage.core.plan;
