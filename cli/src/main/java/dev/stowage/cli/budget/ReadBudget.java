package dev.stowage.cli.budget;

import dev.stowage.core.budget.ModelBudget;
import dev.stowage.core.plan.shapes.ShapeLayout;
import java.util.List;
import java.util.Optional;

/** A budget, with Stowage's plan for the intermediate tensors of all shapes. */
record ReadBudget(
    ModelBudget budget, Optional<ShapeLayout> layout, List<BudgetReport.Evidence> evidence) {}
