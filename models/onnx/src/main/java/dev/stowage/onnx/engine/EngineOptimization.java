package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import dev.stowage.onnx.file.OnnxFile;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The graph that ONNX Runtime's optimizations make of a model.
 *
 * @param original the model
 * @param optimized the model that a session runs, with its operators in the order of execution
 */
public record EngineOptimization(ModelProto original, ModelProto optimized) {

  private static final String LAYOUT_OPTIMIZERS = "NchwcTransformer;ConvAddActivationFusion";
  private static final int ALL_LEVELS = 3;

  /**
   * {@return the optimization of a model}
   *
   * <p>ONNX Runtime loads the model and writes the result into a temporary folder, with all
   * weights. This method maps the result and deletes the folder.
   *
   * @param model the file
   * @param level 0 for no optimizations, 1 for basic, 2 for extended ones, 3 for all
   * @throws MalformedFileException if ONNX Runtime rejects the model
   * @throws IOException if the model cannot be read, or the result cannot be written
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static EngineOptimization of(Path model, int level) throws IOException {
    return of(model, level, "");
  }

  /**
   * {@return the optimization of a model without the last optimizations, which depend on the
   * processor; the result has the inferred types of its values}
   *
   * <p>The last ones rewrite convolutions for the vector registers of the processor, and fuse the
   * remaining ones with sums.
   *
   * @param model the file
   * @throws MalformedFileException if ONNX Runtime rejects the model
   * @throws IOException if the model cannot be read, or the result cannot be written
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static EngineOptimization withoutLayout(Path model) throws IOException {
    EngineOptimization without = of(model, ALL_LEVELS, LAYOUT_OPTIMIZERS);
    return new EngineOptimization(without.original, withTypes(model.toString(), without.optimized));
  }

  /** {@return a model with the inferred types of its values} */
  private static ModelProto withTypes(String source, ModelProto model)
      throws MalformedFileException {
    Set<String> names = new LinkedHashSet<>();
    model.getGraph().getNodeList().forEach(node -> names.addAll(node.getOutputList()));
    names.remove("");
    model.getGraph().getOutputList().forEach(output -> names.remove(output.getName()));
    if (names.isEmpty()) {
      return model;
    }
    ModelProto.Builder typed = model.toBuilder();
    typed.getGraphBuilder().clearValueInfo();
    Map<String, ValueType> types = new HashMap<>();
    model
        .getGraph()
        .getValueInfoList()
        .forEach(info -> types.put(info.getName(), ValueType.of(info.getType())));
    EngineShapes.infer(source, model, List.copyOf(names))
        .forEach((name, type) -> types.merge(name, type, ValueType::merge));
    for (String name : names) {
      if (types.get(name) instanceof ValueType.Tensor tensor) {
        typed.getGraphBuilder().addValueInfo(tensor.infoOf(name));
      }
    }
    return typed.build();
  }

  private static EngineOptimization of(Path model, int level, String disabled) throws IOException {
    try (EngineFolder folder = new EngineFolder("stowage-optimized")) {
      ModelProto original = OnnxFile.parse(model);
      Path optimized = folder.resolve("model.onnx");
      write(model, level, disabled, optimized);
      return new EngineOptimization(original, OnnxFile.parse(optimized));
    }
  }

  private static void write(Path model, int level, String disabled, Path optimized)
      throws IOException {
    try (SessionOptions options = EngineEnvironment.options(levelOf(level))) {
      options.setOptimizedModelFilePath(optimized.toString());
      options.addConfigEntry("session.disable_prepacking", "1");
      if (!disabled.isEmpty()) {
        options.addConfigEntry("optimization.disable_specified_optimizers", disabled);
      }
      try (OrtSession session = EngineEnvironment.get().createSession(model.toString(), options)) {
        session.getNumInputs();
      }
    } catch (OrtException e) {
      throw EngineRefusal.of(model.toString(), e);
    }
  }

  static OptLevel levelOf(int level) {
    return switch (level) {
      case 0 -> OptLevel.NO_OPT;
      case 1 -> OptLevel.BASIC_OPT;
      case 2 -> OptLevel.EXTENDED_OPT;
      default -> OptLevel.ALL_OPT;
    };
  }
}
