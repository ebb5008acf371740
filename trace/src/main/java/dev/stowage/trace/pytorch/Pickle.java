package dev.stowage.trace.pytorch;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A reader of values that Python pickled with protocol 2 to 5. It creates only plain values.
 *
 * <p>A dict becomes a {@link PickleDict}, a list a {@link PickleList}, a tuple a {@link Tuple}. The
 * other values are {@link String}, {@link Long}, {@link BigInteger}, {@link Double}, {@link
 * Boolean} and {@link None}, which also stands for bytes. The reader rejects all opcodes that
 * create objects of classes or call functions.
 */
final class Pickle {

  /*
   * A pickle is a program for a machine with a stack and a memo. A mark is the position on the
   * stack where a run of values begins. Here, the marks are positions in a stack of their own.
   *
   * Each value takes at least one byte of the file, and each length is compared with the rest of the
   * file, so that the file size bounds the memory. There is no recursion. The consumer of list items
   * replaces the large values of a snapshot by compact ones as soon as they are complete.
   */

  /** Python's None. */
  enum None {
    NONE
  }

  /** A tuple of Python. */
  record Tuple(List<Object> values) {}

  /** A consumer of the items that the pickle appends to a list. */
  interface ListItems {

    /** Appends an item to a list, or keeps it in another form. */
    void append(PickleList list, Object item);
  }

  /** The names of opcodes that create objects or call functions. */
  private static final Map<Integer, String> REFUSED =
      Map.ofEntries(
          Map.entry((int) 'c', "GLOBAL"),
          Map.entry(0x93, "STACK_GLOBAL"),
          Map.entry((int) 'R', "REDUCE"),
          Map.entry((int) 'b', "BUILD"),
          Map.entry((int) 'i', "INST"),
          Map.entry((int) 'o', "OBJ"),
          Map.entry(0x81, "NEWOBJ"),
          Map.entry(0x92, "NEWOBJ_EX"),
          Map.entry(0x82, "EXT1"),
          Map.entry(0x83, "EXT2"),
          Map.entry(0x84, "EXT4"),
          Map.entry((int) 'P', "PERSID"),
          Map.entry((int) 'Q', "BINPERSID"));

  /**
   * The length of the longest string that is read; strings of snapshots have some hundred bytes.
   */
  private static final int MAX_TEXT_BYTES = 1 << 28;

  private final String source;
  private final PickleInput in;
  private final PickleMemo memo;
  private final ListItems listItems;

  private Object[] stack = new Object[64];
  private int height;
  private int[] marks = new int[16];
  private int markCount;

  /** The index of the last opcode that was read. */
  private long opcodeIndex;

  private Pickle(String source, PickleInput in, PickleMemo memo, ListItems listItems) {
    this.source = source;
    this.in = in;
    this.memo = memo;
    this.listItems = listItems;
  }

  /**
   * {@return the value of a pickle}
   *
   * @param source the name of the file in messages
   * @throws MalformedFileException if the file is not a pickle, is cut short, or creates other
   *     values
   */
  static Object read(String source, PickleSource file, ListItems listItems) throws IOException {
    PickleMemo memo;
    try (InputStream in = file.open()) {
      memo = PickleMemo.of(new PickleInput(in, file.byteCount()));
    }
    try (InputStream in = file.open()) {
      Pickle pickle = new Pickle(source, new PickleInput(in, file.byteCount()), memo, listItems);
      return pickle.read();
    }
  }

  private Object read() throws IOException {
    try {
      while (true) {
        opcodeIndex = in.offset();
        int opcode = in.unsignedByte();
        switch (opcode) {
          case 'h' -> push(remembered(in.unsignedByte()));
          case 'j' -> push(remembered(in.unsignedInt()));
          case '.' -> {
            return stop();
          }
          default -> {
            if (!scalar(opcode) && !container(opcode) && !memo(opcode)) {
              throw refused(opcode);
            }
          }
        }
      }
    } catch (PickleInput.CutShortException e) {
      throw malformed(String.valueOf(e.getMessage()));
    }
  }

