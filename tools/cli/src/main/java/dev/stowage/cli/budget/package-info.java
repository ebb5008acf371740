/**
 * Measures the memory of services: {@link BudgetRunner} starts a {@link MeasuredProcess} for each
 * load, and a {@link BudgetReport} has the {@link MeasuredSteps}.
 */
package dev.stowage.cli.budget;
