package dev.stowage.tflite.model;

import dev.stowage.plan.MalformedFileException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The compressed constants of a model: their data are indices into tables of values. Kernels of
 * TensorFlow Lite Micro look up the values each time they read such a constant.
 *
 * <p>The metadata entry {@code COMPRESSION_METADATA} lists them. Its buffer is a flatbuffer of its
 * own; source: {@code micro/compression/metadata.fbs} and {@code micro_allocator.cc} of
 * tflite-micro, 2026-08. Newer programs write operators {@code TFLM_DECODE} instead.
 */
public final class CompressedTensors {

  private static final String NAME = "COMPRESSION_METADATA";

  private static final int MAX_VERSION = 1;
  private static final int MAX_INDEX_BITS = 7;

  // The fields of the nested flatbuffer.
  private static final int VERSION = 0;
  private static final int SUBGRAPHS = 1;
  private static final int TENSORS = 0;
  private static final int TENSOR = 0;
  private static final int VALUE_BUFFER = 1;
  private static final int INDEX_BITS = 2;

  private final ModelFile file;
  private final List<Subgraph> subgraphs;
  private final List<BitSet> compressed = new ArrayList<>();

  private CompressedTensors(ModelFile file, List<Subgraph> subgraphs) {
    this.file = file;
    this.subgraphs = subgraphs;
    subgraphs.forEach(_ -> compressed.add(new BitSet()));
  }

  /**
   * {@return the compressed tensors of each subgraph}
   *
   * @throws MalformedFileException if the entry of the metadata is damaged, or if a tensor has less
   *     data than its shape needs
   */
  public static List<BitSet> of(ModelFile file, List<Subgraph> subgraphs)
      throws MalformedFileException {
    CompressedTensors tensors = new CompressedTensors(file, subgraphs);
    Optional<Integer> buffer = tensors.buffer();
    if (buffer.isPresent()) {
      tensors.read(buffer.get());
    }
    return tensors.compressed;
  }

  /** {@return the buffer of the first entry} */
  private Optional<Integer> buffer() throws MalformedFileException {
    FlatTable model = FlatTable.root(file.bytes());
    int count = file.length("metadata", model.length(ModelFields.METADATA), Integer.BYTES, _ -> {});
    for (int i = 0; i < count; i++) {
      file.enter("metadata", i);
      file.payTable();
      FlatTable metadata = model.table(ModelFields.METADATA, i);
      if (metadata.isText(ModelFields.METADATA_NAME, NAME)) {
        return Optional.of(dataBuffer("buffer", metadata.unsignedInt(ModelFields.METADATA_BUFFER)));
      }
    }
    return Optional.empty();
  }

  /** {@return the index of a buffer with data} */
  private int dataBuffer(String field, long index) throws MalformedFileException {
    int count = FlatTable.root(file.bytes()).length(ModelFields.BUFFERS);
    if (index == 0 || index >= count || !ConstantBuffers.data(file, (int) index).hasRemaining()) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "has %s %d, expected one of the %d buffers, with data",
              field,
              index,
              count));
    }
    return (int) index;
  }

  private void read(int buffer) throws MalformedFileException {
    enter(buffer);
    ByteBuffer data = ConstantBuffers.data(file, buffer).order(ByteOrder.LITTLE_ENDIAN);
    FlatTable root = FlatTable.root(data);
    long version = root.field(VERSION) == 0 ? MAX_VERSION : root.unsignedInt(VERSION);
    if (version > MAX_VERSION) {
      throw file.malformed(
          String.format(Locale.ROOT, "has version %d, expected at most %d", version, MAX_VERSION));
    }
    int subgraphCount = length("subgraphs", root, SUBGRAPHS);
    if (subgraphCount == 0 || subgraphCount > subgraphs.size()) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "has %d subgraphs, expected 1 to %d, the number of subgraphs of the model",
              subgraphCount,
              subgraphs.size()));
    }
    for (int i = 0; i < subgraphCount; i++) {
      enter(buffer);
      file.payTable();
      FlatTable subgraph = root.table(SUBGRAPHS, i);
      int tensorCount = length("tensors", subgraph, TENSORS);
      if (tensorCount == 0) {
        throw file.malformed(
            String.format(Locale.ROOT, "has no tensor of subgraph %d, expected 1 or more", i));
      }
      for (int k = 0; k < tensorCount; k++) {
        enter(buffer);
        file.payTable();
        read(i, subgraph.table(TENSORS, k));
      }
    }
  }

  private void enter(int buffer) {
    file.enter("metadata " + NAME + ", buffer", buffer);
  }

  private int length(String vector, FlatTable table, int field) throws MalformedFileException {
    return file.length(
        vector,
        table.length(field),
        Integer.BYTES,
        last -> {
          FlatTable _ = table.table(field, last);
        });
  }

  private void read(int subgraph, FlatTable entry) throws MalformedFileException {
    TensorTable table = subgraphs.get(subgraph).tensors();
    long tensor = entry.unsignedInt(TENSOR);
    if (tensor >= table.count() || compressed.get(subgraph).get((int) tensor)) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "has tensor %d of subgraph %d, expected each tensor once, and less than %d, the number of tensors",
              tensor,
              subgraph,
              table.count()));
    }
    compressed.get(subgraph).set((int) tensor);
    int bits = entry.unsignedByte(INDEX_BITS);
    table.moveTo((int) tensor);
    if (bits == 0 || bits > MAX_INDEX_BITS) {
      throw file.malformed(
          String.format(Locale.ROOT, "is compressed to indices of %d bits, expected 1 to 7", bits));
    }
    dataBuffer("value buffer", entry.unsignedInt(VALUE_BUFFER));
    if (table.scaleCount() > 1 && !table.isScaleDimensionSupported()) {
      throw file.malformed(
          "is compressed, but has scales of an inner dimension, expected scales of the first or the last one");
    }
    int dataBytes = table.data().remaining();
    if (table.microBytes() instanceof TensorBytes.Known(long bytes)) {
      long indexBytes = DecodeOperator.indexBytes(bytes / table.microElementBytes(), bits);
      if (dataBytes < indexBytes) {
        throw file.malformed(
            String.format(
                Locale.ROOT,
                "has %d bytes of indices, expected %d or more for its shape",
                dataBytes,
                indexBytes));
      }
    }
  }
}
