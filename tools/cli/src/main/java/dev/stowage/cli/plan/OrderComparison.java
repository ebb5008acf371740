package dev.stowage.cli.plan;

import dev.stowage.cli.text.Numbers;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.search.SearchEnd;
import java.util.List;
import java.util.Locale;

/**
 * The order of the operators in a file and the best order that a search found.
 *
 * @param loadBefore the load of the order of the file
 * @param loadAfter the load of the best order
 * @param bytesBefore the bytes of the best plan of the order of the file
 * @param lowerBoundBytes the proved lower bound of the plans of all orders
 * @param operators the operators in the best order, by their indices in the order of the file;
 *     empty if it is that of the file
 * @param assignment the best plan of the best order
 * @param end the reason that the search for an order ended
 * @param isInterrupted true if a signal ended the search
 */
public record OrderComparison(
    long loadBefore,
    long loadAfter,
    long bytesBefore,
    long lowerBoundBytes,
    List<Integer> operators,
    OffsetsAssignment assignment,
    SearchEnd end,
    boolean isInterrupted) {

  /** Creates a comparison. */
  public OrderComparison {
    operators = List.copyOf(operators);
  }

  /** {@return the bytes of the best plan of the best order, at most those of the file's order} */
  public long bytesAfter() {
    return assignment.totalBytes();
  }

  /** {@return true if the best order is not that of the file} */
  public boolean isReordered() {
    return !operators.isEmpty();
  }

  /** {@return true if it is proved that no order has a smaller load} */
  public boolean isLoadProved() {
    return loadAfter == lowerBoundBytes;
  }

  /** {@return true if it is proved that no plan of any order is smaller} */
  public boolean isOptimal() {
    return bytesAfter() == lowerBoundBytes;
  }

  /** {@return true if a signal ended the search before it was proved that no plan is smaller} */
  public boolean isCut() {
    return isInterrupted && !isOptimal();
  }

  /** {@return a sentence on the result} */
  public String sentence() {
    String result =
        isReordered()
            ? String.format(
                Locale.ROOT,
                "another order of the operators needs %s instead of %s (load %s instead of %s)",
                Numbers.count(bytesAfter(), "byte"),
                Numbers.grouped(bytesBefore),
                Numbers.grouped(loadAfter),
                Numbers.grouped(loadBefore))
            : String.format(
                Locale.ROOT,
                "no better order of the operators was found: that of the file needs %s (load %s)",
                Numbers.count(bytesAfter(), "byte"),
                Numbers.grouped(loadAfter));
    return (isCut() ? "interrupted: " : "") + result + proof();
  }

  private String proof() {
    if (isOptimal()) {
      return "; no plan of any order needs less (proved)";
    }
    return String.format(
        Locale.ROOT,
        "; %s, and a plan of any order needs at least %s%s",
        isLoadProved()
            ? "no order has a smaller load (proved)"
            : "it is not proved that no order is better",
        Numbers.count(lowerBoundBytes, "byte"),
        switch (end) {
          case TIME_LIMIT -> "; the search reached its time limit";
          case CANCELLED -> "; a signal ended the search";
          default -> "";
        });
  }
}
