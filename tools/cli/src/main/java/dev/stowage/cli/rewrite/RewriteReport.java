package dev.stowage.cli.rewrite;

import dev.stowage.cli.input.MicroMemory;
import java.util.List;

/**
 * A rewritten model and its memory.
 *
 * @param input the model as on the command line
 * @param output the copy
 * @param isPlanWritten true if the copy has a new plan; if not, it equals the model
 * @param before the model
 * @param after the copy
 * @param arena the head of the arena
 * @param order the order of the operators
 * @param notes sentences for the user
 */
public record RewriteReport(
    String input,
    String output,
    boolean isPlanWritten,
    Copy before,
    Copy after,
    Arena arena,
    Order order,
    List<String> notes) {

  public RewriteReport {
    notes = List.copyOf(notes);
  }

  /**
   * The model or its copy.
   *
   * @param size the memory that the interpreter needs for it
   * @param fileBytes the size of the file
   */
  public record Copy(MicroMemory.Size size, long fileBytes) {}

  /**
   * The bytes of the head of the arena.
   *
   * @param fileBytes the head with the model as it was: with its own plan, or as TensorFlow Lite
   *     Micro plans it
   * @param plannedBytes the head that the offsets of the copy's plan need
   * @param headBytes the head with the copy, including the buffers that are placed at run time
   * @param lowerBoundBytes the proved lower bound of all plans; with a search for an order, of all
   *     plans of all orders
   * @param variableBytes the bytes of variables, which are in the tail
   */
  public record Arena(
      long fileBytes, long plannedBytes, long headBytes, long lowerBoundBytes, long variableBytes) {

    /** {@return true if it is proved that no plan needs less} */
    public boolean isOptimal() {
      return headBytes == lowerBoundBytes;
    }
  }

  /**
   * The order of the operators.
   *
   * @param isChanged true if the copy has another order
   * @param loadBefore the load of the model
   * @param loadAfter the load of the copy
   */
  public record Order(boolean isChanged, long loadBefore, long loadAfter) {}
}
