package dev.stowage.pages;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.zip.Deflater;

/**
 * Bytes as a raw deflate stream. Numbers have 7 bits in each byte, the lowest first, with the sign
 * in their lowest bit, so that small ones are short.
 */
final class PackedBytes extends OutputStream {

  private static final int BLOCK_BYTES = 1 << 16;

  private final ByteArrayOutputStream packed = new ByteArrayOutputStream();
  private final byte[] block = new byte[BLOCK_BYTES];
  private final byte[] piece = new byte[BLOCK_BYTES];
  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private int count;

  void number(long value) {
    long rest = (value << 1) ^ (value >> 63);
    while ((rest & ~0x7fL) != 0) {
      write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    write((int) rest);
  }

  @Override
  public void write(int value) {
    if (count == BLOCK_BYTES) {
      pack();
    }
    block[count++] = (byte) value;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      write(bytes[i]);
    }
  }

  private void pack() {
    deflater.setInput(block, 0, count);
    while (!deflater.needsInput()) {
      packed.write(piece, 0, deflater.deflate(piece));
    }
    count = 0;
  }

  /** {@return the packed bytes; no more bytes can be added} */
  byte[] finish() {
    pack();
    deflater.finish();
    while (!deflater.finished()) {
      packed.write(piece, 0, deflater.deflate(piece));
    }
    deflater.end();
    return packed.toByteArray();
  }
}
