package dev.stowage.cli.input;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.incremental.OperatorGraph;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A model with operators that can run in other orders. */
public interface OrderedModel {

  /**
   * {@return the records that {@link #operators} read and write, for a search over orders}
   *
   * <p>None of them is in place of another, because such pairs depend on the order.
   */
  PlanProblem problem();

  /** {@return the operators in the order of the file, and the records that they read and write} */
  OperatorGraph operators();

  /**
   * A graph of the operators with other records. Its best order may be better.
   *
   * @param problem the records; none of them is in place of another
   */
  record Graph(PlanProblem problem, OperatorGraph operators) {}

  /** {@return further graphs to search} */
  default List<Graph> furtherGraphs() {
    return List.of();
  }

  /**
   * {@return true if the lower bound of a search with {@link #problem} also holds for plans with
   * records in place of others}
   */
  default boolean isBoundOfPairs() {
    return false;
  }

  /**
   * {@return the records to plan if the operators run in another order; empty to plan the records
   * of the search}
   *
   * @param operators the operators in their order, by their indices in {@link #operators}
   * @throws IOException if the model cannot be read again
   */
  Optional<PlanProblem> inOrder(List<Integer> operators) throws IOException;
}
