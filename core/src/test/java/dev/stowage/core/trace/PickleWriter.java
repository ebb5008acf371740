package dev.stowage.core.trace;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A writer of values in Python's pickle protocol 4. */
final class PickleWriter {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private PickleWriter() {}

  static byte[] pickle(Object value) {
    PickleWriter writer = new PickleWriter();
    writer.op(0x80, 4);
    writer.write(value);
    writer.op('.');
    return writer.out.toByteArray();
  }

  /** {@return the bytes of numbers and characters} */
  static byte[] raw(Object... parts) {
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

  private void write(Object value) {
    switch (value) {
      case Map<?, ?> map -> {
        op('}', 0x94, '(');
        map.forEach((key, item) -> {
          write(key);
          write(item);
        });
        op('u');
      }
      case List<?> list -> {
        op(']', 0x94, '(');
        list.forEach(this::write);
        op('e');
      }
      case String text -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        op(0x8c, bytes.length);
        out.writeBytes(bytes);
        op(0x94);
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
