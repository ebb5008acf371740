package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.core.MalformedFileException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * An operator of a graph.
 *
 * @param task its place in the order of execution
 * @param proto what the file has of it
 * @param reads the values that it reads, and those of the graph that its bodies read; each once
 * @param writes the values that it makes
 */
public record GraphNode(int task, NodeProto proto, List<Integer> reads, List<Integer> writes) {

  /** Those whose result is their first input in another shape. */
  private static final Set<String> VIEWS =
      Set.of("Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity");

  private static final Set<String> RANDOM =
      Set.of(
          "Bernoulli",
          "Multinomial",
          "RandomNormal",
          "RandomNormalLike",
          "RandomUniform",
          "RandomUniformLike");

  /** A node with lists of its own. */
  public GraphNode {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
  }

  /** {@return whether its result has the bytes of its first input} */
  public boolean isView() {
    return isStandard(proto) && VIEWS.contains(proto.getOpType()) && writes.size() == 1;
  }

  /** {@return whether its result stands in the file, and it needs no run} */
  public boolean isConstant() {
    return isConstant(proto);
  }

  /** {@return true if its results may be random} */
  public boolean mayBeRandom() {
    // A dropout drops in training alone, which its third input says.
    boolean mayDrop = proto.getOpType().equals("Dropout") && proto.getInputCount() == 3;
    return isRandom(proto) || (isStandard() && mayDrop);
  }

  /** {@return whether it is of the standard's own operators} */
  public boolean isStandard() {
    return isStandard(proto);
  }

  private static boolean isStandard(NodeProto proto) {
    return proto.getDomain().isEmpty() || proto.getDomain().equals("ai.onnx");
  }

  /** {@return whether an operator is a constant by itself} */
  static boolean isConstant(NodeProto proto) {
    return isStandard(proto) && proto.getOpType().equals("Constant");
  }

  /** {@return whether an operator's results differ from run to run, whatever it reads} */
  static boolean isRandom(NodeProto proto) {
    return isStandard(proto) && RANDOM.contains(proto.getOpType());
  }

  /** {@return how messages name it, such as {@code operator 3 (Conv 'conv1')}} */
  @Override
  public String toString() {
    return describe(task, proto);
  }

  static String describe(int task, NodeProto proto) {
    String name =
        proto.getName().isEmpty()
            ? ""
            : " '" + MalformedFileException.excerpt(proto.getName()) + "'";
    return String.format(
        Locale.ROOT,
        "operator %d (%s%s)",
        task,
        MalformedFileException.excerpt(proto.getOpType()),
        name);
  }
}
