package dev.stowage.core.trace;

import dev.stowage.core.MalformedFileException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A reader of values that Python pickled with protocol 2 to 5. It creates only plain values.
 *
 * <p>A dict becomes a {@link Map}, a list a {@link List}, a tuple a {@link Tuple}. The other values
 * are {@link String}, {@link Long}, {@link BigInteger}, {@link Double}, {@link Boolean} and {@link
 * None}. The reader rejects all opcodes that create objects of classes or call functions.
 */
final class Pickle {

  /*
   * A pickle is a program for a machine with a stack and a memo. A mark is the position on the
   * stack where a run of values begins. Here, the marks are positions in a stack of their own.
   *
   * Each value takes at least one byte of the file, and each length is compared with the rest of the
   * file, so that the file size bounds the memory. There is no recursion. Keys are scalars: the hash of
   * a list that contains itself would never end.
   */

  /** Python's None. */
  enum None {
    NONE
  }

  /** A tuple of Python. */
  record Tuple(List<Object> values) {}

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

  private final String source;
  private final ByteBuffer in;
  private final List<Object> stack = new ArrayList<>();
  private final List<Integer> marks = new ArrayList<>();
  private final Map<Long, Object> memo = new HashMap<>();

  /** The index of the last opcode that was read. */
  private int opcodeIndex;

