package dev.stowage.tflite;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.incremental.Operator;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import dev.stowage.tflite.order.RequiredOrder;
import dev.stowage.tflite.order.TensorRecords;
import java.util.ArrayList;
import java.util.List;

/**
 * The operators of the main subgraph of a model and the records that they read and write, for a
 * search over their orders.
 */
final class TfliteOperators {

  private TfliteOperators() {}

  /**
   * {@return the operators of a model}
   *
   * @param main its main subgraph
   * @param planned the planned tensors
   * @param scope their scope
   */
  static OperatorGraph of(Subgraph main, PlannedTensors planned, TensorScope scope)
      throws MalformedFileException {
    int tensorCount = main.tensors().count();
    TensorRecords records = new TensorRecords(tensorCount);
    for (int record = 0; record < planned.tensors().size(); record++) {
      records.put(planned.tensors().get(record).index(), record);
    }
    boolean[] isVariable = new boolean[tensorCount];
    for (int tensor = 0; tensor < tensorCount; tensor++) {
      main.tensors().moveTo(tensor);
      isVariable[tensor] = main.tensors().isVariable();
    }
    RequiredOrder order = new RequiredOrder(isVariable);
    List<Operator> operators = new ArrayList<>();
    for (int k = 0; k < main.operators().size(); k++) {
      ModelOperator operator = main.operators().get(k);
      operators.add(
          Operator.of(records.of(operator.inputs()), records.of(operator.outputs()))
              .withAfter(List.copyOf(order.next(operator, k))));
    }
    OperatorGraph graph = OperatorGraph.of(planned.tensors().size(), operators);
    return scope == TensorScope.WITH_INPUTS_AND_OUTPUTS
        ? graph.withInputs(records.of(main.inputs())).withOutputs(records.of(main.outputs()))
        : graph;
  }
}
