package dev.stowage.onnx;

import dev.stowage.core.MalformedFileException;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.onnx.graph.GraphValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/**
 * Reads an ONNX model's main graph as a planning problem.
 *
 * <p>Task k is operator k of the file, where each operator comes after those that make its inputs;
 * else the operators are sorted, and a note says so. What an operator makes has a record from the
 * task that makes it to the last one that reads it, also in the bodies of {@code If}, {@code Loop}
 * and {@code Scan}; what is within these bodies is not planned. Graph inputs and outputs are left
 * out unless asked for: inputs then live from task 0, outputs to the last task. Never planned are
 * constants, which are initializers and what operators make of constants alone, and tensors of no
 * bytes. An initializer that is an input, too, is a constant; a random operator makes none.
 *
 * <p>Sizes are the file's where it has them, else ONNX Runtime's, which is needed only then; where
 * it is not there, values of unknown size are left out. So are those whose size is known only when
 * the model runs: sequences, optional values, maps, texts, shapes that depend on data. A note names
 * them.
 *
 * <p>{@linkplain OnnxOptions#withAliases() With aliases}, what {@code Reshape}, {@code Squeeze},
 * {@code Unsqueeze}, {@code Flatten} and {@code Identity} make of a planned value shares its
 * record, which then lasts as long as all of them. A view of what has no record, a constant or an
 * input of the graph that is not planned, has one of its own; an output of the graph that is not
 * planned has none, and what it views ends at the operator that makes it.
 */
public final class OnnxReader {

  private OnnxReader() {}

  /**
   * {@return the planning problem of a model in a file}
   *
   * <p>The file is mapped: its weights are not read. Weights in other files are not needed.
   *
   * @param file the model
   * @param options how to read it
   * @throws MalformedFileException if the file is not a whole ONNX model, ONNX Runtime is needed
   *     and refuses it, or no size is known
   * @throws OpenDimensionsException if sizes depend on dimensions that the file leaves open
   * @throws IOException if the file cannot be read
   */
  public static OnnxProblem read(Path file, OnnxOptions options) throws IOException {
    return problem(load(file, options));
  }

  /**
   * {@return the planning problem of a model in memory}
   *
   * @param source how messages name the model
   * @param model its bytes, from the buffer's position to its limit; neither is moved
   * @param options how to read it
   * @throws MalformedFileException as {@link #read(Path, OnnxOptions)}
   * @throws OpenDimensionsException as {@link #read(Path, OnnxOptions)}
   * @throws IOException never else
   */
  public static OnnxProblem read(String source, ByteBuffer model, OnnxOptions options)
      throws IOException {
    return problem(LoadedModel.of(source, model.duplicate(), options));
  }

  static LoadedModel load(Path file, OnnxOptions options) throws IOException {
    return LoadedModel.of(file.toString(), map(file), options);
  }

  /** {@return a file's bytes, mapped for as long as something refers to them} */
  static ByteBuffer map(Path file) throws IOException {
    // Opening a directory succeeds on some systems, and mapping it then fails obscurely.
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a directory");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // Opening a pipe waits for its writer, and neither a pipe nor a device can be mapped.
      throw new MalformedFileException(
          file.toString(), "is a pipe or a device, expected a regular file");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long fileBytes = channel.size();
      if (fileBytes > Integer.MAX_VALUE) {
        throw new MalformedFileException(
            file.toString(),
            String.format(
                Locale.ROOT,
                "has %d bytes, expected less than 2^31 as in all of Protocol Buffers",
                fileBytes));
      }
      return channel.map(MapMode.READ_ONLY, 0, fileBytes);
    }
  }

  private static OnnxProblem problem(LoadedModel model) {
    return new OnnxProblem(
        PlanProblem.of(model.planned().records()),
        names(model.planned().values()),
        model.planned().views().stream().map(OnnxReader::names).toList(),
        model.graph().nodes().size(),
        model.notes());
  }

  private static List<String> names(List<GraphValue> values) {
    return values.stream().map(GraphValue::name).toList();
  }
}
