package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.TensorType;
import dev.stowage.tflite.model.ModelFile;
import dev.stowage.tflite.model.ModelOperator;
import dev.stowage.tflite.model.SkippedTensors;
import dev.stowage.tflite.model.Subgraph;
import dev.stowage.tflite.model.TensorBytes;
import dev.stowage.tflite.model.TensorTable;
import dev.stowage.tflite.model.TfliteType;
import dev.stowage.tflite.offline.OfflinePlanEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.tensorflow.lite.schema.BuiltinOperator;

/** A reader of models as the tensor arenas that TensorFlow Lite Micro needs for them. */
public final class MicroArenaReader {

  /** The largest sum of all tensors that leaves room for the tail and scratch buffers. */
  private static final long MAX_SUM_BYTES = 1L << 62;

  private final ModelFile file;
  private final List<Subgraph> subgraphs;
  private final MicroLifetimes lifetimes;
  private final Decompression decompression;

  /** The bytes of the handle of a variable: 4, rounded up. */
  private static final long HANDLE_BYTES = MicroAlignment.BYTES;

  private final List<MicroTensor> tensors = new ArrayList<>();
  private final List<MicroTensor> handles = new ArrayList<>();
  private final SkippedTensors skipped = new SkippedTensors();
  private long sumBytes;

  private MicroArenaReader(ModelFile file, List<Subgraph> subgraphs) throws MalformedFileException {
    this.file = file;
    this.subgraphs = subgraphs;
    lifetimes = MicroLifetimes.of(file, subgraphs);
    decompression = Decompression.of(file, subgraphs);
  }

  /**
   * {@return the arena of a model in a file}
   *
   * @param file the model
   * @throws MalformedFileException if the file is not a complete TensorFlow Lite model, if a
   *     subgraph calls itself, or if the offline plan or compressed data of the model is damaged
   * @throws IOException if the file cannot be read
   */
  public static MicroArena read(Path file) throws IOException {
    return read(file, List.of());
  }

  /**
   * {@return the arena of a model in a file, as if its operators were in another order}
   *
   * @param file the model
   * @param order the operators of the main subgraph by their indices in the file, each once, in an
   *     order of {@link MicroArena#operators()}; empty for the order of the file
   * @throws MalformedFileException as for the order of the file
   * @throws IOException if the file cannot be read
   */
  public static MicroArena read(Path file, List<Integer> order) throws IOException {
    return ModelFile.parse(file, model -> read(model, order));
  }

  /**
   * {@return the arena of a model in memory}
   *
   * @param source the name of the model in messages
   * @param model its bytes, from the buffer's position to its limit, which do not change
   * @throws MalformedFileException as for a file
   */
  public static MicroArena read(String source, ByteBuffer model) throws MalformedFileException {
    return ModelFile.of(source, model).parse(file -> read(file, List.of()));
  }

  private static MicroArena read(ModelFile file, List<Integer> order)
      throws MalformedFileException {
    List<Subgraph> subgraphs = new ArrayList<>(Subgraph.allOf(file));
    if (!order.isEmpty()) {
      subgraphs.set(0, subgraphs.getFirst().inOrder(order));
    }
    MicroArenaReader reader = new MicroArenaReader(file, subgraphs);
    DecodeOrder decodeOrder = DecodeOrder.of(subgraphs);
    for (int subgraph = 0; subgraph < subgraphs.size(); subgraph++) {
      reader.addTensors(subgraph);
    }
    return new MicroArena(
        new MicroModel(
            new MicroTensors(reader.tensors, reader.handles, reader.skipped.notes()),
            reader.lifetimes,
            OfflinePlanEntry.plan(file, reader.lifetimes.tensorCount()),
            MicroKernels.of(subgraphs),
            MicroTail.of(subgraphs),
            MicroInPlace.allOf(subgraphs, reader.tensors),
            reader.decompression,
            decodeOrder),
        MicroOperators.of(subgraphs, reader.lifetimes, reader.tensors, decodeOrder));
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
            if (table.type() == TfliteType.RESOURCE) {
              handles.add(tensor(subgraph, tensor, table, HANDLE_BYTES));
            }
          }
        }
      }
    }
  }

  /** {@return the handles that VAR_HANDLE operators keep in memory of their own, in the tail} */
  private static BitSet handlesOfOperators(Subgraph subgraph) {
    BitSet handles = new BitSet();
    for (ModelOperator operator : subgraph.operators()) {
      if (operator.kind().builtinCode() == BuiltinOperator.VAR_HANDLE) {
        operator.outputs().forEach(handles::set);
      }
    }
    return handles;
  }

  private void add(int subgraph, int tensor, TensorTable table, long bytes)
      throws MalformedFileException {
    if (bytes > MAX_SUM_BYTES - MicroAlignment.BYTES - sumBytes) {
      throw file.malformed(
          "is the first tensor at which the sum of all exceeds 2^62 bytes, expected fewer");
    }
    long rounded = MicroAlignment.roundedUp(bytes);
    sumBytes += rounded;
    tensors.add(tensor(subgraph, tensor, table, rounded));
  }

  private MicroTensor tensor(int subgraph, int tensor, TensorTable table, long bytes)
      throws MalformedFileException {
    int index = lifetimes.index(subgraph, tensor);
    return new MicroTensor(
        new TensorId(subgraph, tensor, index),
        table.name(),
        table.knownType().map(type -> new TensorType(table.shape(), type.name())),
        bytes,
        lifetimes.of(index),
        table.isVariable());
  }
}
