package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import com.google.protobuf.ByteString;
import dev.stowage.onnx.graph.DimensionSize;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The fusion of convolutions without blocks with the sum that reads their result, and with the
 * function after the sum, by the rules of ONNX Runtime 1.29.
 */
final class AddedConvolutions {

  private static final Set<String> FUNCTIONS =
      Set.of("HardSigmoid", "LeakyRelu", "Relu", "Sigmoid", "Tanh");

  private static final int INPUTS_WITH_BIAS = 3;

  private final LayoutGraph graph;

  AddedConvolutions(LayoutGraph graph) {
    this.graph = graph;
  }

  void fuse() {
    int count = graph.count();
    for (int i = 0; i < count; i++) {
      if (!graph.isRemoved(i) && isConvolution(i)) {
        loneReader(i).filter(reader -> isOperator(reader, "Add")).ifPresent(this::fuseInto);
      }
    }
  }

  private boolean isOperator(int index, String type) {
    NodeProto.Builder node = graph.node(index);
    return ChannelBlocks.isStandard(node) && node.getOpType().equals(type);
  }

  private boolean isConvolution(int index) {
    return isOperator(index, "Conv") && graph.isFloat(graph.node(index).getInput(0));
  }

  /** {@return the only operator that reads the result of an operator, if there is one} */
  private Optional<Integer> loneReader(int index) {
    String result = graph.node(index).getOutput(0);
    List<Integer> readers = graph.readers(result);
    return readers.size() == 1 && !graph.isOutput(result) && !graph.isRemoved(readers.getFirst())
        ? Optional.of(readers.getFirst())
        : Optional.empty();
  }

  private void fuseInto(int add) {
    NodeProto.Builder sum = graph.node(add);
    if (sum.getInputCount() != 2 || !haveSameShape(sum.getInput(0), sum.getInput(1))) {
      return;
    }
    for (int place = 0; place < 2; place++) {
      Optional<Integer> producer = graph.producer(sum.getInput(place));
      if (producer.isPresent()
          && !graph.isRemoved(producer.get())
          && isConvolution(producer.get())
          && graph.node(producer.get()).getInputCount() == INPUTS_WITH_BIAS
          && graph.readers(sum.getInput(place)).size() == 1) {
        fuse(producer.get(), add, sum.getInput(1 - place));
        return;
      }
    }
  }

  private void fuse(int convolution, int add, String added) {
    NodeProto.Builder fused =
        graph.node(convolution).clone().setOpType("FusedConv").setDomain("com.microsoft");
    fused.addInput(added);
    Optional<Integer> function =
        loneReader(add)
            .filter(reader ->
                FUNCTIONS.stream().anyMatch(type -> isOperator(reader, type)) || isClip(reader));
    int last = function.orElse(add);
    if (function.isPresent()) {
      fused.addAttribute(
          AttributeProto.newBuilder()
              .setName("activation")
              .setType(AttributeProto.AttributeType.STRING)
              .setS(ByteString.copyFromUtf8(graph.node(last).getOpType())));
    }
    fused.setOutput(0, graph.node(last).getOutput(0));
    graph.add(fused);
    graph.remove(convolution);
    graph.remove(add);
    graph.remove(last);
  }

  private boolean isClip(int index) {
    return isOperator(index, "Clip")
        && graph.node(index).getInputList().stream()
            .skip(1)
            .allMatch(bound -> bound.isEmpty() || graph.constant(bound).isPresent());
  }

  private boolean haveSameShape(String one, String other) {
    Optional<List<DimensionSize>> shape = graph.shape(one);
    return shape.isPresent()
        && shape.equals(graph.shape(other))
        && shape.get().size() == BlockedShape.DIMENSIONS
        && shape.get().stream()
            .noneMatch(size ->
                size instanceof DimensionSize.Unnamed || size.equals(new DimensionSize.Known(0)));
  }
}
