package dev.stowage.tflite;

import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.tensorflow.lite.schema.BuiltinOperator;

/** A reader of a model as TensorFlow Lite Micro sees it. */
final class MicroReader {

  private final ModelFile file;
  private final List<MicroSubgraph> subgraphs;
  private final MicroLifetimes lifetimes;

  /** The bytes of the handle of a variable: 4, rounded up. */
  private static final long HANDLE_BYTES = MicroAlignment.BYTES;

  private final List<MicroTensor> tensors = new ArrayList<>();
  private final List<MicroTensor> handles = new ArrayList<>();
  private final SkippedTensors skipped = new SkippedTensors();
  private long sumBytes;

  private MicroReader(ModelFile file, List<MicroSubgraph> subgraphs, MicroLifetimes lifetimes) {
    this.file = file;
    this.subgraphs = subgraphs;
    this.lifetimes = lifetimes;
  }

  /** {@return the arena of a model whose header is checked} */
  static MicroArena read(ModelFile file) throws MalformedFileException {
    List<MicroSubgraph> subgraphs = MicroSubgraph.allOf(file);
    MicroReader reader = new MicroReader(file, subgraphs, MicroLifetimes.of(file, subgraphs));
    for (int subgraph = 0; subgraph < subgraphs.size(); subgraph++) {
      reader.addTensors(subgraph);
    }
    int tensorCount = reader.lifetimes.tensorCount();
    Optional<OfflinePlanEntry> entry = OfflinePlanEntry.of(file);
    Optional<OfflinePlan> plan =
        entry.isPresent()
            ? Optional.of(new OfflinePlan(entry.get().offsets(file, tensorCount)))
            : Optional.empty();
    return new MicroArena(
        new MicroModel(
            reader.tensors,
            reader.handles,
            reader.lifetimes,
            plan,
            MicroKernels.of(subgraphs),
            MicroInPlace.allOf(subgraphs, reader.tensors),
            reader.skipped.notes()),
        MicroOperators.of(subgraphs, reader.lifetimes, reader.tensors));
  }

  private void addTensors(int subgraph) throws MalformedFileException {
    TensorTable table = subgraphs.get(subgraph).tensors();
    BitSet ownHandles = handlesOfOperators(subgraphs.get(subgraph));
    for (int tensor = 0; tensor < table.count(); tensor++) {
      table.moveTo(tensor);
      if (!table.isConstant() && !ownHandles.get(tensor)) {
        switch (table.microBytes()) {
          case TensorBytes.Known(long bytes) when bytes == 0 -> {}
          case TensorBytes.Known(long bytes) -> add(subgraph, tensor, table, bytes);
          case TensorBytes.Unknown(String reason) -> {
            skipped.addTensor(tensor, table.name(), reason);
            if (table.type() == ElementType.RESOURCE) {
              handles.add(tensor(subgraph, tensor, table, HANDLE_BYTES));
            }
          }
        }
      }
    }
  }

  /** {@return the handles that VAR_HANDLE operators keep in memory of their own, in the tail} */
  private static BitSet handlesOfOperators(MicroSubgraph subgraph) {
    BitSet handles = new BitSet();
    for (MicroOperator operator : subgraph.operators()) {
      if (operator.kind().builtinCode() == BuiltinOperator.VAR_HANDLE) {
        operator.outputs().forEach(handles::set);
      }
    }
    return handles;
  }

  private void add(int subgraph, int tensor, TensorTable table, long bytes)
      throws MalformedFileException {
    if (bytes > Long.MAX_VALUE - MicroAlignment.BYTES - sumBytes) {
      throw file.malformed(
          "is the first tensor at which the sum of all exceeds 2^63 - 1 bytes, expected fewer");
    }
    long rounded = MicroAlignment.roundedUp(bytes);
    sumBytes += rounded;
    tensors.add(tensor(subgraph, tensor, table, rounded));
  }

  private MicroTensor tensor(int subgraph, int tensor, TensorTable table, long bytes)
      throws MalformedFileException {
    int index = lifetimes.index(subgraph, tensor);
    return new MicroTensor(
        subgraph,
        tensor,
        index,
        table.name(),
        table.knownType(),
        bytes,
        lifetimes.firstScope(index),
        lifetimes.lastScope(index),
        lifetimes.readScopes(index),
        table.isVariable());
  }
}
