package dev.stowage.trace.pytorch;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Locale;

/** The bytes of a pickle, read in order. Numbers are little-endian. */
final class PickleInput {

  private static final int BUFFER_BYTES = 1 << 16;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final InputStream in;
  private final long fileBytes;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /** The number of bytes of the file before the buffer. */
  private long bytesBefore;

  private int position;
  private int limit;

  /**
   * @param fileBytes the number of bytes of the file
   */
  PickleInput(InputStream in, long fileBytes) {
    this.in = in;
    this.fileBytes = fileBytes;
  }

  /** Thrown if the file has fewer bytes than an opcode needs. */
  static final class CutShortException extends EOFException {

    private static final long serialVersionUID = 1L;

    CutShortException(String expectedBytes, long left) {
      super(
          String.format(
              Locale.ROOT,
              "the pickle is cut short: expected %s more bytes, found %d; copy the whole file, or"
                  + " let the program finish writing it",
              expectedBytes,
              left));
    }
  }

  /** {@return the index of the next byte} */
  long offset() {
    return bytesBefore + position;
  }

  /** {@return the number of bytes that follow} */
  long remaining() {
    return Math.max(0, fileBytes - offset());
  }

  int unsignedByte() throws IOException {
    if (position == limit) {
      need(1);
    }
    return buffer[position++] & 0xff;
  }

  int unsignedShort() throws IOException {
    return (int) unsignedNumber(2);
  }

  int signedInt() throws IOException {
    need(Integer.BYTES);
    int value = (int) INT.get(buffer, position);
    position += Integer.BYTES;
    return value;
  }

  long unsignedInt() throws IOException {
    return Integer.toUnsignedLong(signedInt());
  }

  long signedLong() throws IOException {
    return unsignedNumber(Long.BYTES);
  }

  /** {@return a number of {@code byteCount} bytes, 0 to 8 of them, in two's complement} */
  long signedNumber(int byteCount) throws IOException {
    int unusedBits = Long.SIZE - Byte.SIZE * byteCount;
    return (unsignedNumber(byteCount) << unusedBits) >> unusedBits;
  }

  private long unsignedNumber(int byteCount) throws IOException {
    need(byteCount);
    long value = 0;
    for (int i = byteCount - 1; i >= 0; i--) {
      value = (value << Byte.SIZE) | (buffer[position + i] & 0xff);
    }
    position += byteCount;
    return value;
  }

  /** {@return the next bytes; the file bounds the memory that a damaged count can take} */
  byte[] bytes(int count) throws IOException {
    checkRemaining(count);
    byte[] bytes = new byte[count];
    int done = Math.min(bytes.length, limit - position);
    System.arraycopy(buffer, position, bytes, 0, done);
    position += done;
    if (done < bytes.length) {
      int read = in.readNBytes(bytes, done, bytes.length - done);
      bytesBefore += read;
      if (read < bytes.length - done) {
        throw new CutShortException(Integer.toString(count), done + read);
      }
    }
    return bytes;
  }

  void skip(long count) throws IOException {
    checkRemaining(count);
    long inBuffer = Math.min(count, limit - position);
    position += (int) inBuffer;
    if (inBuffer < count) {
      in.skipNBytes(count - inBuffer);
      bytesBefore += count - inBuffer;
    }
  }

  /** Checks that the file has {@code count} more bytes, an unsigned number. */
  void checkRemaining(long count) throws CutShortException {
    if (count < 0 || count > remaining()) {
      throw new CutShortException(Long.toUnsignedString(count), remaining());
    }
  }

  /** Makes sure that the buffer has at least {@code count} bytes, at most its length. */
  private void need(int count) throws IOException {
    if (limit - position < count) {
      fill(count);
    }
  }

  private void fill(int count) throws IOException {
    System.arraycopy(buffer, position, buffer, 0, limit - position);
    bytesBefore += position;
    limit -= position;
    position = 0;
    while (limit < count) {
      int read = in.read(buffer, limit, buffer.length - limit);
      if (read < 0) {
        throw new CutShortException(Integer.toString(count), limit);
      }
      limit += read;
    }
  }
}
