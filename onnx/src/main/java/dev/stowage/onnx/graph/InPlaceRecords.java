package dev.stowage.onnx.graph;

import dev.stowage.core.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Records of planned values in which an operator that works element by element, or row by row as
 * {@code Softmax}, writes over an input that no later operator reads.
 *
 * <p>ONNX Runtime does this for activations, whose input and output are often the largest pair of
 * tensors of a network. Its arithmetic operators also allow it. Sharing never raises the lower
 * bound, because both tensors are live at the operator. As in ONNX Runtime, a view of an input that
 * is not planned stays in the memory of the input.
 */
public final class InPlaceRecords implements ValueRecords {

  private static final int NONE = -1;

  /** The operator whose result may have another type with as many bytes. */
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

  /** The operators that must not read the overwritten memory through another input. */
  private static final Set<String> IN_ANY_ORDER = Set.of("ScatterElements", "Trilu");

  private final ModelGraph graph;
  private final PlannedValues planned;
  private final long[] last;
  private final int[] root;
  private final List<TensorUsageRecord> records = new ArrayList<>();
  private final int[] recordOfRoot;

  /** The records of views of the caller's memory, which need no memory. */
  private final BitSet outside = new BitSet();

  /** The records of the caller's inputs and outputs, which must not be overwritten. */
  private final BitSet kept = new BitSet();

  private InPlaceRecords(ModelGraph graph, PlannedValues planned) {
    this.graph = graph;
    this.planned = planned;
    this.last = planned.records().stream().mapToLong(TensorUsageRecord::lastTask).toArray();
    this.root = new int[last.length];
    this.recordOfRoot = new int[last.length];
    Arrays.setAll(root, i -> i);
  }

  /**
   * {@return the records of the planned values of a graph, shared if possible}
   *
   * @param graph the graph
   * @param planned its values, of which views may share records
   */
  public static InPlaceRecords of(ModelGraph graph, PlannedValues planned) {
    InPlaceRecords shared = new InPlaceRecords(graph, planned);
    for (GraphValue value : graph.values()) {
      if (value.isOutput() || value.source() == GraphValue.Source.INPUT) {
        planned.recordOf(value).ifPresent(shared.kept::set);
      }
    }
    for (GraphNode node : graph.nodes()) {
      shared.keepInCallerMemory(node);
      shared.share(node);
    }
    shared.number();
    return shared;
  }

  /** Leaves a view of an input that is not planned in the memory of the input. */
  private void keepInCallerMemory(GraphNode node) {
    if (!node.isView() || node.proto().getInputCount() == 0) {
      return;
    }
    GraphValue result = graph.values().get(node.writes().getFirst());
    int record = planned.recordOf(result).orElse(NONE);
    if (record != NONE
        && !result.isOutput()
        && graph.value(node.proto().getInput(0)).filter(this::isOutside).isPresent()) {
      outside.set(record);
      kept.set(record);
    }
  }

  private boolean isOutside(GraphValue value) {
    return value.source() == GraphValue.Source.INPUT && planned.recordOf(value).isEmpty();
  }

  private void share(GraphNode node) {
    int inputCount = node.isStandard() ? INPUT_COUNTS.getOrDefault(node.proto().getOpType(), 0) : 0;
    if (inputCount == 0 || node.writes().size() != 1) {
      return;
    }
    GraphValue result = graph.values().get(node.writes().getFirst());
    int resultRecord = planned.recordOf(result).orElse(NONE);
    if (resultRecord == NONE || root[resultRecord] != resultRecord) {
      return;
    }
    for (int i = 0; i < Math.min(inputCount, node.proto().getInputCount()); i++) {
      GraphValue input = graph.value(node.proto().getInput(i)).orElse(result);
      int record = planned.recordOf(input).orElse(resultRecord);
      if (record != resultRecord
          && !kept.get(record)
          && last[root[record]] == node.task()
          && isOneForOne(node, input, result)
          && !isReadElsewhere(node, record)) {
        root[resultRecord] = root[record];
        last[root[record]] = last[resultRecord];
        // The memory now belongs to the result, which may be an output.
        kept.set(record, kept.get(resultRecord));
        return;
      }
    }
  }

  private boolean isOneForOne(GraphNode node, GraphValue input, GraphValue result) {
    return node.proto().getOpType().equals(CAST)
        ? bytes(input) == bytes(result)
        : planned.type(input).equals(planned.type(result));
  }

  private long bytes(GraphValue value) {
    return planned.records().get(planned.recordOf(value).orElseThrow()).bytes();
  }

  /**
   * {@return true if an operator of IN_ANY_ORDER reads the overwritten memory through another
   * input}
   */
  private boolean isReadElsewhere(GraphNode node, int record) {
    return IN_ANY_ORDER.contains(node.proto().getOpType())
        && node.proto().getInputList().stream()
            .skip(1)
            .flatMap(name -> graph.value(name).stream())
            .map(planned::recordOf)
            .anyMatch(other -> other.isPresent() && root[other.getAsInt()] == root[record]);
  }

  private void number() {
    for (int i = 0; i < root.length; i++) {
      if (root[i] == i && !outside.get(i)) {
        recordOfRoot[i] = records.size();
        TensorUsageRecord record = planned.records().get(i);
        records.add(record.withLifetime(record.firstTask(), last[i]));
      }
    }
  }

  @Override
  public List<TensorUsageRecord> records() {
    return records;
  }

  @Override
  public OptionalInt recordOf(GraphValue value) {
    OptionalInt own = planned.recordOf(value);
    return own.isPresent() && !outside.get(own.getAsInt())
        ? OptionalInt.of(recordOfRoot[root[own.getAsInt()]])
        : OptionalInt.empty();
  }
}
