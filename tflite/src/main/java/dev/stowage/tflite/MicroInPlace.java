package dev.stowage.tflite;

import dev.stowage.core.plan.InPlace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results that may be in place of an input in TensorFlow Lite Micro, by {@link
 * InPlaceOperators#TENSORFLOW_LITE_MICRO}.
 *
 * <p>The result and the input have the same number of bytes. The operator reads the input once, and
 * no later scope uses it. A tensor of a subgraph that runs in two ranges of scopes lives during
 * both, so that it meets these conditions only if no other scope uses it.
 */
final class MicroInPlace {

  /** A result and its input, by their indices among the tensors of all subgraphs. */
  private record Pair(int result, int input) {}

  private final List<Pair> pairs;

  private MicroInPlace(List<Pair> pairs) {
    this.pairs = List.copyOf(pairs);
  }

  /** {@return the pairs of a model} */
  static MicroInPlace of(
      List<MicroSubgraph> subgraphs, MicroLifetimes lifetimes, List<MicroTensor> tensors) {
    Map<Integer, MicroTensor> needed = new HashMap<>();
    tensors.stream()
        .filter(tensor -> tensor.isUsed() && !tensor.isVariable())
        .forEach(tensor -> needed.put(tensor.planIndex(), tensor));
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < subgraphs.size(); i++) {
      List<MicroOperator> operators = subgraphs.get(i).operators();
      for (int k = 0; k < operators.size(); k++) {
        MicroOperator operator = operators.get(k);
        int scope = lifetimes.firstScopeOfOperator(i, k);
        Optional<InPlaceOperators.Rule> rule =
            InPlaceOperators.TENSORFLOW_LITE_MICRO.rule(operator.kind().builtinCode());
        if (rule.isPresent() && !operator.outputs().isEmpty() && !operator.inputs().isEmpty()) {
          int input = operator.inputs().getFirst();
          Pair pair =
              new Pair(
                  lifetimes.index(i, operator.outputs().getFirst()), lifetimes.index(i, input));
          if (Collections.frequency(operator.inputs(), input) == 1
              && isInPlace(needed, pair, scope)) {
            pairs.add(pair);
          }
        }
      }
    }
    return new MicroInPlace(pairs);
  }

  private static boolean isInPlace(Map<Integer, MicroTensor> needed, Pair pair, int scope) {
    MicroTensor result = needed.get(pair.result);
    MicroTensor input = needed.get(pair.input);
    return result != null
        && input != null
        && result != input
        && result.bytes() == input.bytes()
        && result.firstScope() == scope
        && input.lastScope() == scope
        // An input that nothing writes before is live from the start, also in the scope -1.
        && input.firstScope() < scope;
  }

  /**
   * {@return the pairs of records}
   *
   * @param tensors the tensors of the records; pairs of other tensors are omitted
   */
  List<InPlace> of(List<MicroTensor> tensors) {
    Map<Integer, Integer> recordOf = new HashMap<>();
    for (int i = 0; i < tensors.size(); i++) {
      recordOf.put(tensors.get(i).planIndex(), i);
    }
    return pairs.stream()
        .filter(pair -> recordOf.containsKey(pair.result) && recordOf.containsKey(pair.input))
        .map(pair -> new InPlace(recordOf.get(pair.result), recordOf.get(pair.input)))
        .toList();
  }
}
