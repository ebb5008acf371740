/** Budgets of native memory: predictions for models, and measurements in processes of their own. */
package dev.stowage.cli.budget;
