/**
 * The interfaces of planners. Implement one of them to add an algorithm.
 *
 * <p>A planner has no state. {@link MemoryPlanner} names it and prepares each problem for it.
 * {@code MemoryPlanner.of(name, planner)} also accepts planners of users, whose plans a search
 * takes as a start ({@code OffsetsSearch.offer}).
 */
package dev.stowage.plan.spi;
