package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto.Dimension;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The known part of the type of a value. */
public sealed interface ValueType {

  /** The kind of optional values. */
  String OPTIONAL = "optional";

  /**
   * A tensor.
   *
   * @param elementCode the type of the elements, a code of {@link ElementType}
   * @param shape the dimensions; empty if their number is unknown
   */
  record Tensor(int elementCode, Optional<List<DimensionSize>> shape) implements ValueType {

    /** {@return the type of a tensor with known dimensions} */
    public static Tensor of(int elementCode, List<Long> dimensions) {
      return new Tensor(
          elementCode, Optional.of(dimensions.stream().map(DimensionSize::of).toList()));
    }

    /** {@return true if all dimensions are known} */
    public boolean isComplete() {
      return shape
          .filter(dimensions -> dimensions.stream().allMatch(DimensionSize.Known.class::isInstance))
          .isPresent();
    }

    /** {@return the dimensions of a {@linkplain #isComplete() complete} type} */
    public long[] dimensions() {
      return shape.orElseThrow().stream()
          .mapToLong(dimension -> ((DimensionSize.Known) dimension).size())
          .toArray();
    }

    /** {@return the description of a value of this type in a file} */
    public ValueInfoProto infoOf(String name) {
      TypeProto.Tensor.Builder type = TypeProto.Tensor.newBuilder().setElemType(elementCode);
      shape.ifPresent(dimensions -> {
        TensorShapeProto.Builder described = type.getShapeBuilder();
        for (DimensionSize dimension : dimensions) {
          switch (dimension) {
            case DimensionSize.Known(long size) -> described.addDimBuilder().setDimValue(size);
            case DimensionSize.Named(String named) -> described.addDimBuilder().setDimParam(named);
            case DimensionSize.Unnamed unnamed -> described.addDimBuilder();
          }
        }
      });
      return ValueInfoProto.newBuilder()
          .setName(name)
          .setType(TypeProto.newBuilder().setTensorType(type))
          .build();
    }

    /** {@return the dimensions as in {@code [batch, 3, ?]}} */
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
   * A value other than a dense tensor.
   *
   * @param kind {@code sequence}, {@code optional}, {@code map}, {@code sparse tensor} …
   */
  record Other(String kind) implements ValueType {}

  /** An unknown type. */
  record Unknown() implements ValueType {}

  /** {@return the type in a file} */
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
   * {@return the type of a value from two sources; each source may lack dimensions}
   *
   * @param first a source
   * @param second the source that takes precedence
   */
  static ValueType merge(ValueType first, ValueType second) {
    if (second instanceof Unknown) {
      return first;
    }
    return first instanceof Tensor one && second instanceof Tensor other
        ? new Tensor(
            other.elementCode() == ElementType.UNDEFINED_CODE
                ? one.elementCode()
                : other.elementCode(),
            mergeShapes(one.shape(), other.shape()))
        : second;
  }

  private static Optional<List<DimensionSize>> mergeShapes(
      Optional<List<DimensionSize>> first, Optional<List<DimensionSize>> second) {
    if (second.isEmpty()) {
      return first;
    }
    int rank = second.get().size();
    if (first.isEmpty() || first.get().size() != rank) {
      return second;
    }
    List<DimensionSize> merged = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      merged.add(DimensionSize.merge(first.get().get(axis), second.get().get(axis)));
    }
    return Optional.of(List.copyOf(merged));
  }

  private static List<DimensionSize> dimensions(TensorShapeProto shape) {
    List<DimensionSize> dimensions = new ArrayList<>();
    for (Dimension dimension : shape.getDimList()) {
      dimensions.add(DimensionSize.of(dimension));
    }
    return List.copyOf(dimensions);
  }
}
