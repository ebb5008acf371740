package dev.stowage.tflite.model;

import dev.stowage.plan.MalformedFileException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Locale;
import org.tensorflow.lite.schema.Buffer;
import org.tensorflow.lite.schema.Model;

/**
 * The buffers of a model. A tensor is a constant if its buffer has data.
 *
 * @param count the number of buffers
 * @param withData the buffers with data
 */
public record ConstantBuffers(int count, BitSet withData) {

  /** {@return the buffers of a model; checks that the data is in the file, and does not read it} */
  static ConstantBuffers of(ModelFile file, Model model) throws MalformedFileException {
    int count = file.length("buffers", model.buffersLength(), Integer.BYTES, model::buffers);
    BitSet withData = new BitSet();
    Buffer buffer = new Buffer();
    FlatTable root = FlatTable.root(file.bytes());
    for (int i = 0; i < count; i++) {
      file.enter("buffer", i);
      file.payTable();
      model.buffers(buffer, i);
      // By convention, buffer 0 means no data.
      if (hasData(file, buffer, root.table(ModelFields.BUFFERS, i)) && i > 0) {
        withData.set(i);
      }
    }
    return new ConstantBuffers(count, withData);
  }

  /** {@return the data of a buffer within the flatbuffer; empty if it has none there} */
  static ByteBuffer data(ModelFile file, int index) {
    FlatTable buffer = FlatTable.root(file.bytes()).table(ModelFields.BUFFERS, index);
    int vector = buffer.target(ModelFields.BUFFER_DATA);
    int length = buffer.length(ModelFields.BUFFER_DATA);
    return vector == 0 || length == 0
        ? ByteBuffer.allocate(0)
        : file.bytes().slice(vector + Integer.BYTES, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static boolean hasData(ModelFile file, Buffer buffer, FlatTable newer)
      throws MalformedFileException {
    int dataBytes = buffer.dataLength();
    if (dataBytes < 0) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "data has the length %d, expected less than 2^31",
              Integer.toUnsignedLong(dataBytes)));
    }
    if (dataBytes > 0) {
      // Reads the last byte, because truncated files often end within their weights.
      buffer.data(dataBytes - 1);
      return true;
    }
    // The published schema classes lack the field for data after the flatbuffer. The schema defines
    // offsets above 1 as valid.
    long offset = newer.longAt(ModelFields.BUFFER_OFFSET);
    long bytes = newer.longAt(ModelFields.BUFFER_BYTES);
    boolean isExternal = Long.compareUnsigned(offset, 1) > 0 && bytes != 0;
    if (isExternal) {
      checkWithin(file, offset, bytes);
    }
    return isExternal;
  }

  private static void checkWithin(ModelFile file, long offset, long sizeBytes)
      throws MalformedFileException {
    boolean isWithin =
        offset >= 0
            && offset <= file.fileBytes()
            && sizeBytes >= 0
            && sizeBytes <= file.fileBytes() - offset;
    if (!isWithin) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "data is at byte %s with the length %s, expected it within the %d bytes of the file",
              Long.toUnsignedString(offset),
              Long.toUnsignedString(sizeBytes),
              file.fileBytes()));
    }
  }
}
