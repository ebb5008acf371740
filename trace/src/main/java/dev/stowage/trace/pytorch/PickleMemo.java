package dev.stowage.trace.pytorch;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The memo of a pickle: values that the pickle takes again by their index. It keeps a value only
 * until it is taken for the last time.
 */
final class PickleMemo {

  /*
   * Python puts every dict, list and string into the memo, and takes few of them again. A first pass
   * over the opcodes counts how often each index is taken. Indexes are dense, so the counts are pages of
   * bytes; a count of MANY means that the value is kept until the end.
   *
   * An index is at most the number of bytes before it, since Python counts from 0. So the file bounds the
   * pages.
   */

  private static final int PAGE_BITS = 10;
  private static final int PAGE_ENTRIES = 1 << PAGE_BITS;
  private static final int MANY = 255;

  private @Nullable Page[] pages = new Page[16];
  private long nextIndex;

  /** The counts and values of consecutive indexes. */
  private static final class Page {

    private final byte[] takes = new byte[PAGE_ENTRIES];
    private @Nullable Object[] values = new Object[0];
    private int heldCount;
  }

  /** {@return an empty memo for a pickle; the bytes are read until the end or an invalid opcode} */
  static PickleMemo of(PickleInput in) throws IOException {
    PickleMemo memo = new PickleMemo();
    try {
      memo.countGets(in);
    } catch (PickleInput.CutShortException e) {
      // The second pass reports it.
      return memo;
    }
    return memo;
  }

  private void countGets(PickleInput in) throws IOException {
    while (true) {
      long offset = in.offset();
      int opcode = in.unsignedByte();
      switch (opcode) {
        case 'h' -> countGet(in.unsignedByte(), offset);
        case 'j' -> countGet(in.unsignedInt(), offset);
        case '.' -> {
          return;
        }
        default -> {
          if (!skipOperand(opcode, in)) {
            return;
          }
        }
      }
    }
  }

  /** Skips the operand of an opcode; {@return false if there is no such opcode} */
  private static boolean skipOperand(int opcode, PickleInput in) throws IOException {
    switch (opcode) {
      case 'N',
          0x88,
          0x89,
          '(',
          '}',
          ']',
          ')',
          'd',
          'l',
          't',
          0x85,
          0x86,
          0x87,
          's',
          'u',
          'a',
          'e',
          0x94 ->
          in.skip(0);
      case 0x80, 'K', 'q' -> in.skip(1);
      case 'M' -> in.skip(2);
      case 'J', 'r' -> in.skip(4);
      case 'G', 0x95 -> in.skip(8);
      case 0x8a, 0x8c, 'C' -> in.skip(in.unsignedByte());
      case 'X', 'B' -> in.skip(in.unsignedInt());
      default -> {
        return false;
      }
    }
    return true;
  }

  private void countGet(long index, long offset) {
    if (index > offset) {
      return;
    }
    int number = (int) (index >>> PAGE_BITS);
    if (number >= pages.length) {
      pages = Arrays.copyOf(pages, Math.max(number + 1, 2 * pages.length));
    }
    Page page = pages[number];
    if (page == null) {
      page = new Page();
      pages[number] = page;
    }
    int entry = entry(index);
    if ((page.takes[entry] & 0xff) != MANY) {
      page.takes[entry]++;
    }
  }

  /** Puts a value at the next index. */
  void add(Object value) {
    put(nextIndex, value);
  }

  /** Puts a value at an index; the pickle has at least this many bytes before. */
  void put(long index, Object value) {
    nextIndex = Math.max(nextIndex, index + 1);
    Page page = page(index);
    if (page == null || page.takes[entry(index)] == 0) {
      return;
    }
    if (page.values.length == 0) {
      page.values = new Object[PAGE_ENTRIES];
    }
    if (page.values[entry(index)] == null) {
      page.heldCount++;
    }
    page.values[entry(index)] = value;
  }

  /** {@return the value at an index, or null if there is none} */
  @Nullable Object take(long index) {
    Page page = page(index);
    if (page == null || page.values.length == 0) {
      return null;
    }
    int entry = entry(index);
    Object value = page.values[entry];
    int takes = page.takes[entry] & 0xff;
    if (value != null && takes != MANY) {
      page.takes[entry]--;
      if (takes == 1) {
        release(page, entry);
      }
    }
    return value;
  }

  private static void release(Page page, int entry) {
    page.values[entry] = null;
    if (--page.heldCount == 0) {
      page.values = new Object[0];
    }
  }

  private @Nullable Page page(long index) {
    long page = index >>> PAGE_BITS;
    return page < pages.length ? pages[(int) page] : null;
  }

  private static int entry(long index) {
    return (int) index & (PAGE_ENTRIES - 1);
  }
}
