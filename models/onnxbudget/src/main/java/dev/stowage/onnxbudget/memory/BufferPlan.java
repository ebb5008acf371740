package dev.stowage.onnxbudget.memory;

import dev.stowage.onnx.graph.DimensionSize;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.ValueType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * The buffers of the values of a graph, by the rules of ONNX Runtime's sequential planner.
 *
 * <p>ONNX Runtime decides once, when it creates a session, from the types that it knows at that
 * time: two open dimensions are equal only if they have the same name. Takes O(operators × free
 * buffers).
 */
final class BufferPlan {

  /*
   * Each value counts its uses: one for each input that reads it, one for its producer, and one more
   * if the caller or the session owns it. In the order of execution, a result
   *
   *   1. is allocated for the caller if it is an output;
   *   2. has the buffer of an input if the kernel says so, or if the kernel allows it, this is the
   *      last use of the buffer, and both have the same size;
   *   3. has the buffer of the same size that became free last, unless it is a scalar;
   *   4. is allocated otherwise.
   *
   * A buffer has the uses of all its values. The run releases it after the last operator that reads
   * one of them. A buffer without a reader lives until the end of the run, and no other value gets it.
   */

  private static final int NONE = -1;

  private final ModelGraph graph;
  private final Function<GraphValue, ValueType> types;

  /** The value whose buffer each value has. */
  private final int[] buffers;

  private final int[] uses;
  private final List<List<Integer>> released = new ArrayList<>();

  /** The buffers without further uses, the last one first. */
  private final Deque<Integer> free = new ArrayDeque<>();

  private BufferPlan(ModelGraph graph, Function<GraphValue, ValueType> types) {
    this.graph = graph;
    this.types = types;
    this.buffers = new int[graph.values().size()];
    this.uses = new int[graph.values().size()];
  }

  /**
   * {@return the plan for a graph}
   *
   * @param graph the optimized graph, in the order of execution
   * @param types the types that ONNX Runtime knows when it creates the session
   */
  static BufferPlan of(ModelGraph graph, Function<GraphValue, ValueType> types) {
    BufferPlan plan = new BufferPlan(graph, types);
    Arrays.setAll(plan.buffers, i -> i);
    plan.countUses();
    for (GraphNode node : graph.nodes()) {
      plan.run(node);
    }
    plan.addReleases();
    return plan;
  }

  private void countUses() {
    for (GraphValue value : graph.values()) {
      // The caller owns inputs and outputs, the session owns initializers.
      uses[value.index()] =
          1 + (value.source() == GraphValue.Source.RESULT && value.isOutput() ? 1 : 0);
    }
    for (GraphNode node : graph.nodes()) {
      forEachRead(node, value -> uses[value]++);
    }
  }

  /** Visits the inputs of an operator, each as often as it occurs, then the reads of its bodies. */
  private void forEachRead(GraphNode node, IntConsumer action) {
    List<Integer> explicit = new ArrayList<>();
    for (String name : node.proto().getInputList()) {
      graph.value(name).map(GraphValue::index).ifPresent(explicit::add);
    }
    explicit.forEach(action::accept);
    for (int value : node.reads()) {
      if (!explicit.contains(value)) {
        action.accept(value);
      }
    }
  }

  private void run(GraphNode node) {
    List<GraphValue> results = new ArrayList<>();
    for (int output = 0; output < node.proto().getOutputCount(); output++) {
      Optional<GraphValue> result = graph.value(node.proto().getOutput(output));
      if (result.isPresent()) {
        results.add(result.get());
        choose(node, output, result.get());
      }
    }
    forEachRead(node, this::use);
    results.forEach(result -> uses[buffers[result.index()]]--);
  }

  private void choose(GraphNode node, int output, GraphValue result) {
    if (result.isOutput()) {
      return;
    }
    int shared = sharedInput(node, output, result);
    if (shared == NONE) {
      shared = freeBuffer(result);
    }
    if (shared != NONE) {
      buffers[result.index()] = buffers[shared];
      uses[buffers[shared]] += uses[result.index()];
    }
  }

  private int sharedInput(GraphNode node, int output, GraphValue result) {
    OptionalInt alias = KernelSharing.alias(node, output);
    if (alias.isPresent()) {
      return input(node, alias.getAsInt()).map(GraphValue::index).orElse(NONE);
    }
    OptionalInt inPlace = KernelSharing.inPlace(node, output);
    return inPlace.isEmpty()
        ? NONE
        : input(node, inPlace.getAsInt())
            .filter(input -> uses[buffers[input.index()]] == 1 && hasSameSize(input, result))
            .map(GraphValue::index)
            .orElse(NONE);
  }

  private Optional<GraphValue> input(GraphNode node, int index) {
    return index < node.proto().getInputCount()
        ? graph.value(node.proto().getInput(index))
        : Optional.empty();
  }

  private int freeBuffer(GraphValue result) {
    if (!(types.apply(result) instanceof ValueType.Tensor tensor)
        || tensor.shape().map(List::isEmpty).orElse(true)) {
      return NONE;
    }
    for (Iterator<Integer> candidates = free.iterator(); candidates.hasNext(); ) {
      int candidate = candidates.next();
      if (hasSameSize(graph.values().get(candidate), result)) {
        candidates.remove();
        return candidate;
      }
    }
    return NONE;
  }

  private void use(int value) {
    int buffer = buffers[value];
    uses[buffer]--;
    if (uses[buffer] == 0) {
      free.push(buffer);
    }
  }

  private boolean hasSameSize(GraphValue first, GraphValue second) {
    return types.apply(first) instanceof ValueType.Tensor one
        && types.apply(second) instanceof ValueType.Tensor other
        && one.shape().isPresent()
        && other.shape().isPresent()
        && hasSameElementSize(one, other)
        && hasSameDimensions(one.shape().get(), other.shape().get());
  }

  private static boolean hasSameElementSize(ValueType.Tensor one, ValueType.Tensor other) {
    OptionalInt bits = bits(one);
    return bits.isPresent() && bits.equals(bits(other));
  }

  /** {@return the bits of an element; empty for strings} */
  private static OptionalInt bits(ValueType.Tensor type) {
    return ElementType.ofCode(type.elementCode())
        .map(ElementType::bits)
        .orElse(OptionalInt.empty());
  }

  private static boolean hasSameDimensions(List<DimensionSize> one, List<DimensionSize> other) {
    // Dimensions without a name are unknown and equal no other.
    return one.equals(other) && one.stream().noneMatch(DimensionSize.Unnamed.class::isInstance);
  }

  private void addReleases() {
    int[] lastReader = new int[buffers.length];
    Arrays.fill(lastReader, NONE);
    for (GraphNode node : graph.nodes()) {
      released.add(new ArrayList<>());
      forEachRead(node, value -> lastReader[buffers[value]] = node.task());
    }
    for (int buffer = 0; buffer < lastReader.length; buffer++) {
      if (lastReader[buffer] != NONE && isAllocated(buffer)) {
        released.get(lastReader[buffer]).add(buffer);
      }
    }
  }

  /** {@return true if the run allocates a buffer for a value, which is not an output} */
  boolean isAllocated(int value) {
    GraphValue allocated = graph.values().get(value);
    return buffers[value] == value
        && allocated.source() == GraphValue.Source.RESULT
        && !allocated.isOutput();
  }

  /** {@return the values whose buffers the run releases after a task} */
  List<Integer> released(int task) {
    return released.get(task);
  }
}
