package dev.stowage.tflite.micro;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.incremental.Operator;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.Subgraph;
import dev.stowage.tflite.order.RequiredOrder;
import dev.stowage.tflite.order.TensorRecords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The operators of the main subgraph of a model, for a search over their orders.
 *
 * <p>Operator 0 of the graph stands for the caller, who writes the inputs. Operator k + 1 is
 * operator k of the main subgraph. The records are the planned tensors of the main subgraph, then
 * one for each operator that calls subgraphs, of the load within them, and then the scratch
 * buffers. {@link RequiredOrder} determines the order that operators must keep.
 */
public final class MicroOperators {

  private final List<TensorUsageRecord> records;
  private final List<Operator> operators;
  private final List<Integer> outputs;

  /** The records of the tensors of the main subgraph. */
  private final TensorRecords recordOf;

  MicroOperators(
      List<TensorUsageRecord> records,
      List<Operator> operators,
      List<Integer> outputs,
      TensorRecords recordOf) {
    this.recordOf = recordOf;
    this.records = List.copyOf(records);
    this.operators = List.copyOf(operators);
    this.outputs = List.copyOf(outputs);
  }

  /**
   * {@return the operators of a model; empty if two operators call the same subgraph, because its
   * tensors are then live from the first call to the last}
   */
  static Optional<MicroOperators> of(
      List<Subgraph> subgraphs,
      MicroLifetimes lifetimes,
      List<MicroTensor> tensors,
      DecodeOrder decodeOrder) {
    Subgraph main = subgraphs.getFirst();
    if (isCalledTwice(subgraphs)) {
      return Optional.empty();
    }
    List<TensorUsageRecord> records = new ArrayList<>();
    int tensorCount = main.tensors().count();
    TensorRecords recordOf = new TensorRecords(tensorCount);
    boolean[] isVariable = new boolean[tensorCount + DecodeOrder.ADDED_TENSORS];
    for (MicroTensor tensor : tensors) {
      boolean isMain = tensor.id().subgraph() == 0;
      if (isMain && tensor.isVariable()) {
        isVariable[tensor.id().tensor()] = true;
      } else if (isMain && tensor.isUsed()) {
        recordOf.put(tensor.id().tensor(), records.size());
        records.add(TensorUsageRecord.of(tensor.bytes(), 0, 0).withName(tensor.name()));
      }
    }
    RequiredOrder order = new RequiredOrder(isVariable);
    List<Operator> operators = new ArrayList<>();
    operators.add(Operator.of(List.of(), recordOf.of(main.inputs())));
    for (int k = 0; k < main.operators().size(); k++) {
      ModelOperator operator = main.operators().get(k);
      List<Integer> writes = new ArrayList<>(recordOf.of(operator.outputs()));
      if (!operator.calledSubgraphs().isEmpty()) {
        writes.add(records.size());
        records.add(TensorUsageRecord.of(calledBytes(k, lifetimes, tensors), 0, 0));
      }
      List<Integer> after = new ArrayList<>(List.of(0));
      order.next(decodeOrder.withMemory(operator), k).forEach(earlier -> after.add(earlier + 1));
      operators.add(Operator.of(recordOf.of(operator.inputs()), writes).withAfter(after));
    }
    return Optional.of(
        new MicroOperators(records, operators, recordOf.of(main.outputs()), recordOf));
  }

  /** {@return these operators with the scratch buffers of the main subgraph} */
  MicroOperators withScratch(List<ScratchBuffer> buffers) {
    List<TensorUsageRecord> allRecords = new ArrayList<>(records);
    List<Operator> allOperators = new ArrayList<>(operators);
    for (ScratchBuffer buffer : buffers) {
      if (buffer.subgraph() == 0) {
        Operator operator = allOperators.get(buffer.operator() + 1);
        List<Integer> writes = new ArrayList<>(operator.writes());
        writes.add(allRecords.size());
        allRecords.add(TensorUsageRecord.of(MicroAlignment.roundedUp(buffer.bytes()), 0, 0));
        allOperators.set(
            buffer.operator() + 1,
            Operator.of(operator.reads(), writes).withAfter(operator.after()));
      }
    }
    return new MicroOperators(allRecords, allOperators, outputs, recordOf);
  }

  /** {@return the records} */
  List<TensorUsageRecord> records() {
    return records;
  }

  /** {@return the operators; the first one is the caller} */
  List<Operator> operators() {
    return operators;
  }

  /** {@return the records of the outputs} */
  List<Integer> outputs() {
    return outputs;
  }

  /** {@return the record of a planned tensor of the main subgraph} */
  int recordOf(MicroTensor tensor) {
    return recordOf.of(tensor.id().tensor());
  }

  /** {@return the records; the order of the operators determines their lifetimes} */
  public PlanProblem problem() {
    return PlanProblem.of(records).withAlignment(MicroAlignment.BYTES);
  }

  /** {@return the graph; records that no operator writes are live from the start} */
  public OperatorGraph graph() {
    boolean[] isWritten = new boolean[records.size()];
    for (Operator operator : operators) {
      operator.writes().forEach(record -> isWritten[record] = true);
    }
    List<Integer> inputs = new ArrayList<>();
    for (int record = 0; record < isWritten.length; record++) {
      if (!isWritten[record]) {
        inputs.add(record);
      }
    }
    return OperatorGraph.of(records.size(), operators).withInputs(inputs).withOutputs(outputs);
  }

  private static boolean isCalledTwice(List<Subgraph> subgraphs) {
    int[] callers = new int[subgraphs.size()];
    for (Subgraph subgraph : subgraphs) {
      for (ModelOperator operator : subgraph.operators()) {
        operator.calledSubgraphs().stream().distinct().forEach(called -> callers[called]++);
      }
    }
    return Arrays.stream(callers).anyMatch(count -> count > 1);
  }

  /** {@return the load of the subgraphs that an operator calls} */
  private static long calledBytes(int operator, MicroLifetimes lifetimes, List<MicroTensor> all) {
    ScopeLifetime caller = lifetimes.ofOperator(0, operator);
    List<TensorUsageRecord> called =
        all.stream()
            .filter(tensor -> tensor.id().subgraph() > 0 && tensor.isUsed() && !tensor.isVariable())
            .filter(tensor ->
                caller.first() <= tensor.lifetime().last()
                    && tensor.lifetime().last() <= caller.last())
            .map(tensor ->
                TensorUsageRecord.of(
                    tensor.bytes(),
                    Math.max(caller.first(), tensor.lifetime().first()),
                    tensor.lifetime().last()))
            .toList();
    return LowerBounds.of(PlanProblem.of(called)).offsetsBytes();
  }
}
