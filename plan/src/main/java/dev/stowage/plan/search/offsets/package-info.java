/**
 * The searches for the smallest arena of a partition of a problem.
 *
 * <p>Tasks that no record crosses divide a problem into partitions. {@link PartitionSearches}
 * starts with the highest ones, and searches as many at a time as memory permits. Each is one of
 * two:
 *
 * <ul>
 *   <li>{@link ExactPartitionSearch}, for up to 4,000 records: rounds of {@link RestartedSearch}es,
 *       each a {@link PlacementSearch} over a {@link Partition}. {@link RecordPriority} orders the
 *       records by the weights that {@link SectionWeights} learned from failures. {@link
 *       PartialPlacement} bounds only the sections and offsets that a placement changed. {@link
 *       RecordGroups} has the records that may change places in a stack, so that the search omits
 *       equivalent plans. {@link FailedStates} remembers states without a plan, for later runs as
 *       well. Problems with windows also have a {@link PairSearch}.
 *   <li>{@link LargePartitionSearch}: it places the records in different orders, and repairs plans.
 *       {@link ZoneRepair} searches ranges of tasks exhaustively. {@link EjectionRepair} moves the
 *       records above a capacity below it, and ejects others.
 * </ul>
 *
 * <p>For 1,500 to 4,000 records, a {@link CombinedPartitionSearch} runs both.
 *
 * <p>The first lower bound is the load, or the {@link PaddedLoad} of records with different
 * alignments. In a placement, {@link ReleasedBytes} bounds each section like one machine with
 * release dates. That bound, restarts after Luby's sequence and the repair of ranges were better
 * than simpler alternatives in measurements. Two ideas were rejected: a hill climb over random
 * neighbourhoods seldom found a better plan, and runs guided by the offsets of the best plan found
 * none more often than runs without a guide.
 *
 * <p>{@link PlacementSearch} keeps its frames on the heap, because a call for each placed record
 * does not fit on the stack of a usual thread. {@link SearchWorkers} is the only class of the
 * planner that starts threads.
 */
package dev.stowage.plan.search.offsets;
