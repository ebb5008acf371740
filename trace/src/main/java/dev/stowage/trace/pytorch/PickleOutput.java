package dev.stowage.trace.pytorch;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * An output of values in Python's pickle protocol 4. It uses only opcodes that the viewer of
 * PyTorch's snapshots reads.
 */
final class PickleOutput implements Closeable {

  /*
   * The memo of a pickle numbers the values before each MEMOIZE, from 0. A text or another value
   * that is written again is taken from the memo. The memo has a limit, so that a trace without
   * equal stacks needs no more memory than others; further values are written each time.
   */

  static final int MAX_MEMO = 1 << 16;

  private static final int LONGEST_SHORT_TEXT = 255;

  private final OutputStream out;
  private final Map<Object, Integer> memo = new HashMap<>();

  PickleOutput(OutputStream out) throws IOException {
    this.out = new BufferedOutputStream(out, 1 << 16);
    this.out.write(0x80);
    this.out.write(4);
  }

  void openDict() throws IOException {
    out.write('}');
    out.write('(');
  }

  void closeDict() throws IOException {
    out.write('u');
  }

  void emptyList() throws IOException {
    out.write(']');
  }

  /** Starts items of the list that was written last, at most 1000 of them. */
  void openItems() throws IOException {
    out.write('(');
  }

  void closeItems() throws IOException {
    out.write('e');
  }

  /** Adds the value that was written last to the list that was written before it. */
  void append() throws IOException {
    out.write('a');
  }

  void pair(long first, long second) throws IOException {
    number(first);
    number(second);
    out.write(0x86);
  }

  void flag(boolean value) throws IOException {
    out.write(value ? 0x88 : 0x89);
  }

  void fraction(double value) throws IOException {
    out.write('G');
    long bits = Double.doubleToLongBits(value);
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      out.write((int) (bits >>> shift));
    }
  }

  void number(long value) throws IOException {
    if (value >= 0 && value < 1 << 8) {
      out.write('K');
      bytes(value, 1);
    } else if (value >= 0 && value < 1 << 16) {
      out.write('M');
      bytes(value, 2);
    } else if ((int) value == value) {
      out.write('J');
      bytes(value, Integer.BYTES);
    } else {
      int bits = Long.SIZE + 1 - Long.numberOfLeadingZeros(value < 0 ? ~value : value);
      int count = (bits + Byte.SIZE - 1) / Byte.SIZE;
      out.write(0x8a);
      out.write(count);
      bytes(value, count);
    }
  }

  /** Writes an unsigned number, such as an address, from the bits of a long. */
  void unsigned(long value) throws IOException {
    if (value >= 0) {
      number(value);
    } else {
      out.write(0x8a);
      out.write(Long.BYTES + 1);
      bytes(value, Long.BYTES);
      out.write(0);
    }
  }

  /** Writes a text that occurs often. */
  void text(String value) throws IOException {
    if (!writeFromMemo(value)) {
      byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
      if (utf8.length <= LONGEST_SHORT_TEXT) {
        out.write(0x8c);
        out.write(utf8.length);
      } else {
        out.write('X');
        bytes(utf8.length, Integer.BYTES);
      }
      out.write(utf8);
      memoize(value);
    }
  }

  /** {@return true if a value was in the memo, from which this method takes it} */
  boolean writeFromMemo(Object value) throws IOException {
    Integer index = memo.get(value);
    if (index == null) {
      return false;
    }
    if (index < 1 << 8) {
      out.write('h');
      bytes(index, 1);
    } else {
      out.write('j');
      bytes(index, Integer.BYTES);
    }
    return true;
  }

  /** Adds the value that was written last to the memo, unless the memo is full. */
  void memoize(Object value) throws IOException {
    if (memo.size() < MAX_MEMO) {
      memo.put(value, memo.size());
      out.write(0x94);
    }
  }

  private void bytes(long value, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      out.write((int) (value >>> (i * Byte.SIZE)));
    }
  }

  /** Ends the pickle. */
  void stop() throws IOException {
    out.write('.');
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
