package dev.stowage.onnx.engine;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.TensorInfo;
import dev.stowage.onnx.graph.ElementType;
import java.util.Optional;

/** The types of elements, as the engine's library for Java has them. */
final class EngineTypes {

  private static final String PREFIX = "ONNX_TENSOR_ELEMENT_DATA_TYPE_";

  private EngineTypes() {}

  /** {@return the type of a tensor's elements, or empty if the library does not know it} */
  static Optional<ElementType> elementType(TensorInfo tensor) {
    String name = tensor.onnxType.name().substring(PREFIX.length());
    for (ElementType type : ElementType.values()) {
      if (type.name().equals(name)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /** {@return the library's type of tensors that lie in memory of ours, or empty if none can} */
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
