package dev.stowage.cli.budget;

import dev.stowage.budget.ModelBudget;
import dev.stowage.budget.SampleAxis;
import java.util.List;

/**
 * A budget, with the shapes at which it was computed.
 *
 * @param axes the points of the dimensions with several sizes
 * @param evidence the statements on parts of the budget
 * @param hasVariants true if the engine orders the operators differently from session to session
 */
record PlannedBudget(
    ModelBudget budget,
    List<SampleAxis> axes,
    List<BudgetReport.Evidence> evidence,
    boolean hasVariants) {}
