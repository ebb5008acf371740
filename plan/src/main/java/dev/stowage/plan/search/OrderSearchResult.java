package dev.stowage.plan.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import java.util.List;

/**
 * The best order of operators that a search found, and its plan.
 *
 * @param operators the operators in their order, by their indices in the graph
 * @param problem the records with the lifetimes of this order
 * @param assignment the plan
 * @param lowerBoundBytes a proved lower bound: no order has a smaller load, and no plan is smaller
 * @param end the reason that the search ended; {@link SearchEnd#OPTIMAL} if no order has a smaller
 *     plan
 */
public record OrderSearchResult(
    List<Integer> operators,
    PlanProblem problem,
    OffsetsAssignment assignment,
    long lowerBoundBytes,
    SearchEnd end) {

  /** Creates a result. */
  public OrderSearchResult {
    operators = List.copyOf(operators);
  }
}
