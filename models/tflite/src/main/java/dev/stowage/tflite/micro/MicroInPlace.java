package dev.stowage.tflite.micro;

import dev.stowage.plan.InPlace;
import dev.stowage.tflite.model.InPlaceOperators;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An operator that may write its result over its first input if nothing reads the input later. Its
 * kernel in TensorFlow Lite Micro supports this.
 *
 * @param operator the index of the operator in the subgraph of the two tensors
 * @param source the first input
 * @param result the result, of the same size
 */
record MicroInPlace(int operator, MicroTensor source, MicroTensor result) {

  /*
   * The memory of the source may be overwritten if nothing reads it later in a run:
   *
   *   - Lifetimes show the later reads of operators. The caller reads the outputs of a subgraph.
   *   - A source that nothing writes could have a value from an earlier run.
   */

  /**
   * {@return all such operators of the executed subgraphs, in the order of the operators}
   *
   * @param tensors the tensors of all subgraphs that need memory
   */
  static List<MicroInPlace> allOf(List<Subgraph> subgraphs, List<MicroTensor> tensors) {
    List<Map<Integer, MicroTensor>> bySubgraph = new ArrayList<>();
    subgraphs.forEach(_ -> bySubgraph.add(new HashMap<>()));
    for (MicroTensor tensor : tensors) {
      if (tensor.isUsed() && !tensor.isVariable()) {
        bySubgraph.get(tensor.id().subgraph()).put(tensor.id().tensor(), tensor);
      }
    }
    List<MicroInPlace> found = new ArrayList<>();
    for (int i = 0; i < subgraphs.size(); i++) {
      addAllOf(subgraphs.get(i), bySubgraph.get(i), found);
    }
    return found;
  }

  private static void addAllOf(
      Subgraph subgraph, Map<Integer, MicroTensor> tensors, List<MicroInPlace> found) {
    int[] writerCounts = new int[subgraph.tensors().count()];
    subgraph.inputs().forEach(tensor -> writerCounts[tensor]++);
    for (ModelOperator operator : subgraph.operators()) {
      operator.outputs().forEach(tensor -> writerCounts[tensor]++);
    }
    Set<Integer> outputs = Set.copyOf(subgraph.outputs());
    for (int k = 0; k < subgraph.operators().size(); k++) {
      ModelOperator operator = subgraph.operators().get(k);
      if (!mayBeInPlace(operator)) {
        continue;
      }
      MicroTensor source = tensors.get(operator.inputs().getFirst());
      MicroTensor result = tensors.get(operator.outputs().getFirst());
      if (source != null
          && result != null
          && source.bytes() == result.bytes()
          && writerCounts[source.id().tensor()] == 1
          && writerCounts[result.id().tensor()] == 1
          && !outputs.contains(source.id().tensor())
          && Collections.frequency(operator.inputs(), source.id().tensor()) == 1) {
        found.add(new MicroInPlace(k, source, result));
      }
    }
  }

  private static boolean mayBeInPlace(ModelOperator operator) {
    return InPlaceOperators.TENSORFLOW_LITE_MICRO.rule(operator.kind().builtinCode()).isPresent()
        && !operator.inputs().isEmpty()
        && !operator.outputs().isEmpty();
  }

  /** {@return the pairs of records that may share memory, by the indices of the records} */
  static List<InPlace> pairs(List<MicroInPlace> operators, List<MicroTensor> records) {
    Map<MicroTensor, Integer> recordOf = new HashMap<>();
    for (int i = 0; i < records.size(); i++) {
      recordOf.put(records.get(i), i);
    }
    List<InPlace> pairs = new ArrayList<>();
    for (MicroInPlace operator : operators) {
      Integer result = recordOf.get(operator.result);
      Integer source = recordOf.get(operator.source);
      if (operator.isPossible() && result != null && source != null) {
        pairs.add(new InPlace(result, source));
      }
    }
    return pairs;
  }

  /** {@return true if no operator reads the source after this one} */
  boolean isPossible() {
    return source.lifetime().last() == result.lifetime().first();
  }
}
