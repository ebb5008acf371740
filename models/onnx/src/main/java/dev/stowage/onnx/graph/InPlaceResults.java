package dev.stowage.onnx.graph;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The results that may be in place of an input: results of elementwise operators, and of operators
 * on rows such as {@code Softmax}.
 *
 * <p>The input and the result are often the two largest tensors of a network. ONNX Runtime 1.29
 * itself writes only some of these results over their input: activations such as {@code Relu} and
 * {@code Softmax}, {@code Cast}, {@code Clip}, {@code ScatterElements} and {@code Trilu}.
 * Arithmetic operators such as {@code Add} and {@code Exp} get a buffer of their own there, but
 * their kernels read each element before they write it, and also work in place. The input must be
 * of the same type, must not be read by another input of the operator or by a later operator, and
 * must not be an input or output of the model. If several inputs qualify, the first one is chosen.
 */
public final class InPlaceResults {

  /** The operator with a result that may have another type with as many bytes. */
  private static final String CAST = "Cast";

  /** The number of inputs that an operator may write over if they have the shape of its result. */
  private static final Map<String, Integer> INPUT_COUNTS =
      Map.ofEntries(
          Map.entry("Abs", 1),
          Map.entry("Add", 2),
          Map.entry(CAST, 1),
          Map.entry("Ceil", 1),
          Map.entry("Celu", 1),
          Map.entry("Clip", 1),
          Map.entry("Div", 2),
          Map.entry("Elu", 1),
          Map.entry("Exp", 1),
          Map.entry("Floor", 1),
          Map.entry("HardSigmoid", 1),
          Map.entry("LeakyRelu", 1),
          Map.entry("Log", 1),
          Map.entry("LogSoftmax", 1),
          Map.entry("Mul", 2),
          Map.entry("Neg", 1),
          Map.entry("Reciprocal", 1),
          Map.entry("Relu", 1),
          Map.entry("ScatterElements", 1),
          Map.entry("Selu", 1),
          Map.entry("Shrink", 1),
          Map.entry("Sigmoid", 1),
          Map.entry("Softmax", 1),
          Map.entry("Softplus", 1),
          Map.entry("Softsign", 1),
          Map.entry("Sqrt", 1),
          Map.entry("Sub", 2),
          Map.entry("Tanh", 1),
          Map.entry("ThresholdedRelu", 1),
          Map.entry("Trilu", 1));

  private final ModelGraph graph;
  private final PlannedValues planned;

  /** The records of the caller's inputs and outputs, which must not be overwritten. */
  private final BitSet kept = new BitSet();

  private InPlaceResults(ModelGraph graph, PlannedValues planned) {
    this.graph = graph;
    this.planned = planned;
  }

  /**
   * {@return the pairs of records of the planned values of a graph}
   *
   * @param graph the graph
   * @param planned its values; views may share records
   */
  public static List<InPlace> of(ModelGraph graph, PlannedValues planned) {
    InPlaceResults results = new InPlaceResults(graph, planned);
    for (GraphValue value : graph.values()) {
      if (value.isOutput() || value.source() == GraphValue.Source.INPUT) {
        planned.recordOf(value).ifPresent(results.kept::set);
      }
    }
    List<InPlace> pairs = new ArrayList<>();
    for (GraphNode node : graph.nodes()) {
      results.pair(node).ifPresent(pairs::add);
    }
    return pairs;
  }

  private Optional<InPlace> pair(GraphNode node) {
    int inputCount = node.isStandard() ? INPUT_COUNTS.getOrDefault(node.proto().getOpType(), 0) : 0;
    if (inputCount == 0 || node.writes().size() != 1) {
      return Optional.empty();
    }
    GraphValue result = graph.values().get(node.writes().getFirst());
    OptionalInt record = planned.recordOf(result);
    if (record.isEmpty()) {
      return Optional.empty();
    }
    for (int i = 0; i < Math.min(inputCount, node.proto().getInputCount()); i++) {
      Optional<GraphValue> input = graph.value(node.proto().getInput(i));
      OptionalInt source = input.map(planned::recordOf).orElse(OptionalInt.empty());
      if (source.isPresent()
          && mayBeOverwritten(source.getAsInt(), i, node)
          && isOneForOne(node, input.get(), result)) {
        return Optional.of(new InPlace(record.getAsInt(), source.getAsInt()));
      }
    }
    return Optional.empty();
  }

  /** {@return true if only input {@code i} of an operator reads a record, for the last time} */
  private boolean mayBeOverwritten(int record, int i, GraphNode node) {
    if (kept.get(record) || planned.records().get(record).lastTask() != node.task()) {
      return false;
    }
    for (int other = 0; other < node.proto().getInputCount(); other++) {
      OptionalInt read =
          graph
              .value(node.proto().getInput(other))
              .map(planned::recordOf)
              .orElse(OptionalInt.empty());
      if (other != i && read.equals(OptionalInt.of(record))) {
        return false;
      }
    }
    return true;
  }

  private boolean isOneForOne(GraphNode node, GraphValue input, GraphValue result) {
    return node.proto().getOpType().equals(CAST)
        ? bytes(input) == bytes(result)
        : planned.type(input).equals(planned.type(result));
  }

  private long bytes(GraphValue value) {
    TensorUsageRecord record = planned.records().get(planned.recordOf(value).orElseThrow());
    return record.bytes();
  }
}
