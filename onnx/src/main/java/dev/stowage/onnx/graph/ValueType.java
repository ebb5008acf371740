package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto.Dimension;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is known of the type of a value. */
public sealed interface ValueType {

  /** The kind of what may be nothing. */
  String OPTIONAL = "optional";

  /**
   * A tensor.
   *
   * @param elementCode the type of its elements, as a number of {@link ElementType}
   * @param shape its dimensions; empty where not even their number is known
   */
  record Tensor(int elementCode, Optional<List<DimensionSize>> shape) implements ValueType {

    /** {@return the type of tensors of these dimensions} */
    public static Tensor of(int elementCode, List<Long> dimensions) {
      return new Tensor(
          elementCode, Optional.of(dimensions.stream().map(DimensionSize::of).toList()));
    }

    /** {@return whether each dimension is a number} */
    public boolean isComplete() {
      return shape
          .filter(dimensions -> dimensions.stream().allMatch(DimensionSize.Known.class::isInstance))
          .isPresent();
    }

    /** {@return the dimensions as numbers, of a {@linkplain #isComplete() complete} type} */
    public long[] dimensions() {
      return shape.orElseThrow().stream()
          .mapToLong(dimension -> ((DimensionSize.Known) dimension).size())
          .toArray();
    }

    /** {@return a value of this type, as a file tells of it} */
    public ValueInfoProto infoOf(String name) {
      TypeProto.Tensor.Builder type = TypeProto.Tensor.newBuilder().setElemType(elementCode);
      shape.ifPresent(dimensions -> {
        TensorShapeProto.Builder told = type.getShapeBuilder();
        for (DimensionSize dimension : dimensions) {
          switch (dimension) {
            case DimensionSize.Known(long size) -> told.addDimBuilder().setDimValue(size);
            case DimensionSize.Named(String named) -> told.addDimBuilder().setDimParam(named);
            case DimensionSize.Unnamed unnamed -> told.addDimBuilder();
          }
        }
      });
      return ValueInfoProto.newBuilder()
          .setName(name)
          .setType(TypeProto.newBuilder().setTensorType(type))
          .build();
    }

    /** {@return the dimensions as a user writes them, as in {@code [batch, 3, ?]}} */
    @Override
    public String toString() {
      return shape
          .map(dimensions ->
              dimensions.stream()
                  .map(DimensionSize::toString)
                  .collect(Collectors.joining(", ", "[", "]")))
          .orElse("of any rank");
    }
  }

  /**
   * Something that is no dense tensor.
   *
   * @param kind what it is: {@code sequence}, {@code optional}, {@code map}, {@code sparse tensor}
   */
  record Other(String kind) implements ValueType {}

  /** The file does not say. */
  record Unknown() implements ValueType {}

  /** {@return the type that a file says} */
  static ValueType of(TypeProto type) {
    return switch (type.getValueCase()) {
      case TENSOR_TYPE ->
          new Tensor(
              type.getTensorType().getElemType(),
              type.getTensorType().hasShape()
                  ? Optional.of(dimensions(type.getTensorType().getShape()))
                  : Optional.empty());
      case SEQUENCE_TYPE -> new Other("sequence");
      case OPTIONAL_TYPE -> new Other(OPTIONAL);
      case MAP_TYPE -> new Other("map");
      case SPARSE_TENSOR_TYPE -> new Other("sparse tensor");
      case OPAQUE_TYPE -> new Other("opaque value");
      case VALUE_NOT_SET -> new Unknown();
    };
  }

  /**
   * {@return what two sources know of one value: each may know a dimension that the other does not}
   *
   * @param first one
   * @param second the one that counts where they contradict each other
   */
  static ValueType both(ValueType first, ValueType second) {
    if (second instanceof Unknown) {
      return first;
    }
    return first instanceof Tensor one && second instanceof Tensor other
        ? new Tensor(
            other.elementCode() == ElementType.UNDEFINED_CODE
                ? one.elementCode()
                : other.elementCode(),
            bothShapes(one.shape(), other.shape()))
        : second;
  }

  private static Optional<List<DimensionSize>> bothShapes(
      Optional<List<DimensionSize>> first, Optional<List<DimensionSize>> second) {
    if (second.isEmpty()) {
      return first;
    }
    int rank = second.get().size();
    if (first.isEmpty() || first.get().size() != rank) {
      return second;
    }
    List<DimensionSize> both = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      both.add(DimensionSize.both(first.get().get(axis), second.get().get(axis)));
    }
    return Optional.of(List.copyOf(both));
  }

  private static List<DimensionSize> dimensions(TensorShapeProto shape) {
    List<DimensionSize> dimensions = new ArrayList<>();
    for (Dimension dimension : shape.getDimList()) {
      dimensions.add(DimensionSize.of(dimension));
    }
    return List.copyOf(dimensions);
  }
}
