/**
 * The measured memory of a service, as data.
 *
 * <p>A {@link ModelBudget} has samples of services and of single runs, and {@link BudgetText}
 * writes and reads them. The module depends only on {@code dev.stowage.plan}, so that a service can
 * evaluate a budget without further jars.
 */
package dev.stowage.budget;
