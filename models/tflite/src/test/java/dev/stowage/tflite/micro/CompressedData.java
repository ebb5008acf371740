package dev.stowage.tflite.micro;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** Random values in a compressed form of TensorFlow Lite Micro. */
final class CompressedData {

  private final byte[] encoded;
  private final byte[] ancillary;
  private final int bits;

  private CompressedData(byte[] encoded, byte[] ancillary, int bits) {
    this.encoded = encoded;
    this.ancillary = ancillary;
    this.bits = bits;
  }

  /** {@return the indices, codes or marks; the values themselves if they are plain} */
  byte[] encoded() {
    return encoded;
  }

  /** {@return the header and the tables; the table alone if the metadata names the tensor} */
  byte[] ancillary() {
    return ancillary;
  }

  /** {@return the bits of an index, in the two forms with indices} */
  int bits() {
    return bits;
  }

  /** The forms of a constant. */
  enum Form {
    PLAIN,
    /** Indices that kernels look up; the metadata of the model names the tensor. */
    METADATA,
    LUT,
    HUFFMAN,
    PRUNED
  }

  private static final int HEADER_BYTES = 16;

  /** The symbols of a prefix code: 0, 10, 110, 1110 and 1111. */
  private static final int[] CODE_LENGTHS = {1, 2, 3, 4, 4};

  private static final int[] CODES = {0b0, 0b10, 0b110, 0b1110, 0b1111};
  private static final int LONGEST_CODE = 4;

  /** {@return random values of small magnitude in a form} */
  static CompressedData of(
      Random random, Form form, int count, int elementBytes, int channels, boolean isAlongEnd) {
    return switch (form) {
      case PLAIN -> new CompressedData(values(random, count, elementBytes), new byte[0], 0);
      case METADATA, LUT -> indices(random, form, count, elementBytes, channels);
      case HUFFMAN -> codes(random, count);
      case PRUNED -> marks(random, count, elementBytes);
    };
  }

  private static byte[] values(Random random, int count, int elementBytes) {
    ByteBuffer values = ByteBuffer.allocate(count * elementBytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      int value = random.nextInt(-9, 10);
      if (elementBytes == Integer.BYTES) {
        values.putInt(value * 10);
      } else {
        values.put((byte) value);
      }
    }
    return values.array();
  }

  private static CompressedData indices(
      Random random, Form form, int count, int elementBytes, int channels) {
    int bits = random.nextInt(1, 8);
    int stride = 1 << bits;
    Bits packed = new Bits(count * bits);
    for (int i = 0; i < count; i++) {
      packed.add(random.nextInt(stride), bits);
    }
    byte[] table = values(random, stride * channels, elementBytes);
    byte[] ancillary = form == Form.METADATA ? table : withHeader(0, bits, stride, table);
    return new CompressedData(packed.bytes(), ancillary, bits);
  }

  private static CompressedData codes(Random random, int count) {
    boolean isOf32Bits = random.nextBoolean();
    int entryBytes = isOf32Bits ? Integer.BYTES : Short.BYTES;
    ByteBuffer table =
        ByteBuffer.allocate((1 << LONGEST_CODE) * entryBytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int symbol = 0; symbol < CODES.length; symbol++) {
      int value = random.nextInt(-9, 10);
      int length = CODE_LENGTHS[symbol];
      for (int k = 0; k < 1 << (LONGEST_CODE - length); k++) {
        if (isOf32Bits) {
          table.putInt((1 << 31) | (length << 27) | (value & 0xFF));
        } else {
          table.putShort((short) ((1 << 15) | (length << 11) | (value & 0xFF)));
        }
      }
    }
    // The decoder reads words of 32 bits, and may look at bits behind the last code.
    Bits packed = new Bits((count * LONGEST_CODE + 31) / 32 * 32 + 64);
    for (int i = 0; i < count; i++) {
      int symbol = random.nextInt(CODES.length);
      packed.add(CODES[symbol], CODE_LENGTHS[symbol]);
    }
    int parameters = ((LONGEST_CODE - 1) << 4) | (isOf32Bits ? 1 : 0);
    return new CompressedData(packed.bytes(), withHeader(1, parameters, 0, table.array()), 0);
  }

  private static CompressedData marks(Random random, int count, int elementBytes) {
    Bits packed = new Bits(count);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int mark = random.nextInt(3) == 0 ? 1 : 0;
      kept += mark;
      packed.add(mark, 1);
    }
    return new CompressedData(
        packed.bytes(), withHeader(2, 0, 0, values(random, kept, elementBytes)), 0);
  }

  private static byte[] withHeader(int form, int parameters, int stride, byte[] tables) {
    byte[] all = new byte[HEADER_BYTES + tables.length];
    all[0] = (byte) form;
    all[1] = 1;
    all[4] = 1;
    all[5] = (byte) parameters;
    all[6] = (byte) stride;
    System.arraycopy(tables, 0, all, HEADER_BYTES, tables.length);
    return all;
  }

  /** Bits, the most significant one of each byte first. */
  private static final class Bits {

    private final byte[] bytes;
    private int count;

    Bits(int capacity) {
      bytes = new byte[(capacity + 7) / 8];
    }

    void add(int value, int width) {
      for (int bit = width - 1; bit >= 0; bit--) {
        bytes[count / 8] |= (byte) (((value >> bit) & 1) << (7 - count % 8));
        count++;
      }
    }

    byte[] bytes() {
      return Arrays.copyOf(bytes, bytes.length);
    }
  }
}
