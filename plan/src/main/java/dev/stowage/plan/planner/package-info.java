/**
 * The interfaces of the algorithms of strategies.
 *
 * <p>A planner has no state. {@link MemoryPlanner} names it and prepares each problem for it.
 */
package dev.stowage.plan.planner;
