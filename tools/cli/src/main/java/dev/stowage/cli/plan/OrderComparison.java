package dev.stowage.cli.plan;

import dev.stowage.plan.OffsetsAssignment;
import java.util.List;

/**
 * The order of the operators in a file and the best order that a search found.
 *
 * @param before the order of the file
 * @param after the best order
 * @param found the best order of the search, also if its plan is not smaller than the plan of the
 *     file's order
 * @param lowerBoundBytes the proved lower bound of the plans of all orders
 * @param isInterrupted true if a signal ended the search
 */
public record OrderComparison(
    FileOrder before, BestOrder after, BestOrder found, long lowerBoundBytes, boolean isInterrupted)
    implements PlanPart {

  /**
   * The order of the file.
   *
   * @param load its load
   * @param bytes the bytes of its best plan
   */
  public record FileOrder(long load, long bytes) {}

  /**
   * The best order that was found.
   *
   * @param operators the operators, by their indices in the order of the file; empty for the order
   *     of the file
   * @param load its load
   * @param assignment its best plan
   */
  public record BestOrder(List<Integer> operators, long load, OffsetsAssignment assignment) {

    public BestOrder {
      operators = List.copyOf(operators);
    }

    /** {@return the bytes of its best plan} */
    public long bytes() {
      return assignment.totalBytes();
    }
  }

  /** {@return true if the best order differs from the order of the file} */
  public boolean isReordered() {
    return !after.operators().isEmpty();
  }

  /** {@return true if it is proved that no order has a smaller load} */
  public boolean isLoadProved() {
    return after.load() == lowerBoundBytes;
  }

  /** {@return true if it is proved that no plan of any order is smaller} */
  public boolean isOptimal() {
    return after.bytes() == lowerBoundBytes;
  }

  /** {@return true if a signal ended the search before it was proved that no plan is smaller} */
  public boolean isCut() {
    return isInterrupted && !isOptimal();
  }
}
