package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.NodeAttributes;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.MalformedFileException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Random inputs of a model, which depend only on the model and a seed.
 *
 * <p>Floating-point numbers are between 0 and 1. Bytes have any value. Other integers are 0 or 1,
 * as in masks, or valid rows if they select rows of a tensor.
 */
final class RandomInputs implements AutoCloseable {

  private static final int MAX_CHOICES = 2;

  private final String source;
  private final ModelGraph graph;
  private final PlannedValues planned;
  private final Random random;
  private final Arena arena = Arena.ofShared();
  private final Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
  private final Map<String, MemorySegment> segments = new LinkedHashMap<>();

  private RandomInputs(String source, ModelGraph graph, PlannedValues planned, long seed) {
    this.source = source;
    this.graph = graph;
    this.planned = planned;
    this.random = new Random(seed);
  }

  /**
   * {@return inputs of a model}
   *
   * @throws MalformedFileException if an input has a type without random values
   */
  static RandomInputs of(String source, ModelGraph graph, PlannedValues planned, long seed)
      throws MalformedFileException, OrtException {
    RandomInputs inputs = new RandomInputs(source, graph, planned, seed);
    boolean isMade = false;
    try {
      for (GraphValue value : graph.values()) {
        if (value.source() == GraphValue.Source.INPUT) {
          inputs.add(value);
        }
      }
      isMade = true;
      return inputs;
    } finally {
      if (!isMade) {
        inputs.close();
      }
    }
  }

  /** {@return the known bytes of the inputs of a model, at most {@link Long#MAX_VALUE}} */
  static long bytes(ModelGraph graph, PlannedValues planned) {
    long bytes = 0;
    for (GraphValue value : graph.values()) {
      if (value.source() == GraphValue.Source.INPUT
          && ValueBytes.of(planned.type(value)) instanceof ValueBytes.Known(long known)) {
        bytes += Math.min(known, Long.MAX_VALUE - bytes);
      }
    }
    return bytes;
  }

  private void add(GraphValue input) throws MalformedFileException, OrtException {
    ValueType type = planned.type(input);
    if (type instanceof ValueType.Tensor tensor
        && tensor.isComplete()
        && tensor.elementCode() == ElementType.STRING.code()) {
      addStrings(input, tensor);
      return;
    }
    if (!(ValueBytes.of(type) instanceof ValueBytes.Known(long bytes))
        || !BoundTensor.isPossible(type, bytes)) {
      throw new MalformedFileException(
          source,
          String.format(Locale.ROOT, "input '%s'", MalformedFileException.excerpt(input.name())),
          String.format(
              Locale.ROOT,
              "is %s, expected a tensor of numbers with less than 2^31 bytes",
              describe(type)));
    }
    MemorySegment segment = arena.allocate(Math.max(1, bytes), Long.BYTES).asSlice(0, bytes);
    fill(segment, ElementType.ofCode(((ValueType.Tensor) type).elementCode()).orElseThrow(), input);
    segments.put(input.name(), segment);
    tensors.put(input.name(), BoundTensor.of(segment, type));
  }

  private static String describe(ValueType type) {
    return switch (type) {
      case ValueType.Tensor tensor ->
          String.format(
              Locale.ROOT,
              "a tensor of %s %s",
              ElementType.ofCode(tensor.elementCode())
                  .map(ElementType::toString)
                  .orElse("unknown elements"),
              tensor);
      case ValueType.Other other -> "of kind " + other.kind();
      case ValueType.Unknown unknown -> "of unknown type";
    };
  }

  private void addStrings(GraphValue input, ValueType.Tensor type) throws OrtException {
    long count = 1;
    for (long dimension : type.dimensions()) {
      count *= dimension;
    }
    String[] texts =
        Stream.generate(() -> Integer.toString(random.nextInt(10)))
            .limit(count)
            .toArray(String[]::new);
    tensors.put(
        input.name(), OnnxTensor.createTensor(EngineEnvironment.get(), texts, type.dimensions()));
  }

  private void fill(MemorySegment segment, ElementType type, GraphValue input) {
    int bound = bound(input);
    switch (type) {
      case FLOAT -> {
        for (long at = 0; at < segment.byteSize(); at += Float.BYTES) {
          segment.set(ValueLayout.JAVA_FLOAT, at, random.nextFloat());
        }
      }
      case DOUBLE -> {
        for (long at = 0; at < segment.byteSize(); at += Double.BYTES) {
          segment.set(ValueLayout.JAVA_DOUBLE, at, random.nextDouble());
        }
      }
      case FLOAT16 -> {
        for (long at = 0; at < segment.byteSize(); at += Short.BYTES) {
          segment.set(ValueLayout.JAVA_SHORT, at, Float.floatToFloat16(random.nextFloat()));
        }
      }
      case BFLOAT16 -> {
        for (long at = 0; at < segment.byteSize(); at += Short.BYTES) {
          int bits = Float.floatToRawIntBits(random.nextFloat());
          segment.set(ValueLayout.JAVA_SHORT, at, (short) (bits >>> Short.SIZE));
        }
      }
      case INT64 -> {
        for (long at = 0; at < segment.byteSize(); at += Long.BYTES) {
          segment.set(ValueLayout.JAVA_LONG, at, random.nextInt(bound));
        }
      }
      case INT32 -> {
        for (long at = 0; at < segment.byteSize(); at += Integer.BYTES) {
          segment.set(ValueLayout.JAVA_INT, at, random.nextInt(bound));
        }
      }
      case INT16 -> {
        for (long at = 0; at < segment.byteSize(); at += Short.BYTES) {
          segment.set(ValueLayout.JAVA_SHORT, at, (short) random.nextInt(MAX_CHOICES));
        }
      }
      case BOOL -> {
        for (long at = 0; at < segment.byteSize(); at++) {
          segment.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt(2));
        }
      }
      default -> {
        for (long at = 0; at < segment.byteSize(); at++) {
          segment.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
        }
      }
    }
  }

  /** {@return the exclusive upper bound of the integers of an input} */
  private int bound(GraphValue input) {
    OptionalLong rows = OptionalLong.empty();
    for (GraphNode node : graph.nodes()) {
      NodeProto proto = node.proto();
      if (proto.getOpType().equals("Gather")
          && proto.getInputCount() == 2
          && proto.getInput(1).equals(input.name())) {
        OptionalLong chosen = rowsOf(node);
        if (chosen.isPresent()) {
          rows = OptionalLong.of(Math.min(chosen.getAsLong(), rows.orElse(Integer.MAX_VALUE)));
        }
      }
    }
    return (int) Math.max(1, rows.orElse(MAX_CHOICES));
  }

  private OptionalLong rowsOf(GraphNode gather) {
    long axis = NodeAttributes.integer(gather.proto(), "axis", 0);
    return graph
        .value(gather.proto().getInput(0))
        .map(planned::type)
        .filter(type -> type instanceof ValueType.Tensor tensor && tensor.isComplete())
        .map(type -> ((ValueType.Tensor) type).dimensions())
        .filter(dimensions -> axis >= 0 && axis < dimensions.length)
        .map(dimensions -> OptionalLong.of(dimensions[(int) axis]))
        .orElse(OptionalLong.empty());
  }

  /** {@return the inputs by name} */
  Map<String, OnnxTensor> tensors() {
    return tensors;
  }

  /** {@return the bytes of the inputs by name, without strings} */
  Map<String, MemorySegment> segments() {
    return segments;
  }

  @Override
  public void close() {
    tensors.values().forEach(OnnxTensor::close);
    arena.close();
  }
}
