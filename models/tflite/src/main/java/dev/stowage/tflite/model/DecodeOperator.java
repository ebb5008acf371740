package dev.stowage.tflite.model;

import dev.stowage.plan.MalformedFileException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * The inputs of an operator {@code TFLM_DECODE}: TensorFlow Lite Micro decodes constants from them
 * into the outputs.
 *
 * <p>Each output has two constants as inputs: the encoded data, and ancillary data with a header of
 * 16 bytes and tables. Source: {@code decode_state*.h} in the kernels of tflite-micro, 2026-08.
 */
public final class DecodeOperator {

  private static final int HEADER_BYTES = 16;
  private static final int VERSION = 1;

  /** The byte of the header with the kind of encoding. */
  private static final int ENCODING_AT = 0;

  private static final int VERSION_AT = 1;

  /** The byte of the header with the version of the encoding; its parameters follow. */
  private static final int ENCODING_VERSION_AT = 4;

  private static final int PARAMETERS_AT = 5;
  private static final int STRIDE_AT = 6;

  private static final int TABLE = 0;
  private static final int HUFFMAN = 1;
  private static final int PRUNED = 2;

  private static final int MAX_INDEX_BITS = 7;

  private final ModelFile file;
  private final TensorTable tensors;
  private final int index;

  private DecodeOperator(ModelFile file, TensorTable tensors, int index) {
    this.file = file;
    this.tensors = tensors;
    this.index = index;
  }

  /**
   * Checks the inputs of an operator.
   *
   * @param tensors the tensors of its subgraph
   * @param operator the operator
   * @param index its index
   * @return a kind of encoding that TensorFlow Lite Micro of 2026-08 does not have; empty if there
   *     is none
   * @throws MalformedFileException if an input is no constant, or has less data than the output
   *     needs
   */
  public static OptionalInt check(
      ModelFile file, TensorTable tensors, ModelOperator operator, int index)
      throws MalformedFileException {
    return new DecodeOperator(file, tensors, index).check(operator);
  }

