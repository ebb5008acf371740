/**
 * The strategies for several banks, and the check of their plans.
 *
 * <h2>For maintainers</h2>
 *
 * <p>{@link BankRelaxation} bounds the cost: a {@link BankLevel} for each number of cheapest banks
 * is a minimum-cost flow over the tasks ({@link IntervalFlow}), whose prices also exclude banks of
 * single records. A {@link BankSweep} finds the cheapest banks by live bytes, from task to task.
 * {@link BankSweeps} places the result with a search for offsets ({@link BankPlacements}), and adds
 * sets of records that do not fit together to the {@link NoGoods}, which the next sweep avoids. If
 * too many records are live at the same time, {@link BankBranching} continues with the relaxation
 * alone. {@link BankRounding} and {@link BankExchange} make plans for problems of any size. If the
 * costs are too large for the relaxation, the search divides and rounds them down, so that its
 * bound still holds.
 */
package dev.stowage.plan.banks.search;
