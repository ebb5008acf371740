package dev.stowage.tflite;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.incremental.Operator;
import dev.stowage.plan.incremental.OperatorGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The operators of the main subgraph of a model and the records that they read and write, for a
 * search over their orders.
 *
 * <p>{@link TensorOrder} and {@link EffectOrder} determine the order that operators must keep.
 */
final class TfliteOperators {

  private static final int NONE = -1;

  private TfliteOperators() {}

  /**
   * {@return the operators of a model}
   *
   * @param main its main subgraph
   * @param planned the planned tensors
   * @param scope their scope
   */
  static OperatorGraph of(MicroSubgraph main, PlannedTensors planned, TensorScope scope)
      throws MalformedFileException {
    int[] recordOf = new int[main.tensors().count()];
    Arrays.fill(recordOf, NONE);
    for (int record = 0; record < planned.tensors().size(); record++) {
      recordOf[planned.tensors().get(record).index()] = record;
    }
    boolean[] isVariable = new boolean[recordOf.length];
    for (int tensor = 0; tensor < isVariable.length; tensor++) {
      main.tensors().moveTo(tensor);
      isVariable[tensor] = main.tensors().isVariable();
    }
    TensorOrder tensors = new TensorOrder();
    EffectOrder effects = new EffectOrder(isVariable);
    List<Operator> operators = new ArrayList<>();
    for (int k = 0; k < main.operators().size(); k++) {
      MicroOperator operator = main.operators().get(k);
      Set<Integer> after = tensors.next(operator, k);
      after.addAll(effects.next(operator, k));
      operators.add(
          Operator.of(records(operator.inputs(), recordOf), records(operator.outputs(), recordOf))
              .withAfter(List.copyOf(after)));
    }
    OperatorGraph graph = OperatorGraph.of(planned.tensors().size(), operators);
    return scope == TensorScope.WITH_INPUTS_AND_OUTPUTS
        ? graph
            .withInputs(records(main.inputs(), recordOf))
            .withOutputs(records(main.outputs(), recordOf))
        : graph;
  }

  /** {@return the records of tensors, each once} */
  static List<Integer> records(List<Integer> tensors, int[] recordOf) {
    return tensors.stream()
        .map(tensor -> recordOf[tensor])
        .filter(record -> record != NONE)
        .distinct()
        .toList();
  }
}
