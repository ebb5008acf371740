/**
 * The planner for several banks, and the check of its plans.
 *
 * <p>A {@link BankFiller} fills the banks in each {@link BankOrder}. The {@link BankedPlanner}
 * keeps the cheapest plan, and searches in each bank.
 */
package dev.stowage.plan.banks.search;
