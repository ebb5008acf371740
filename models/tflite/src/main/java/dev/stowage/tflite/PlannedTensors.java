package dev.stowage.tflite;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.tflite.model.SkippedTensors;
import dev.stowage.tflite.model.TensorBytes;
import dev.stowage.tflite.model.TensorTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The planned tensors of a model, and notes on the others. */
final class PlannedTensors {

  private final MainSubgraph subgraph;
  private final List<TensorUsageRecord> records = new ArrayList<>();
  private final List<TfliteTensor> tensors = new ArrayList<>();
  private final SkippedTensors skipped = new SkippedTensors();

  /** The record of each planned tensor. */
  private final Map<Integer, Integer> recordOf = new HashMap<>();

  private long naiveBytes;

  private PlannedTensors(MainSubgraph subgraph) {
    this.subgraph = subgraph;
  }

  /**
   * {@return the planned tensors of a subgraph: inputs in their order, then results in the order of
   * tasks and of the outputs of a task}
   */
  static PlannedTensors of(MainSubgraph subgraph, TensorScope scope) throws MalformedFileException {
    PlannedTensors planned = new PlannedTensors(subgraph);
    TensorLifetimes lifetimes = subgraph.lifetimes();
    boolean withInputsAndOutputs = scope == TensorScope.WITH_INPUTS_AND_OUTPUTS;
    if (withInputsAndOutputs) {
      for (int tensor : lifetimes.graphInputs()) {
        planned.add(tensor);
      }
    }
    for (int tensor : lifetimes.written()) {
      boolean isIntermediate = !lifetimes.isGraphOutput(tensor);
      if (!lifetimes.isGraphInput(tensor) && (isIntermediate || withInputsAndOutputs)) {
        planned.add(tensor);
      }
    }
    for (int tensor = 0; tensor < subgraph.tensors().count(); tensor++) {
      planned.addSkipped(tensor);
    }
    planned.skipped.addSubgraphs(subgraph.model());
    return planned;
  }

  /** Adds a tensor that needs memory to the notes, if no scope includes it. */
  private void addSkipped(int index) throws MalformedFileException {
    TensorTable table = subgraph.tensors();
    table.moveTo(index);
    boolean isUncomputed = subgraph.lifetimes().isUncomputed(index);
    if (table.isConstant() || !(isUncomputed || table.isVariable())) {
      return;
    }
    String name = table.name();
    switch (table.bytes()) {
      case TensorBytes.Known(long bytes) when bytes == 0 -> {}
      case TensorBytes.Known(long bytes) when table.isVariable() ->
          skipped.addVariable(index, name, bytes);
      case TensorBytes.Known(long bytes) -> skipped.addUncomputed(index, name, bytes);
      case TensorBytes.Unknown(String reason) -> skipped.addTensor(index, name, reason);
    }
  }

  /** {@return the problem, with the pairs of records that may share memory} */
  PlanProblem problem() {
    return PlanProblem.of(records)
        .withInPlace(subgraph.candidates().stream().flatMap(it -> pair(it).stream()).toList());
  }

  private Optional<InPlace> pair(InPlaceCandidate operator) {
    int output = operator.output();
    if (!isIntermediate(output) || subgraph.lifetimes().firstTask(output) != operator.task()) {
      return Optional.empty();
    }
    int inputCount = Math.min(operator.rule().inputCount(), operator.inputs().size());
    for (int input : operator.inputs().subList(0, inputCount)) {
      if (input != output && isIntermediate(input) && mayBeOverwritten(input, operator)) {
        return Optional.of(new InPlace(record(output), record(input)));
      }
    }
    return Optional.empty();
  }

  /** {@return true if a tensor has a record, and is neither an input nor an output of the graph} */
  private boolean isIntermediate(int tensor) {
    TensorLifetimes lifetimes = subgraph.lifetimes();
    return recordOf.containsKey(tensor)
        && !lifetimes.isGraphInput(tensor)
        && !lifetimes.isGraphOutput(tensor);
  }

  /** {@return true if an operator reads an input once, for the last time, and may overwrite it} */
  private boolean mayBeOverwritten(int input, InPlaceCandidate operator) {
    long bytes = bytes(input);
    return bytes == bytes(operator.output())
        && bytes >= operator.rule().minBytes()
        && subgraph.lifetimes().lastTask(input) == operator.task()
        && Collections.frequency(operator.inputs(), input) == 1;
  }

  private long bytes(int tensor) {
    return records.get(record(tensor)).bytes();
  }

  /** {@return the record of a planned tensor} */
  private int record(int tensor) {
    return Optional.ofNullable(recordOf.get(tensor)).orElseThrow();
  }

  List<TfliteTensor> tensors() {
    return tensors;
  }

  /** {@return the kind of each operator, such as {@code CONV_2D}} */
  List<String> kinds() {
    return subgraph.kinds();
  }

  List<String> notes() {
    return skipped.notes();
  }

  private void add(int index) throws MalformedFileException {
    TensorTable table = subgraph.tensors();
    table.moveTo(index);
    if (table.isHeld()) {
      return;
    }
    switch (table.bytes()) {
      case TensorBytes.Known(long bytes) when bytes == 0 -> {}
      case TensorBytes.Known(long bytes) ->
          add(
              new TfliteTensor(
                  index,
                  table.name(),
                  new TensorType(table.shape(), table.type().name()),
                  subgraph.lifetimes().uses(index)),
              bytes);
      case TensorBytes.Unknown(String reason) -> skipped.addTensor(index, table.name(), reason);
    }
  }

  private void add(TfliteTensor tensor, long bytes) throws MalformedFileException {
    if (bytes > Long.MAX_VALUE - naiveBytes) {
      throw subgraph
          .file()
          .malformed(
              "is the first tensor at which the sum of all exceeds 2^63 - 1 bytes, expected fewer");
    }
    naiveBytes += bytes;
    TensorLifetimes lifetimes = subgraph.lifetimes();
    int index = tensor.index();
    records.add(
        TensorUsageRecord.of(bytes, lifetimes.firstTask(index), lifetimes.lastTask(index))
            .withName(tensor.name()));
    recordOf.put(index, records.size() - 1);
    tensors.add(tensor);
  }
}
