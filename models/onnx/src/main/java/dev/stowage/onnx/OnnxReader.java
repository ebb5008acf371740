package dev.stowage.onnx;

import dev.stowage.onnx.file.OnnxFile;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.PlannedOperators;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A reader of ONNX models as planning problems of their main graphs.
 *
 * <p>Task k is operator k of the file. If an operator precedes the producer of one of its inputs,
 * the reader sorts the operators and adds a note. A result has a record from the task of its
 * producer to the task of its last reader. Reads in the bodies of {@code If}, {@code Loop} and
 * {@code Scan} count, too. Values within these bodies are not planned. The inputs and outputs of
 * the graph are planned only if the options include them: inputs then live from task 0, outputs to
 * the last task. Constants and tensors of 0 bytes are never planned. Constants are initializers,
 * even if they are inputs, and the results of operators that read only constants. The results of
 * random operators are not constants.
 *
 * <p>If the file lacks a size, the reader asks ONNX Runtime. Without ONNX Runtime, values of
 * unknown size are not planned. Neither are values of unknown size before the run: sequences,
 * optional values, maps, strings, and tensors with shapes that depend on data. A note names them.
 *
 * <p>{@linkplain OnnxOptions#withAliases() With aliases}, the results of {@code Reshape}, {@code
 * Squeeze}, {@code Unsqueeze}, {@code Flatten} and {@code Identity} share the record of their
 * input, which lives as long as all of them. A view of an input that is not planned stays in the
 * memory of the caller. A view of another value without a record, such as a constant, has a record
 * of its own. If a view is an unplanned output, it has no record; its input lives until the
 * operator of the view. Results of elementwise operators may be in place of an input that no other
 * operator reads later: {@link dev.stowage.plan.PlanProblem#inPlace}.
 */
public final class OnnxReader {

  private OnnxReader() {}

  /**
   * {@return the planning problem of a model in a file}
   *
   * <p>The reader maps the file and does not read its weights. Weights in other files are not
   * needed.
   *
   * @param file the model
   * @param options the options
   * @throws MalformedFileException if the file is not a complete ONNX model, if ONNX Runtime
   *     rejects it, or if no size is known
   * @throws OpenDimensionsException if sizes depend on open dimensions
   * @throws IOException if the file cannot be read
   */
  public static OnnxProblem read(Path file, OnnxOptions options) throws IOException {
    return problem(load(file, options), options);
  }

  /**
   * {@return the planning problem of a model in memory}
   *
   * @param source the name of the model in messages
   * @param model its bytes, from the buffer's position to its limit, which do not change
   * @param options the options
   * @throws MalformedFileException as {@link #read(Path, OnnxOptions)}
   * @throws OpenDimensionsException as {@link #read(Path, OnnxOptions)}
   * @throws IOException only as one of the two
   */
  public static OnnxProblem read(String source, ByteBuffer model, OnnxOptions options)
      throws IOException {
    return problem(LoadedModel.of(source, model.duplicate(), options), options);
  }

  /**
   * {@return the planning problem of a model in a file for ranges of dimensions}
   *
   * <p>The model is read at up to 33 sizes of one dimension, or at up to nine shapes of several. A
   * note names the shapes that the problem is not valid for, and the given ranges without a
   * dimension in the model. {@link #read(Path, OnnxOptions)} has the same records at any of these
   * shapes.
   *
   * @param file the model
   * @param options the options; their dimensions have one size
   * @param ranges the ranges of other open dimensions, by name or by position as {@code
   *     input[axis]}
   * @throws MalformedFileException as {@link #read(Path, OnnxOptions)}, at all of these shapes
   * @throws OpenDimensionsException if sizes depend on open dimensions without a size or a range
   * @throws IllegalArgumentException if a dimension has a size and a range
   * @throws IOException if the file cannot be read
   */
  public static RangedOnnxProblem readRanges(Path file, OnnxOptions options, DimensionRanges ranges)
      throws IOException {
    String source = file.toString();
    ByteBuffer model = OnnxFile.map(file);
    FixedDimensions largest = new FixedDimensions(ranges.last().toMap());
    largest.applyTo(OnnxFile.parse(source, model.duplicate()));
    return RangedModel.read(source, options, ranges, largest, at -> read(source, model, at));
  }

  static LoadedModel load(Path file, OnnxOptions options) throws IOException {
    return LoadedModel.of(file.toString(), OnnxFile.map(file), options);
  }

  private static OnnxProblem problem(LoadedModel model, OnnxOptions options) {
    ModelGraph graph = model.graph();
    PlannedValues planned = model.planned();
    return new OnnxProblem(
        model.problem(options),
        PlannedTensor.of(
            graph,
            planned.values(),
            planned.views(),
            planned::recordOf,
            // The types of planned values are complete, because their sizes are known.
            value -> OnnxTensorType.of(planned.type(value)).orElseThrow()),
        OnnxNode.of(graph),
        PlannedOperators.of(graph, planned),
        model.notes());
  }
}
