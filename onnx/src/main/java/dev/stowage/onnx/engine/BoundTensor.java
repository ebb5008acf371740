package dev.stowage.onnx.engine;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ValueType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Optional;

/** Tensors of the engine that lie in memory of ours. */
final class BoundTensor {

  private BoundTensor() {}

  /** {@return whether a value of a type and size can lie in memory of ours} */
  static boolean isPossible(ValueType type, long bytes) {
    return bytes <= Integer.MAX_VALUE && javaType(type).isPresent();
  }

  /**
   * {@return a tensor in a segment}
   *
   * @param segment where it lies, as many bytes as it has
   * @param type its type, of which this {@linkplain #isPossible is possible}
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