  private Object stop() throws MalformedFileException {
    if (height != 1 || markCount != 0) {
      throw malformed(
          String.format(Locale.ROOT, "the pickle ends with %d values, expected 1", height));
    }
    if (in.remaining() > 0) {
      throw malformed(
          String.format(Locale.ROOT, "the pickle ends here, but %d bytes follow", in.remaining()));
    }
    return top();
  }

  private boolean scalar(int opcode) throws IOException {
    switch (opcode) {
      case 0x80 -> protocol();
      case 0x95 -> frame();
      case 'N' -> push(None.NONE);
      case 0x88 -> push(true);
      case 0x89 -> push(false);
      case 'K' -> push((long) in.unsignedByte());
      case 'M' -> push((long) in.unsignedShort());
      case 'J' -> push((long) in.signedInt());
      case 'G' -> push(Double.longBitsToDouble(Long.reverseBytes(in.signedLong())));
      case 0x8a -> push(longInteger(in.unsignedByte()));
      case 0x8c -> push(text(in.unsignedByte()));
      case 'X' -> push(text(in.unsignedInt()));
      case 'C' -> bytes(in.unsignedByte());
      case 'B' -> bytes(in.unsignedInt());
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean container(int opcode) throws MalformedFileException {
    switch (opcode) {
      case '(' -> mark();
      case '}' -> push(new PickleDict());
      case ']' -> push(new PickleList());
      case ')' -> push(new Tuple(List.of()));
      case 'd' -> {
        PickleDict dict = new PickleDict();
        int from = popMark();
        put(dict, from);
        replaceFrom(from, dict);
      }
      case 'l' -> {
        PickleList list = new PickleList();
        int from = popMark();
        append(list, from);
        replaceFrom(from, list);
      }
      case 't' -> tuple(popMark());
      case 0x85 -> tuple(below(1));
      case 0x86 -> tuple(below(2));
      case 0x87 -> tuple(below(3));
      case 's' -> putOnTop(below(2));
      case 'u' -> putOnTop(popMark());
      case 'a' -> appendOnTop(below(1));
      case 'e' -> appendOnTop(popMark());
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean memo(int opcode) throws IOException {
    switch (opcode) {
      case 0x94 -> memo.add(top());
      case 'q' -> remember(in.unsignedByte());
      case 'r' -> remember(in.unsignedInt());
      default -> {
        return false;
      }
    }
    return true;
  }

  private void protocol() throws IOException {
    int version = in.unsignedByte();
    if (version < 2 || version > 5) {
      throw malformed(
          String.format(Locale.ROOT, "is of pickle protocol %d, expected 2 to 5", version));
    }
  }

  private void frame() throws IOException {
    in.checkRemaining(in.signedLong());
  }

  private Object longInteger(int byteCount) throws IOException {
    if (byteCount <= Long.BYTES) {
      return in.signedNumber(byteCount);
    }
    byte[] bytes = in.bytes(byteCount);
    for (int i = 0; i < byteCount / 2; i++) {
      byte swapped = bytes[i];
      bytes[i] = bytes[byteCount - 1 - i];
      bytes[byteCount - 1 - i] = swapped;
    }
    BigInteger value = new BigInteger(bytes);
    if (value.bitLength() < Long.SIZE) {
      return value.longValue();
    }
    return value;
  }

  private String text(long byteCount) throws IOException {
    if (byteCount > MAX_TEXT_BYTES) {
      in.checkRemaining(byteCount);
      throw malformed(
          String.format(
              Locale.ROOT,
              "has a string of %d bytes, expected at most %d",
              byteCount,
              MAX_TEXT_BYTES));
    }
    byte[] bytes = in.bytes((int) byteCount);
    for (byte b : bytes) {
      if (b < 0) {
        return unicode(bytes);
      }
    }
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private String unicode(byte[] bytes) throws MalformedFileException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw malformed("a string is not UTF-8");
    }
  }

  /** Reads bytes, which snapshots do not have: no value of a snapshot depends on them. */
  private void bytes(long byteCount) throws IOException {
    in.skip(byteCount);
    push(None.NONE);
  }

  private void putOnTop(int from) throws MalformedFileException {
    if (!(valueBelow(from) instanceof PickleDict dict)) {
      throw malformed("sets an item of a value that is not a dict");
    }
    put(dict, from);
    height = from;
  }

  /** Puts the values from a position of the stack on into a dict. */
  private void put(PickleDict dict, int from) throws MalformedFileException {
    if ((height - from) % 2 != 0) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "sets the items of a dict from %d values, so that a key has no value",
              height - from));
    }
    for (int i = from; i < height; i += 2) {
      if (stack[i] instanceof PickleDict || stack[i] instanceof PickleList) {
        throw malformed("a key of a dict must not be a list or a dict");
      }
    }
    dict.putAll(stack, from, height);
  }