  private OptionalInt check(ModelOperator operator) throws MalformedFileException {
    List<Integer> inputs = operator.inputs();
    List<Integer> outputs = operator.outputs();
    if (outputs.isEmpty() || inputs.size() != 2 * outputs.size()) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "has %d inputs and %d outputs, expected an output or more, and an encoded and an ancillary tensor for each",
              inputs.size(),
              outputs.size()));
    }
    OptionalInt unknown = OptionalInt.empty();
    for (int i = 0; i < outputs.size(); i++) {
      ByteBuffer encoded = constant(inputs.get(2 * i));
      ByteBuffer ancillary = constant(inputs.get(2 * i + 1));
      int ancillaryTensor = inputs.get(2 * i + 1);
      if (ancillary.remaining() < HEADER_BYTES) {
        throw malformed(
            String.format(
                Locale.ROOT,
                "has %d bytes in the ancillary tensor %d, expected the header of %d bytes or more",
                ancillary.remaining(),
                ancillaryTensor,
                HEADER_BYTES));
      }
      int encoding = unsigned(ancillary, ENCODING_AT);
      checkVersion(ancillary, VERSION_AT, ancillaryTensor);
      if (encoding <= PRUNED) {
        checkVersion(ancillary, ENCODING_VERSION_AT, ancillaryTensor);
        checkData(encoding, encoded, ancillary, outputs.get(i));
      } else {
        unknown = OptionalInt.of(encoding);
      }
    }
    return unknown;
  }

  private void checkVersion(ByteBuffer ancillary, int at, int tensor)
      throws MalformedFileException {
    int version = unsigned(ancillary, at);
    if (version != VERSION) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "has version %d in byte %d of the ancillary tensor %d, expected %d",
              version,
              at,
              tensor,
              VERSION));
    }
  }

  /** Checks that the kernel, which checks no bounds, reads only bytes of the inputs. */
  private void checkData(int encoding, ByteBuffer encoded, ByteBuffer ancillary, int output)
      throws MalformedFileException {
    tensors.moveTo(output);
    if (!(tensors.microBytes() instanceof TensorBytes.Known(long bytes)) || bytes == 0) {
      return;
    }
    int elementBytes = tensors.microElementBytes();
    long elementCount = bytes / elementBytes;
    int channelCount = Math.max(1, tensors.scaleCount());
    boolean isSupported = tensors.isScaleDimensionSupported();
    int tableBytes = ancillary.remaining() - HEADER_BYTES;
    if (encoding != HUFFMAN && !isSupported) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "decodes tensor %d with scales of another dimension, expected scales of the first one, or several of the last one",
              output));
    }
    switch (encoding) {
      case TABLE -> {
        int bits = unsigned(ancillary, PARAMETERS_AT) & MAX_INDEX_BITS;
        if (bits == 0) {
          throw malformed("has 0 bits for each index into tables, expected 1 to 7");
        }
        checkEncoded(encoded, indexBytes(elementCount, bits));
        int stride = unsigned(ancillary, STRIDE_AT);
        checkTables(tableBytes, ((channelCount - 1L) * stride + 1) * elementBytes);
      }
      case HUFFMAN -> {
        int parameters = unsigned(ancillary, PARAMETERS_AT);
        int entryBytes = (parameters & 1) != 0 ? Integer.BYTES : Short.BYTES;
        checkEncoded(encoded, Integer.BYTES);
        checkTables(tableBytes, (2L << (parameters >> 4)) * entryBytes);
      }
      default -> {
        checkEncoded(encoded, Math.ceilDiv(elementCount, Byte.SIZE));
        checkTables(tableBytes, ones(encoded, elementCount) * elementBytes);
      }
    }
  }

  /** {@return the bytes of packed indices} */
  static long indexBytes(long elementCount, int bits) {
    // The product of both may exceed 63 bits in a damaged file.
    long fullBytes = elementCount / Byte.SIZE * bits;
    return fullBytes + Math.ceilDiv(elementCount % Byte.SIZE * bits, Byte.SIZE);
  }

  /** {@return the bits that are set among the first ones} */
  private long ones(ByteBuffer encoded, long bitCount) throws MalformedFileException {
    long ones = 0;
    int fullBytes =
        file.length("encoded data", (int) (bitCount / Byte.SIZE), Byte.BYTES, encoded::get);
    for (int i = 0; i < fullBytes; i++) {
      ones += Integer.bitCount(unsigned(encoded, i));
    }
    int rest = (int) (bitCount % Byte.SIZE);
    return rest == 0
        ? ones
        : ones + Integer.bitCount(unsigned(encoded, fullBytes) >> (Byte.SIZE - rest));
  }

  private void checkEncoded(ByteBuffer encoded, long neededBytes) throws MalformedFileException {
    if (encoded.remaining() < neededBytes) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "has %d bytes of encoded data, expected %d or more for the shape of its output",
              encoded.remaining(),
              neededBytes));
    }
  }

  private void checkTables(int tableBytes, long neededBytes) throws MalformedFileException {
    if (tableBytes < neededBytes) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "has %d bytes of tables in its ancillary tensor, expected %d or more",
              tableBytes,
              neededBytes));
    }
  }

  private ByteBuffer constant(int tensor) throws MalformedFileException {
    tensors.moveTo(tensor);
    ByteBuffer data = tensors.data();
    if (!data.hasRemaining()) {
      throw malformed(
          String.format(
              Locale.ROOT, "reads tensor %d, which has no data, expected a constant", tensor));
    }
    return data;
  }

  private static int unsigned(ByteBuffer data, int at) {
    return Byte.toUnsignedInt(data.get(at));
  }

  private MalformedFileException malformed(String problem) {
    file.enter("operator", index);
    return file.malformed("TFLM_DECODE " + problem);
  }
}
