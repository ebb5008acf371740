package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.plan.MalformedFileException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * An operator of a graph.
 *
 * @param task the index in the order of execution
 * @param proto the operator in the file
 * @param reads the values of the graph that the operator and its bodies read, each once
 * @param writes the values that the operator computes
 */
public record GraphNode(int task, NodeProto proto, List<Integer> reads, List<Integer> writes) {

  /** The operators that return the bytes of the first input in another shape. */
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

  /** Creates an operator. */
  public GraphNode {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
  }

  /** {@return true if the result has the bytes of the first input} */
  public boolean isView() {
    return isStandard(proto) && VIEWS.contains(proto.getOpType()) && writes.size() == 1;
  }

  /** {@return true if the file contains the result} */
  public boolean isConstant() {
    return isConstant(proto);
  }

  /** {@return true if its results may be random} */
  public boolean mayBeRandom() {
    return mayBeRandom(proto);
  }

  /** {@return true for an operator of the ONNX standard} */
  public boolean isStandard() {
    return isStandard(proto);
  }

  private static boolean isStandard(NodeProto proto) {
    return proto.getDomain().isEmpty() || proto.getDomain().equals("ai.onnx");
  }

  /** {@return true for a {@code Constant}} */
  static boolean isConstant(NodeProto proto) {
    return isStandard(proto) && proto.getOpType().equals("Constant");
  }

  /** {@return true if the results of an operator differ from run to run} */
  static boolean isRandom(NodeProto proto) {
    return isStandard(proto) && RANDOM.contains(proto.getOpType());
  }

  /** {@return true if the results of an operator may be random} */
  static boolean mayBeRandom(NodeProto proto) {
    // A dropout is random only in training, a mode that its third input sets.
    boolean mayDrop = proto.getOpType().equals("Dropout") && proto.getInputCount() == 3;
    return isRandom(proto) || (isStandard(proto) && mayDrop);
  }

  /** {@return the name in messages, such as {@code operator 3 (Conv 'conv1')}} */
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
