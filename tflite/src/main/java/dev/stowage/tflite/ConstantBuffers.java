package dev.stowage.tflite;

import dev.stowage.core.MalformedFileException;
import java.util.BitSet;
import java.util.Locale;
import org.tensorflow.lite.schema.Buffer;
import org.tensorflow.lite.schema.Model;

/**
 * Which of a model's buffers have data: tensors of these are constants.
 *
 * @param count how many buffers there are
 * @param withData those that have data
 */
record ConstantBuffers(int count, BitSet withData) {

  /** {@return the buffers of a model; not their data, but that it lies in the file} */
  static ConstantBuffers of(ModelFile file, Model model) throws MalformedFileException {
    int count = file.length("buffers", model.buffersLength(), Integer.BYTES, model::buffers);
    BitSet withData = new BitSet();
    Buffer buffer = new Buffer();
    ExternalBuffer external = file.externalBuffer();
    for (int i = 0; i < count; i++) {
      file.enter("buffer", i);
      file.payTable();
      model.buffers(buffer, i);
      external.moveTo(i);
      // Buffer 0 stands for no data, by convention.
      if (hasData(file, buffer, external) && i > 0) {
        withData.set(i);
      }
    }
    return new ConstantBuffers(count, withData);
  }

  private static boolean hasData(ModelFile file, Buffer buffer, ExternalBuffer external)
      throws MalformedFileException {
    int dataBytes = buffer.dataLength();
    if (dataBytes < 0) {
      throw file.malformed(
          String.format(
              Locale.ROOT,
              "data has a length of %d, expected less than 2^31",
              Integer.toUnsignedLong(dataBytes)));
    }
    if (dataBytes > 0) {
      // The last byte, to see that it is there: files are cut in the middle of their weights.
      buffer.data(dataBytes - 1);
      return true;
    }
    if (external.hasData()) {
      checkWithin(file, external.offset(), external.sizeBytes());
      return true;
    }
    return false;
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
              "data lies at byte %s with a length of %s, expected it within the file's %d bytes",
              Long.toUnsignedString(offset),
              Long.toUnsignedString(sizeBytes),
              file.fileBytes()));
    }
  }
}