  private void appendOnTop(int from) throws MalformedFileException {
    if (!(valueBelow(from) instanceof PickleList list)) {
      throw malformed("appends to a value that is not a list");
    }
    append(list, from);
    height = from;
  }

  /** Appends the values from a position of the stack on to a list. */
  private void append(PickleList list, int from) {
    list.reserve(height - from);
    for (int i = from; i < height; i++) {
      listItems.append(list, stack[i]);
    }
  }

  private void tuple(int from) {
    replaceFrom(from, new Tuple(List.of(Arrays.copyOfRange(stack, from, height))));
  }

  private void remember(long index) throws MalformedFileException {
    Object value = top();
    if (index > opcodeIndex) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "puts value %d into the memo, expected at most one value for each byte before",
              index));
    }
    memo.put(index, value);
  }

  private Object remembered(long index) throws MalformedFileException {
    Object value = memo.take(index);
    if (value == null) {
      throw malformed(
          String.format(Locale.ROOT, "takes value %d of the memo, which does not exist", index));
    }
    return value;
  }

  private void mark() {
    if (markCount == marks.length) {
      marks = Arrays.copyOf(marks, 2 * markCount);
    }
    marks[markCount++] = height;
  }

  private void push(Object value) {
    if (height == stack.length) {
      stack = Arrays.copyOf(stack, 2 * height);
    }
    stack[height++] = value;
  }

  /** Replaces the values from a position of the stack on by one value. */
  private void replaceFrom(int from, Object value) {
    height = from;
    push(value);
  }

  private Object top() throws MalformedFileException {
    return stack[below(1)];
  }

  /** {@return the position of the last mark, which is removed} */
  private int popMark() throws MalformedFileException {
    if (markCount == 0) {
      throw malformed("takes the values after a mark, but there is no mark");
    }
    return marks[--markCount];
  }

  /** {@return the position of the last values, after a check that so many are above the mark} */
  private int below(int count) throws MalformedFileException {
    int available = height - bottom();
    if (available < count) {
      throw malformed(
          String.format(Locale.ROOT, "takes %d values, but there are %d", count, available));
    }
    return height - count;
  }

  /** {@return the value below a position of the stack} */
  private Object valueBelow(int position) throws MalformedFileException {
    if (position <= bottom()) {
      throw malformed("takes 1 values, but there are 0");
    }
    return stack[position - 1];
  }

  private int bottom() {
    return markCount == 0 ? 0 : marks[markCount - 1];
  }

  private MalformedFileException refused(int opcode) throws IOException {
    String name = REFUSED.get(opcode);
    if (name == null) {
      return malformed(
          String.format(Locale.ROOT, "has opcode 0x%02x, which plain values do not need", opcode));
    }
    return malformed(
        String.format(
            Locale.ROOT,
            "has opcode %s%s; only dict, list, tuple, string, number, bool and None are read",
            name,
            className(opcode)));
  }

  /** {@return the name of the class that an opcode would load, for a message} */
  private String className(int opcode) throws IOException {
    if (opcode == 'c') {
      return className(line(), line());
    }
    if (opcode == 0x93
        && height >= 2
        && stack[height - 2] instanceof String module
        && stack[height - 1] instanceof String type) {
      return className(module, type);
    }
    return "";
  }

  private static String className(String module, String type) {
    return String.format(
        Locale.ROOT,
        " of class '%s.%s'",
        MalformedFileException.excerpt(module),
        MalformedFileException.excerpt(type));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.unsignedByte(); c != '\n'; c = in.unsignedByte()) {
      line.append((char) c);
    }
    return line.toString();
  }

  private MalformedFileException malformed(String problem) {
    return new MalformedFileException(source, "byte " + opcodeIndex, problem);
  }
}
