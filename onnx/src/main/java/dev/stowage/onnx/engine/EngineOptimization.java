package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import com.google.protobuf.CodedInputStream;
import dev.stowage.core.MalformedFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The graph that ONNX Runtime's optimizations make of a model.
 *
 * @param original the model
 * @param optimized the model that a session runs, with its operators in the order of execution
 */
public record EngineOptimization(ModelProto original, ModelProto optimized) {

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
    try (TemporaryFolder folder = new TemporaryFolder("stowage-optimized")) {
      Path optimized = folder.resolve("model.onnx");
      write(model, level, optimized);
      return new EngineOptimization(parse(model), parse(optimized));
    }
  }

  /** {@return a model whose weights are parts of the mapped file} */
  static ModelProto parse(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = channel.map(MapMode.READ_ONLY, 0, channel.size());
      CodedInputStream input = CodedInputStream.newInstance(bytes);
      input.enableAliasing(true);
      return ModelProto.parseFrom(input);
    }
  }

  private static void write(Path model, int level, Path optimized) throws IOException {
    try (SessionOptions options = EngineEnvironment.options(levelOf(level))) {
      options.setOptimizedModelFilePath(optimized.toString());
      options.addConfigEntry("session.disable_prepacking", "1");
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
