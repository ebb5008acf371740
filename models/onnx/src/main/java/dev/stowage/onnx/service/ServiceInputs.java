package dev.stowage.onnx.service;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * The inputs of one thread, in memory outside of the Java heap that grows to the largest shape.
 *
 * <p>Floating-point numbers are between 0 and 1, and bytes have any value. Integers are below the
 * bound of the input; without a bound they are 0 or 1, as in masks.
 */
final class ServiceInputs implements AutoCloseable {

  private static final long MAX_CHOICES = 2;

  private final Map<String, TensorInfo> types = new LinkedHashMap<>();
  private final Map<String, NpyTensor> files = new LinkedHashMap<>();
  private final Map<String, Buffer> buffers = new HashMap<>();
  private final Map<String, Long> bounds;
  private final long seed;

  /** Memory of an input. */
  private record Buffer(Arena arena, MemorySegment segment) {}

  /** The inputs of a run. */
  record Tensors(Map<String, OnnxTensor> byName) implements AutoCloseable {

    @Override
    public void close() {
      byName.values().forEach(OnnxTensor::close);
    }
  }

  ServiceInputs(OrtSession session, ServiceScript script, long seed)
      throws IOException, OrtException {
    this.bounds = script.bounds();
    this.seed = seed;
    for (NodeInfo input : session.getInputInfo().values()) {
      if (!(input.getInfo() instanceof TensorInfo tensor)
          || tensor.type == OnnxJavaType.STRING
          || tensor.type == OnnxJavaType.UNKNOWN) {
        throw new IllegalArgumentException(
            "input '"
                + input.getName()
                + "' is not a tensor of numbers; stowage budget runs only models with such inputs");
      }
      types.put(input.getName(), tensor);
    }
    for (Map.Entry<String, String> file : script.files().entrySet()) {
      if (!types.containsKey(file.getKey())) {
        throw new IllegalArgumentException(
            "--input names '"
                + file.getKey()
                + "', but the inputs of the model are: "
                + String.join(", ", types.keySet()));
      }
      files.put(file.getKey(), NpyTensor.read(Path.of(file.getValue())));
    }
    if (!script.shapes().isEmpty()) {
      checkNames(script.shapes().getFirst().keySet());
    }
  }

  private void checkNames(Set<String> names) {
    Set<String> known = new TreeSet<>();
    types.forEach((input, type) -> {
      for (int axis = 0; axis < type.getShape().length; axis++) {
        known.add(position(input, axis));
        known.add(type.getDimensionNames()[axis]);
      }
    });
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "--dim sets '" + name + "', but the open dimensions are: " + String.join(", ", open()));
      }
    }
  }

  private Set<String> open() {
    Set<String> open = new TreeSet<>();
    types.forEach((input, type) -> {
      for (int axis = 0; axis < type.getShape().length; axis++) {
        if (type.getShape()[axis] < 0) {
          String name = type.getDimensionNames()[axis];
          open.add(name.isEmpty() ? position(input, axis) : name);
        }
      }
    });
    return open;
  }

  private static String position(String input, int axis) {
    return input + "[" + axis + "]";
  }

  /** {@return the inputs of a shape} */
  Tensors of(Map<String, Long> shape) throws OrtException {
    Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
    for (Map.Entry<String, TensorInfo> input : types.entrySet()) {
      TensorInfo type = input.getValue();
      NpyTensor file = files.get(input.getKey());
      long[] sizes = file != null ? file.shape() : sizes(input.getKey(), type, shape);
      long bytes = type.type.size;
      for (long size : sizes) {
        bytes = Math.multiplyExact(bytes, size);
      }
      ByteBuffer content = file != null ? file.content() : buffer(input.getKey(), type.type, bytes);
      tensors.put(
          input.getKey(),
          OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), content, sizes, type.type));
    }
    return new Tensors(tensors);
  }

  private long[] sizes(String input, TensorInfo type, Map<String, Long> shape) {
    long[] sizes = type.getShape();
    for (int axis = 0; axis < sizes.length; axis++) {
      Long byPosition = shape.get(position(input, axis));
      if (sizes[axis] < 0) {
        sizes[axis] =
            byPosition != null
                ? byPosition
                : shape.getOrDefault(type.getDimensionNames()[axis], -1L);
      }
      if (sizes[axis] < 0) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the inputs have open dimensions: %s; set them, for example with --dim %s=1",
                String.join(", ", open()),
                open().iterator().next()));
      }
    }
    return sizes;
  }

  private ByteBuffer buffer(String input, OnnxJavaType type, long bytes) {
    Buffer buffer = buffers.get(input);
    if (buffer == null || buffer.segment.byteSize() < bytes) {
      if (buffer != null) {
        buffer.arena.close();
      }
      Arena arena = Arena.ofShared();
      buffer = new Buffer(arena, arena.allocate(Math.max(1, bytes), Long.BYTES));
      fill(buffer.segment, type, bounds.getOrDefault(input, MAX_CHOICES));
      buffers.put(input, buffer);
    }
    return buffer.segment.asSlice(0, bytes).asByteBuffer().order(ByteOrder.nativeOrder());
  }

  private void fill(MemorySegment segment, OnnxJavaType type, long bound) {
    Random random = new Random(seed);
    long width = type.size;
    for (long at = 0; at + width <= segment.byteSize(); at += width) {
      switch (type) {
        case FLOAT -> segment.set(ValueLayout.JAVA_FLOAT, at, random.nextFloat());
        case DOUBLE -> segment.set(ValueLayout.JAVA_DOUBLE, at, random.nextDouble());
        case FLOAT16 ->
            segment.set(ValueLayout.JAVA_SHORT, at, Float.floatToFloat16(random.nextFloat()));
        case BFLOAT16 ->
            segment.set(
                ValueLayout.JAVA_SHORT,
                at,
                (short) (Float.floatToRawIntBits(random.nextFloat()) >>> Short.SIZE));
        case INT64 -> segment.set(ValueLayout.JAVA_LONG, at, random.nextLong(bound));
        case INT32 -> segment.set(ValueLayout.JAVA_INT, at, (int) random.nextLong(bound));
        case INT16 -> segment.set(ValueLayout.JAVA_SHORT, at, (short) random.nextInt(2));
        case BOOL -> segment.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt(2));
        default -> segment.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
      }
    }
  }

  /** {@return the bytes of the memory} */
  long bytes() {
    return buffers.values().stream().mapToLong(buffer -> buffer.segment.byteSize()).sum();
  }

  @Override
  public void close() {
    buffers.values().forEach(buffer -> buffer.arena.close());
    buffers.clear();
  }
}
