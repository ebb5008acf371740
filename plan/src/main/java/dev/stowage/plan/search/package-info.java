/**
 * Searches for the smallest arena, the smallest shared objects and the best order of operators.
 *
 * <p>{@link OffsetsSearch}, {@link ObjectsSearch} and {@link OrderSearch} return the best plan that
 * they find, and a proved lower bound. The same problem has the same result on every machine and
 * for any number of threads, unless time, a cancellation or an interrupt ends the search.
 *
 * <h2>For maintainers</h2>
 *
 * <ul>
 *   <li>{@link OffsetsSearch} starts from {@link QuickPlans}: the plans of all strategies, fits in
 *       further orders, and shared objects that are laid out in an arena. For tensors of nearly
 *       equal sizes, such an arena can be 8 % smaller. Then it searches the partitions of the
 *       problem ({@code search.offsets}).
 *   <li>{@link InPlaceSearch} decides, for each pair of records in place, whether a plan uses it.
 *       It is a branch and bound over ordinary problems ({@link InPlaceForm}). An open pair needs
 *       no memory for its second record at the common task. This is a relaxation: the form has all
 *       plans of the problem, so that its lower bound holds.
 *   <li>{@link ObjectsSearch} starts from the objects of the strategies and runs {@link
 *       LifetimeObjects}, or {@link ConflictObjects} with a graph.
 *   <li>{@link OrderSearch} finds the smallest load of all orders ({@code search.orders}) and plans
 *       it. If the plan is larger than the load, it moves single operators.
 *   <li>A search runs in the thread of its caller, and starts others only if {@link
 *       SearchOptions#threads} is above 1. The results of a round are merged in the order of its
 *       searches, so that the number of threads does not change the plan.
 *   <li>{@link SearchLimit} reads the clock. Long loops count their steps in a {@code
 *       base.StepCounter}, which checks from time to time whether to stop.
 *   <li>{@link dev.stowage.plan.greedy.StartPlanners} lists the strategies that searches start
 *       from: no strategy that finishes in time has a better plan than the search.
 * </ul>
 */
package dev.stowage.plan.search;
