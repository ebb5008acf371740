package dev.stowage.cli.rewrite;

import dev.stowage.cli.plan.OrderComparison;
import java.util.List;

/**
 * A copy of an ONNX model whose operators may have another order.
 *
 * @param input the model as on the command line
 * @param output the copy
 * @param order the order of the model and that of the copy
 * @param notes sentences for the user
 */
public record OnnxRewriteReport(
    String input, String output, OrderComparison order, List<String> notes) {

  public OnnxRewriteReport {
    notes = List.copyOf(notes);
  }
}
