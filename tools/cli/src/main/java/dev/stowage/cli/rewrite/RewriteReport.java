package dev.stowage.cli.rewrite;

import dev.stowage.cli.input.MicroMemory;
import java.util.List;

/**
 * A rewritten model and its memory.
 *
 * @param memory the memory of the model, with its kernels
 * @param before the model
 * @param after the copy
 * @param isPlanWritten true if the copy has a new plan; if not, it equals the model
 * @param isReordered true if the copy has another order of the operators
 * @param plannedBytes the head that the offsets of the copy's plan need
 * @param lowerBoundBytes the proved lower bound of all plans; with a search for an order, of all
 *     plans of all orders
 * @param notes sentences for the user
 */
public record RewriteReport(
    MicroMemory memory,
    Copy before,
    Copy after,
    boolean isPlanWritten,
    boolean isReordered,
    long plannedBytes,
    long lowerBoundBytes,
    List<String> notes) {

  public RewriteReport {
    notes = List.copyOf(notes);
  }

  /**
   * The model or its copy.
   *
   * @param path the file as on the command line
   * @param size the memory that the interpreter needs for it
   * @param fileBytes the size of the file
   * @param headBytes the head of the arena, with the scratch buffers that are known
   * @param load the load of its order of operators
   */
  public record Copy(
      String path, MicroMemory.Size size, long fileBytes, long headBytes, long load) {}
}
