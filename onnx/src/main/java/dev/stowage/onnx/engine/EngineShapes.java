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
import dev.stowage.onnx.graph.ShapeQuestion;
import dev.stowage.onnx.graph.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shapes as ONNX Runtime infers them when it loads a model; it runs nothing. */
public final class EngineShapes {

  private static final Optional<List<DimensionSize>> NO_DIMENSIONS = Optional.of(List.of());

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
    Map<String, ValueType> types = new HashMap<>(typesOf(ShapeQuestion.of(model, names)));
    // The library tells of a tensor whose rank is not known as if it had no dimensions.
    List<String> scalars = new ArrayList<>();
    types.forEach((name, type) -> {
      if (type instanceof ValueType.Tensor tensor && tensor.shape().equals(NO_DIMENSIONS)) {
        scalars.add(name);
      }
    });
    if (!scalars.isEmpty()) {
      typesOf(ShapeQuestion.ofRanks(model, scalars))
          .forEach((name, type) -> {
            if (type instanceof ValueType.Tensor tensor && !tensor.isComplete()) {
              types.remove(ShapeQuestion.valueOfRank(name));
            }
          });
    }
    return types;
  }

  private static Map<String, ValueType> typesOf(ModelProto question) throws OrtException {
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
      try (OrtSession session =
          EngineEnvironment.get().createSession(question.toByteArray(), options)) {
        Map<String, ValueType> types = new HashMap<>();
        for (Map.Entry<String, NodeInfo> output : session.getOutputInfo().entrySet()) {
          if (output.getValue().getInfo() instanceof TensorInfo tensor) {
            EngineTypes.typeOf(tensor).ifPresent(type -> types.put(output.getKey(), type));
          } else {
            types.put(output.getKey(), new ValueType.Other("sequence or map"));
          }
        }
        return types;
      }
    }
  }
}
