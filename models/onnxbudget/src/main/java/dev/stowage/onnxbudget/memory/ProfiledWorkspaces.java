package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.GraphProto;
import dev.stowage.onnx.engine.ProfiledModel;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.onnx.profile.NodeStatistics;
import dev.stowage.onnx.profile.ProfiledGraph;
import dev.stowage.onnx.profile.ProfiledGraph.Found;
import dev.stowage.onnx.profile.ProfiledRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The workspaces of operators without a rule, from a profile.
 *
 * <p>A profile has no workspaces, but limits. A kernel had at most the difference of the arena's
 * peak and the bytes in use after it. It also had at most the sum of its requests in the node
 * memory statistics, if there are some. The smaller limit counts.
 *
 * @param original the graph of the file
 * @param graph the optimized graph
 * @param settings the options of the session
 */
record ProfiledWorkspaces(GraphProto original, ModelGraph graph, EngineSettings settings) {

  /** {@return the workspaces in a profile; none of a session with another number of threads} */
  WorkspaceCalibration of(ProfiledModel model) {
    if (model.profile().threads() != settings.threads()) {
      return WorkspaceCalibration.none();
    }
    ProfiledGraph named = ProfiledGraph.of(original, graph.model().getGraph());
    List<OperatorWorkspace> workspaces = new ArrayList<>();
    for (ProfiledRun run : model.profile().runs()) {
      Map<String, Found> found = new HashMap<>();
      Map<String, ValueType> types = new HashMap<>();
      for (ProfiledRun.Operator operator : run.operators()) {
        Optional<Found> node = named.find(operator);
        if (node.isPresent() && !node.get().isBlocked()) {
          found.put(node.get().node().getOutput(0), node.get());
          types.putAll(named.types(node.get()));
        }
      }
      SizedGraph sized = new SizedGraph(graph, types, settings);
      for (GraphNode node : graph.nodes()) {
        node.proto().getOutputList().stream()
            .findFirst()
            .map(found::get)
            .flatMap(ran -> workspace(node, ran, sized, model.statistics()))
            .ifPresent(workspaces::add);
      }
    }
    return WorkspaceCalibration.of(workspaces);
  }

  private Optional<OperatorWorkspace> workspace(
      GraphNode node, Found found, SizedGraph sized, NodeStatistics statistics) {
    KernelOperands operands = new KernelOperands(node, sized);
    if (KernelWorkspace.of(operands, settings.threads()).isPresent()) {
      return Optional.empty();
    }
    OptionalLong requested =
        statistics.requestedBytes(
            node.proto().getName().isEmpty() ? node.proto().getOpType() : node.proto().getName());
    OptionalLong free = found.operator().workspaceLimit();
    boolean isRequesting =
        requested.isPresent()
            ? requested.getAsLong() > 0
            : KernelWorkspace.mayBeUnknown(operands) && free.isPresent();
    if (!isRequesting && (requested.isEmpty() || !KernelWorkspace.mayBeUnknown(operands))) {
      return Optional.empty();
    }
    long limit = Math.min(requested.orElse(Long.MAX_VALUE), free.orElse(Long.MAX_VALUE));
    return Optional.of(sized.measured(node, limit > 0 ? List.of(limit) : List.of()));
  }
}
