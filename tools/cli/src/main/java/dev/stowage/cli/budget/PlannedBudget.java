package dev.stowage.cli.budget;

import dev.stowage.budget.ModelBudget;
import dev.stowage.budget.SampleAxis;
import dev.stowage.plan.shapes.ShapeLayout;
import java.util.List;
import java.util.Optional;

/**
 * A budget, with Stowage's plan for the intermediate tensors of all shapes.
 *
 * @param axes the points of the dimensions with several sizes
 * @param layout the plan, if the sizes of tensors are known
 * @param evidence the statements on parts of the budget
 * @param hasVariants true if the engine orders the operators differently from session to session
 */
record PlannedBudget(
    ModelBudget budget,
    List<SampleAxis> axes,
    Optional<ShapeLayout> layout,
    List<BudgetReport.Evidence> evidence,
    boolean hasVariants) {}
