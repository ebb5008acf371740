package dev.stowage.onnx.engine;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.TensorInfo;
import dev.stowage.onnx.graph.DimensionSize;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The element types of ONNX Runtime's Java classes. */
final class EngineTypes {

  private static final String PREFIX = "ONNX_TENSOR_ELEMENT_DATA_TYPE_";

  private EngineTypes() {}

  /** {@return the element type of a tensor, or empty if the Java classes do not support it} */
  static Optional<ElementType> elementType(TensorInfo tensor) {
    String name = tensor.onnxType.name().substring(PREFIX.length());
    for (ElementType type : ElementType.values()) {
      if (type.name().equals(name)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /** {@return the type of a tensor, or empty if the Java classes do not support its elements} */
  static Optional<ValueType> typeOf(TensorInfo tensor) {
    List<DimensionSize> shape = new ArrayList<>();
    long[] sizes = tensor.getShape();
    for (int axis = 0; axis < sizes.length; axis++) {
      String dimensionName = tensor.getDimensionNames()[axis];
      if (sizes[axis] >= 0) {
        shape.add(new DimensionSize.Known(sizes[axis]));
      } else {
        shape.add(
            dimensionName.isEmpty()
                ? new DimensionSize.Unnamed()
                : new DimensionSize.Named(dimensionName));
      }
    }
    return elementType(tensor)
        .map(type -> new ValueType.Tensor(type.code(), Optional.of(List.copyOf(shape))));
  }

  /** {@return the Java type of tensors in the caller's memory, or empty if there is none} */
  static Optional<OnnxJavaType> bindable(ElementType type) {
    return switch (type) {
      case FLOAT -> Optional.of(OnnxJavaType.FLOAT);
      case DOUBLE -> Optional.of(OnnxJavaType.DOUBLE);
      case FLOAT16 -> Optional.of(OnnxJavaType.FLOAT16);
      case BFLOAT16 -> Optional.of(OnnxJavaType.BFLOAT16);
      case INT8 -> Optional.of(OnnxJavaType.INT8);
      case UINT8 -> Optional.of(OnnxJavaType.UINT8);
      case INT16 -> Optional.of(OnnxJavaType.INT16);
      case INT32 -> Optional.of(OnnxJavaType.INT32);
      case INT64 -> Optional.of(OnnxJavaType.INT64);
      case BOOL -> Optional.of(OnnxJavaType.BOOL);
      default -> Optional.empty();
    };
  }
}
