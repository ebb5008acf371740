package dev.stowage.tflite.offline;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.FlatTable;
import dev.stowage.tflite.model.ModelFields;
import dev.stowage.tflite.model.ModelFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Optional;

/**
 * The metadata entry of a model that contains its offline plan for TensorFlow Lite Micro.
 *
 * <p>The buffer of the entry consists of 32-bit words: a version, the number of subgraphs, the
 * number of tensors of all subgraphs, and an offset for each tensor. TensorFlow Lite Micro does not
 * read the first two. A tensor with offset -1 is placed at run time.
 *
 * @param bufferIndex the index of the buffer
 * @param dataAt the position of the words in the file
 * @param dataBytes the bytes of the words
 */
public record OfflinePlanEntry(int bufferIndex, int dataAt, int dataBytes) {

  static final String NAME = "OfflineMemoryAllocation";

  private static final int HEADER_WORDS = 3;
  private static final int COUNT_WORD = 2;

  /**
   * {@return the plan in a model, if it has one}
   *
   * @param file the model
   * @param tensorCount the number of tensors of all subgraphs
   * @throws MalformedFileException if the plan is damaged
   */
  public static Optional<OfflinePlan> plan(ModelFile file, int tensorCount)
      throws MalformedFileException {
    Optional<OfflinePlanEntry> entry = of(file);
    return entry.isPresent()
        ? Optional.of(OfflinePlan.of(entry.get().offsets(file, tensorCount)))
        : Optional.empty();
  }

  /** {@return the bytes of a plan} */
  static long bytes(int tensorCount) {
    return Integer.BYTES * (HEADER_WORDS + (long) tensorCount);
  }

  /** {@return true if a metadata table is the entry of an offline plan} */
  static boolean isNamedIn(FlatTable metadata) {
    return metadata.isText(ModelFields.METADATA_NAME, NAME);
  }

  /** {@return the last entry of a model, which TensorFlow Lite Micro uses} */
  static Optional<OfflinePlanEntry> of(ModelFile file) throws MalformedFileException {
    ByteBuffer bytes = file.bytes();
    FlatTable model = FlatTable.root(bytes);
    int count = file.length("metadata", model.length(ModelFields.METADATA), Integer.BYTES, _ -> {});
    for (int i = count - 1; i >= 0; i--) {
      file.enter("metadata", i);
      file.payTable();
      FlatTable metadata = model.table(ModelFields.METADATA, i);
      if (isNamedIn(metadata)) {
        return Optional.of(of(file, model, metadata));
      }
    }
    return Optional.empty();
  }

  private static OfflinePlanEntry of(ModelFile file, FlatTable model, FlatTable metadata)
      throws MalformedFileException {
    long index = metadata.unsignedInt(ModelFields.METADATA_BUFFER);
    int bufferCount = model.length(ModelFields.BUFFERS);
    if (index >= bufferCount) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "has buffer %d, expected 0 or more and less than %d, the number of buffers",
              index,
              bufferCount));
    }
    FlatTable buffer = model.table(ModelFields.BUFFERS, (int) index);
    int vector = buffer.target(ModelFields.BUFFER_DATA);
    int length =
        file.length(
            "the offline plan", buffer.length(ModelFields.BUFFER_DATA), Byte.BYTES, _ -> {});
    return new OfflinePlanEntry((int) index, vector + Integer.BYTES, length);
  }

  /**
   * {@return the offsets of the plan, by tensor of all subgraphs}
   *
   * @param tensorCount the number of these tensors
   */
  private int[] offsets(ModelFile file, int tensorCount) throws MalformedFileException {
    file.enter("metadata " + NAME + ", buffer", bufferIndex);
    long expectedBytes = bytes(tensorCount);
    int foundCount =
        dataBytes < HEADER_WORDS * Integer.BYTES
            ? 0
            : file.bytes().getInt(dataAt + COUNT_WORD * Integer.BYTES);
    if (dataBytes < expectedBytes || foundCount != tensorCount) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "has %d bytes and %d offsets, expected %d bytes and %d offsets, one for each tensor",
              dataBytes,
              foundCount,
              expectedBytes,
              tensorCount));
    }
    int[] offsets = new int[tensorCount];
    for (int tensor = 0; tensor < tensorCount; tensor++) {
      offsets[tensor] = file.bytes().getInt(dataAt + Integer.BYTES * (HEADER_WORDS + tensor));
      if (offsets[tensor] < OfflinePlan.AT_RUN_TIME) {
        throw file.malformed(
            String.format(
                Locale.ROOT,
                "has offset %d for tensor %d, expected 0 or more, or -1 for a tensor placed at run time",
                offsets[tensor],
                tensor));
      }
    }
    return offsets;
  }

  /**
   * {@return true if another buffer, a tensor or other metadata shares the data of the plan, and
   * would change with it}
   */
  boolean isShared(ModelFile file) {
    FlatTable model = FlatTable.root(file.bytes());
    return isDataOfAnotherBuffer(model)
        || isBufferOfATensor(model)
        || isBufferOfOtherMetadata(model);
  }

  private boolean isDataOfAnotherBuffer(FlatTable model) {
    for (int i = 0; i < model.length(ModelFields.BUFFERS); i++) {
      int vector = model.table(ModelFields.BUFFERS, i).target(ModelFields.BUFFER_DATA);
      if (i != bufferIndex && vector + Integer.BYTES == dataAt) {
        return true;
      }
    }
    return false;
  }

  private boolean isBufferOfATensor(FlatTable model) {
    for (int s = 0; s < model.length(ModelFields.SUBGRAPHS); s++) {
      FlatTable subgraph = model.table(ModelFields.SUBGRAPHS, s);
      for (int t = 0; t < subgraph.length(ModelFields.SUBGRAPH_TENSORS); t++) {
        FlatTable tensor = subgraph.table(ModelFields.SUBGRAPH_TENSORS, t);
        if (tensor.unsignedInt(ModelFields.TENSOR_BUFFER) == bufferIndex) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isBufferOfOtherMetadata(FlatTable model) {
    for (int i = 0; i < model.length(ModelFields.METADATA); i++) {
      FlatTable metadata = model.table(ModelFields.METADATA, i);
      if (metadata.unsignedInt(ModelFields.METADATA_BUFFER) == bufferIndex
          && !isNamedIn(metadata)) {
        return true;
      }
    }
    for (int i = 0; i < model.length(ModelFields.METADATA_BUFFERS); i++) {
      if (model.unsignedInt(ModelFields.METADATA_BUFFERS, i) == bufferIndex) {
        return true;
      }
    }
    return false;
  }

  /** {@return the words of a plan} */
  static ByteBuffer words(int subgraphCount, int[] offsets) {
    ByteBuffer words =
        ByteBuffer.allocate(Math.toIntExact(bytes(offsets.length)))
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(1)
            .putInt(subgraphCount)
            .putInt(offsets.length);
    for (int offset : offsets) {
      words.putInt(offset);
    }
    return words.flip();
  }
}
