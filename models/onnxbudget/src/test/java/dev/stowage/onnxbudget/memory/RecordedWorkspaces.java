package dev.stowage.onnxbudget.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.onnx.graph.GraphNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The workspaces that the operators of a recorded run requested. */
final class RecordedWorkspaces {

  private RecordedWorkspaces() {}

  /** {@return the workspaces, for predictions of everything but them} */
  static WorkspaceCalibration of(
      OptimizedModel model, Map<String, Long> dimensions, RecordedRuns runs) throws Exception {
    assertThat(runs.operators()).hasSameSizeAs(model.graph().nodes());
    SizedGraph sized = model.sized(dimensions);
    List<OperatorWorkspace> measured = new ArrayList<>();
    for (GraphNode node : model.graph().nodes()) {
      List<Long> buffers = RunPrediction.workspace(runs.operators().get(node.task()));
      // A measurement without workspace replaces the rule or the note of an operator.
      KernelOperands operands = new KernelOperands(node, sized);
      if (!buffers.isEmpty()
          || KernelWorkspace.mayBeUnknown(operands)
          || KernelWorkspace.of(operands, model.settings().threads()).isPresent()) {
        measured.add(sized.measured(node, buffers));
      }
    }
    return WorkspaceCalibration.of(measured);
  }
}
