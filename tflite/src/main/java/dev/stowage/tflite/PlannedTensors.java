package dev.stowage.tflite;

import dev.stowage.core.MalformedFileException;
import dev.stowage.core.plan.TensorScope;
import dev.stowage.core.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;

/** The planned tensors of a model, and notes on the others. */
final class PlannedTensors {

  private final MainSubgraph subgraph;
  private final List<TensorUsageRecord> records = new ArrayList<>();
  private final List<TfliteTensor> tensors = new ArrayList<>();
  private final SkippedTensors skipped = new SkippedTensors();
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
    planned.skipped.addSubgraphs(subgraph.file(), subgraph.model());
    return planned;
  }

  List<TensorUsageRecord> records() {
    return records;
  }

  List<TfliteTensor> tensors() {
    return tensors;
  }

  int operatorCount() {
    return subgraph.lifetimes().operatorCount();
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
      case TensorBytes.Known(long bytes) -> add(index, table.name(), bytes);
      case TensorBytes.Unknown(String reason) ->
          skipped.addTensor(new TfliteTensor(index, table.name()), reason);
    }
  }

  private void add(int index, String name, long bytes) throws MalformedFileException {
    if (bytes > Long.MAX_VALUE - naiveBytes) {
      throw subgraph
          .file()
          .malformed(
              "is the first tensor at which the sum of all exceeds 2^63 - 1 bytes, expected fewer");
    }
    naiveBytes += bytes;
    TensorLifetimes lifetimes = subgraph.lifetimes();
    records.add(
        TensorUsageRecord.of(bytes, lifetimes.firstTask(index), lifetimes.lastTask(index))
            .withName(name));
    tensors.add(new TfliteTensor(index, name));
  }
}
