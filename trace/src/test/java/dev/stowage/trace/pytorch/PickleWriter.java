package dev.stowage.trace.pytorch;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A writer of values in Python's pickle protocol 4. As Python does, it writes the same object only
 * once and takes it from the memo afterwards.
 */
public final class PickleWriter {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final IdentityHashMap<Object, Integer> memo = new IdentityHashMap<>();
  private int memoSize;

  private PickleWriter() {}

  /** {@return the pickle of a value} */
  public static byte[] pickle(Object value) {
    PickleWriter writer = new PickleWriter();
    writer.op(0x80, 4);
    writer.write(value);
    writer.op('.');
    return writer.out.toByteArray();
  }

  /** {@return the bytes of numbers and characters} */
  public static byte[] raw(Object... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Object part : parts) {
      switch (part) {
        case Integer number -> out.write(number);
        case Character c -> out.write(c);
        default -> out.writeBytes(part.toString().getBytes(StandardCharsets.UTF_8));
      }
    }
    return out.toByteArray();
  }

  private void op(int... bytes) {
    Arrays.stream(bytes).forEach(out::write);
  }

  private void memoize(Object value) {
    op(0x94);
    memo.put(value, memoSize++);
  }

  private void write(Object value) {
    Integer known = memo.get(value);
    if (known != null && known < 256) {
      op('h', known);
      return;
    }
    if (known != null) {
      op('j', known, known >> 8, known >> 16, known >> 24);
      return;
    }
    switch (value) {
      case Map<?, ?> map -> {
        op('}');
        memoize(map);
        op('(');
        map.forEach((key, item) -> {
          write(key);
          write(item);
        });
        op('u');
      }
      case PoolId pool -> {
        write(pool.graph());
        write(pool.user());
        op(0x86);
        memoize(pool);
      }
      case Boolean flag -> op(flag ? 0x88 : 0x89);
      case Double number -> {
        op('G');
        out.writeBytes(ByteBuffer.allocate(Double.BYTES).putDouble(number).array());
      }
      case List<?> list -> {
        op(']');
        memoize(list);
        op('(');
        list.forEach(this::write);
        op('e');
      }
      case String text -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        op(0x8c, bytes.length);
        out.writeBytes(bytes);
        memoize(text);
      }
      default -> {
        op(0x8a, 8);
        long number = ((Number) value).longValue();
        out.writeBytes(
            ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array());
      }
    }
  }
}
