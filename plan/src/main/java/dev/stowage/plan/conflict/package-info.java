/**
 * The pairs of records that must not share memory, for problems with a {@link
 * dev.stowage.plan.ReuseGraph}.
 *
 * <p>{@link Conflicts} has the pairs. {@link ConflictForm} turns them into ordinary problems
 * without a graph. In one form, records have longer lifetimes: strategies that use only lifetimes
 * plan it. In the other form, each of some {@link ConflictCliques} is a task. It has exactly the
 * offsets plans of the problem, so that the search for offsets searches and proves as usual. If
 * this form would be too large, {@code search.ConflictPlans} plans the longer lifetimes and the
 * pairs themselves.
 */
package dev.stowage.plan.conflict;