  private Pickle(String source, byte[] bytes) {
    this.source = source;
    in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * {@return the value of a pickle}
   *
   * @throws MalformedFileException if the bytes are not a pickle, are cut short, or create other
   *     values
   */
  static Object read(String source, byte[] bytes) throws MalformedFileException {
    return new Pickle(source, bytes).read();
  }

  private Object read() throws MalformedFileException {
    while (true) {
      opcodeIndex = in.position();
      int opcode = unsignedByte();
      if (opcode == '.') {
        return stop();
      }
      if (!scalar(opcode) && !container(opcode) && !memo(opcode)) {
        throw refused(opcode);
      }
    }
  }

  private Object stop() throws MalformedFileException {
    if (stack.size() != 1 || !marks.isEmpty()) {
      throw malformed(
          String.format(Locale.ROOT, "the pickle ends with %d values, expected 1", stack.size()));
    }
    if (in.hasRemaining()) {
      throw malformed(
          String.format(Locale.ROOT, "the pickle ends here, but %d bytes follow", in.remaining()));
    }
    return stack.getFirst();
  }

  private boolean scalar(int opcode) throws MalformedFileException {
    switch (opcode) {
      case 0x80 -> protocol();
      case 0x95 -> frame();
      case 'N' -> push(None.NONE);
      case 0x88 -> push(true);
      case 0x89 -> push(false);
      case 'K' -> push((long) unsignedByte());
      case 'M' -> push((long) Short.toUnsignedInt(need(2).getShort()));
      case 'J' -> push((long) need(4).getInt());
      case 'G' -> push(Double.longBitsToDouble(Long.reverseBytes(need(8).getLong())));
      case 0x8a -> push(longInteger(unsignedByte()));
      case 0x8c -> push(text(unsignedByte()));
      case 'X' -> push(text(Integer.toUnsignedLong(need(4).getInt())));
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean container(int opcode) throws MalformedFileException {
    switch (opcode) {
      case '(' -> marks.add(stack.size());
      case '}' -> push(new LinkedHashMap<>());
      case ']' -> push(new ArrayList<>());
      case ')' -> push(new Tuple(List.of()));
      case 'd' -> push(put(new LinkedHashMap<>(), popToMark()));
      case 'l' -> push(popToMark());
      case 't' -> push(new Tuple(popToMark()));
      case 0x85 -> push(new Tuple(pop(1)));
      case 0x86 -> push(new Tuple(pop(2)));
      case 0x87 -> push(new Tuple(pop(3)));
      case 's' -> {
        List<Object> item = pop(2);
        put(top(), item);
      }
      case 'u' -> {
        List<Object> items = popToMark();
        put(top(), items);
      }
      case 'a' -> append(pop(1));
      case 'e' -> append(popToMark());
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean memo(int opcode) throws MalformedFileException {
    switch (opcode) {
      case 0x94 -> memo.put((long) memo.size(), top());
      case 'q' -> memo.put((long) unsignedByte(), top());
      case 'r' -> memo.put(Integer.toUnsignedLong(need(4).getInt()), top());
      case 'h' -> push(remembered(unsignedByte()));
      case 'j' -> push(remembered(Integer.toUnsignedLong(need(4).getInt())));
      default -> {
        return false;
      }
    }
    return true;
  }

  private void protocol() throws MalformedFileException {
    int version = unsignedByte();
    if (version < 2 || version > 5) {
      throw malformed(
          String.format(Locale.ROOT, "is of pickle protocol %d, expected 2 to 5", version));
    }
  }

  private void frame() throws MalformedFileException {
    long bytes = need(8).getLong();
    if (bytes < 0 || bytes > in.remaining()) {
      throw cutShort(Long.toUnsignedString(bytes), in.remaining());
    }
  }

  private Object longInteger(int byteCount) throws MalformedFileException {
    byte[] bytes = bytes(byteCount);
    for (int i = 0; i < byteCount / 2; i++) {
      byte swapped = bytes[i];
      bytes[i] = bytes[byteCount - 1 - i];
      bytes[byteCount - 1 - i] = swapped;
    }
    BigInteger value = byteCount == 0 ? BigInteger.ZERO : new BigInteger(bytes);
    if (value.bitLength() < Long.SIZE) {
      return value.longValue();
    }
    return value;
  }

  private String text(long byteCount) throws MalformedFileException {
    byte[] bytes = bytes(byteCount);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw malformed("a string is not UTF-8");
    }
  }

  private Map<Object, Object> put(Object target, List<Object> items) throws MalformedFileException {
    if (!(target instanceof Map<?, ?>)) {
      throw malformed("sets an item of a value that is not a dict");
    }
    if (items.size() % 2 != 0) {
      throw malformed(
          String.format(
              Locale.ROOT,
              "sets the items of a dict from %d values, so that a key has no value",
              items.size()));
    }
    @SuppressWarnings("unchecked") // there are no other maps
    Map<Object, Object> map = (Map<Object, Object>) target;
    for (int i = 0; i < items.size(); i += 2) {
      Object key = items.get(i);
      if (!(key instanceof String || key instanceof Number || key instanceof Boolean)) {
        throw malformed("a key of a dict must be a string or a number");
      }
      map.put(key, items.get(i + 1));
    }
    return map;
  }

  private void append(List<Object> items) throws MalformedFileException {
    if (!(top() instanceof List<?> target)) {
      throw malformed("appends to a value that is not a list");
    }
    @SuppressWarnings("unchecked") // there are no other lists
    List<Object> list = (List<Object>) target;
    list.addAll(items);
  }

  private Object remembered(long index) throws MalformedFileException {
    Object value = memo.get(index);
    if (value == null) {
      throw malformed(
          String.format(Locale.ROOT, "takes value %d of the memo, which does not exist", index));
    }
    return value;
  }

  private void push(Object value) {
    stack.add(value);
  }

  private Object top() throws MalformedFileException {
    checkHeight(1);
    return stack.getLast();
  }

  private List<Object> pop(int count) throws MalformedFileException {
    checkHeight(count);
    return popFrom(stack.size() - count);
  }

  private List<Object> popToMark() throws MalformedFileException {
    if (marks.isEmpty()) {
      throw malformed("takes the values after a mark, but there is no mark");
    }
    return popFrom(marks.removeLast());
  }

  private List<Object> popFrom(int height) {
    List<Object> top = stack.subList(height, stack.size());
    List<Object> values = new ArrayList<>(top);
    top.clear();
    return values;
  }

  /** Checks that there are values above the last mark. */
  private void checkHeight(int count) throws MalformedFileException {
    int bottom = marks.isEmpty() ? 0 : marks.getLast();
    if (stack.size() - bottom < count) {
      throw malformed(
          String.format(
              Locale.ROOT, "takes %d values, but there are %d", count, stack.size() - bottom));
    }
  }

  private int unsignedByte() throws MalformedFileException {
    return Byte.toUnsignedInt(need(1).get());
  }

  private byte[] bytes(long count) throws MalformedFileException {
    ByteBuffer rest = need(count);
    byte[] bytes = new byte[(int) count];
    rest.get(bytes);
    return bytes;
  }

  /** {@return the file, after a check that it has {@code count} more bytes} */
  private ByteBuffer need(long count) throws MalformedFileException {
    if (count > in.remaining()) {
      throw cutShort(Long.toString(count), in.remaining());
    }
    return in;
  }

  private MalformedFileException cutShort(String needed, int left) {
    return malformed(
        String.format(
            Locale.ROOT,
            "the pickle is cut short: expected %s more bytes, found %d",
            needed,
            left));
  }

  private MalformedFileException refused(int opcode) throws MalformedFileException {
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
  private String className(int opcode) throws MalformedFileException {
    if (opcode == 'c') {
      return String.format(
          Locale.ROOT,
          " of class '%s.%s'",
          MalformedFileException.excerpt(line()),
          MalformedFileException.excerpt(line()));
    }
    if (opcode == 0x93 && stack.size() >= 2) {
      List<Object> names = pop(2);
      if (names.getFirst() instanceof String module && names.getLast() instanceof String type) {
        return String.format(
            Locale.ROOT,
            " of class '%s.%s'",
            MalformedFileException.excerpt(module),
            MalformedFileException.excerpt(type));
      }
    }
    return "";
  }

  private String line() throws MalformedFileException {
    StringBuilder line = new StringBuilder();
    for (int c = unsignedByte(); c != '\n'; c = unsignedByte()) {
      line.append((char) c);
    }
    return line.toString();
  }

  private MalformedFileException malformed(String problem) {
    return new MalformedFileException(source, "byte " + opcodeIndex, problem);
  }
}
