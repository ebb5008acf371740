/**
 * Plans the memory of tensors in several memories, such as a small fast one and a large slow one.
 *
 * <p>A {@linkplain BankedProblem problem} has records and an ordered list of {@linkplain MemoryBank
 * banks}. A plan assigns to each record a bank and an offset in it. The cost of a plan is the
 * number of bytes that the tasks write and read, multiplied by the costs of their banks:
 *
 * {@snippet :
 * var banks =
 *     List.of(
 *         MemoryBank.of("sram", 512 << 10).withAlignment(16),
 *         MemoryBank.of("dram", 8 << 20).withCost(10));
 * BankPlanner.plan(BankedProblem.of(problem, banks), SearchOptions.defaults())
 *     .ifPresent(plan -> plan.cost());
 * }
 */
package dev.stowage.plan.banks;
