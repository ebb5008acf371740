package dev.stowage.onnx.engine;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ValueType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Optional;

/** Tensors of ONNX Runtime in memory of Stowage. */
final class BoundTensor {

  private BoundTensor() {}

  /** {@return true if a tensor of a type and size can be in memory of Stowage} */
  static boolean isPossible(ValueType type, long bytes) {
    return bytes <= Integer.MAX_VALUE && javaType(type).isPresent();
  }

  /**
   * {@return a tensor in a segment}
   *
   * @param segment the bytes of the tensor
   * @param type a type that {@link #isPossible} accepts
   */
  static OnnxTensor of(MemorySegment segment, ValueType type) throws OrtException {
    ValueType.Tensor tensor = (ValueType.Tensor) type;
    return OnnxTensor.createTensor(
        EngineEnvironment.get(),
        segment.asByteBuffer().order(ByteOrder.nativeOrder()),
        tensor.dimensions(),
        javaType(type).orElseThrow());
  }

  private static Optional<OnnxJavaType> javaType(ValueType type) {
    return type instanceof ValueType.Tensor tensor && tensor.isComplete()
        ? ElementType.ofCode(tensor.elementCode()).flatMap(EngineTypes::bindable)
        : Optional.empty();
  }
}
