package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import ai.onnxruntime.TensorInfo;
import dev.stowage.core.MalformedInputException;
import dev.stowage.onnx.graph.DimensionSize;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ShapeQuestion;
import dev.stowage.onnx.graph.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shapes as ONNX Runtime infers them when it loads a model; it runs nothing. */
public final class EngineShapes {

  private static final String TYPE_PREFIX = "ONNX_TENSOR_ELEMENT_DATA_TYPE_";

  private EngineShapes() {}

  /**
   * {@return the types of values, as far as they are known before the model runs}
   *
   * @param model the model
   * @param names the values
   * @param source the file, in messages
   * @throws MalformedInputException if the engine refuses the model
   * @throws LinkageError if the engine is not there
   */
  public static Map<String, ValueType> infer(String source, ModelProto model, List<String> names)
      throws MalformedInputException {
    try {
      return infer(model, names);
    } catch (OrtException e) {
      throw EngineRefusal.of(source, e);
    }
  }

  private static Map<String, ValueType> infer(ModelProto model, List<String> names)
      throws OrtException {
    byte[] question = ShapeQuestion.of(model, names).toByteArray();
    try (SessionOptions options = new SessionOptions()) {
      // The basic level computes shapes that follow from constants; no level leaves them open.
      options.setOptimizationLevel(OptLevel.BASIC_OPT);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      options.setIntraOpNumThreads(1);
      options.setCPUArenaAllocator(false);
      // What a shape depends on is small; all else stays uncomputed, however large it claims to be.
      options.addConfigEntry(
          "optimization.constant_folding_max_output_size_in_bytes",
          Long.toString(ShapeQuestion.LARGE_BYTES));
      try (OrtSession session = EngineEnvironment.get().createSession(question, options)) {
        Map<String, ValueType> types = new HashMap<>();
        for (Map.Entry<String, NodeInfo> output : session.getOutputInfo().entrySet()) {
          if (output.getValue().getInfo() instanceof TensorInfo tensor) {
            type(tensor).ifPresent(type -> types.put(output.getKey(), type));
          } else {
            types.put(output.getKey(), new ValueType.Other("sequence or map"));
          }
        }
        return types;
      }
    }
  }

  private static Optional<ValueType> type(TensorInfo tensor) {
    String name = tensor.onnxType.name().substring(TYPE_PREFIX.length());
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
    for (ElementType elements : ElementType.values()) {
      if (elements.name().equals(name)) {
        return Optional.of(new ValueType.Tensor(elements.code(), Optional.of(List.copyOf(shape))));
      }
    }
    return Optional.empty();
  }
}
