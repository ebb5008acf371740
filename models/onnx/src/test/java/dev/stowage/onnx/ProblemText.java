package dev.stowage.onnx;

import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;

/** The text of a problem in tests. */
final class ProblemText {

  private ProblemText() {}

  /**
   * {@return a line for each record: {@code name: 16 bytes, 0..1}, with the views that share it}
   */
  static List<String> of(OnnxProblem problem) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < problem.tensors().size(); i++) {
      TensorUsageRecord record = problem.problem().records().get(i);
      PlannedTensor tensor = problem.tensors().get(i);
      List<String> names = tensor.views().stream().map(PlannedTensor.View::name).toList();
      String views = names.isEmpty() ? "" : " + " + names;
      lines.add(
          "%s%s: %s bytes, %s..%s"
              .formatted(
                  tensor.name(), views, record.bytes(), record.firstTask(), record.lastTask()));
    }
    return lines;
  }

  /** {@return the names of the tensors of records} */
  static List<String> names(List<PlannedTensor> tensors) {
    return tensors.stream().map(PlannedTensor::name).toList();
  }
}
