/**
 * Budgets of native memory as functions of dimensions, sessions and threads.
 *
 * <p>A {@link ModelBudget} has parts. Each {@link BudgetPart} has a unit (process, session, further
 * session, thread), a phase (always, loading, running) and {@link PartBytes}: an expression, or
 * samples that are interpolated. {@link ProfileText} writes a budget as text, and {@link
 * ProfileParser} reads it.
 *
 * <p>The module depends only on {@code dev.stowage.plan}, so that a service can evaluate a profile
 * without further jars.
 */
package dev.stowage.budget;
