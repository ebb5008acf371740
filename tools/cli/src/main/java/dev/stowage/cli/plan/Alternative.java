package dev.stowage.cli.plan;

import dev.stowage.cli.input.OrderedModel;
import dev.stowage.plan.PlanProblem;
import java.io.IOException;

/**
 * An input as it would be with another choice of an option.
 *
 * @param option the option, such as {@code --alias}
 * @param isUsed true if the user chose the option, and this is the input without it
 * @param source the records
 */
public record Alternative(String option, boolean isUsed, Source source) {

  /** A source of records. It reads them when they are needed. */
  public interface Source {

    /**
     * {@return the records}
     *
     * @throws IOException if the file cannot be read again
     */
    Content read() throws IOException;
  }

  /** The records of an alternative. */
  public sealed interface Content {}

  /**
   * Records with known lifetimes.
   *
   * @param problem the records
   */
  public record Records(PlanProblem problem) implements Content {}

  /** Records with lifetimes that follow from the order of the operators. */
  public record Orders(OrderedModel model) implements Content {}
}
