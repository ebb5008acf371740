package dev.stowage.tflite;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.tflite.model.ModelFile;
import dev.stowage.tflite.model.Subgraph;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A reader of TensorFlow Lite models as planning problems of their main subgraphs.
 *
 * <p>Task k is operator k. A result has a record from the task of its producer to the task of its
 * last reader. The inputs and outputs of the graph are planned only if the scope includes them:
 * inputs then live from task 0, outputs to the last task. Constants, variables, tensors of 0 bytes
 * and tensors of unknown size are never planned. The kinds of the operators matter only {@linkplain
 * TfliteOptions#withInPlace if operators may work in place}.
 */
public final class TfliteReader {

  // Reading takes O(operators + tensors + buffers), independent of the size of the weights.

  private TfliteReader() {}

  /**
   * {@return the planning problem of a model in a file}
   *
   * <p>The reader maps the file and does not read its weights.
   *
   * @param file the model
   * @param scope the tensors to plan
   * @throws MalformedFileException if the file is not a complete TensorFlow Lite model, or if an
   *     operator reads the result of a later one
   * @throws IOException if the file cannot be read
   */
  public static TfliteProblem read(Path file, TensorScope scope) throws IOException {
    return read(file, TfliteOptions.defaults().withScope(scope));
  }

  /**
   * {@return the planning problem of a model in a file, as {@link #read(Path, TensorScope)}}
   *
   * @param file the model
   * @param options the options
   * @throws MalformedFileException as {@link #read(Path, TensorScope)}
   * @throws IOException if the file cannot be read
   */
  public static TfliteProblem read(Path file, TfliteOptions options) throws IOException {
    return ModelFile.parse(file, model -> problem(model, options));
  }

  /**
   * {@return the operators of a model in a file and the records that they read and write, for a
   * search over their orders}
   *
   * <p>{@link #read(Path, TfliteOptions)} has the same records. Operators with effects keep their
   * order, for example operators on variables, random numbers and custom operators. The pairs of
   * records in place of others depend on the order; {@link TfliteOptions#withOrder} gives the pairs
   * of another order.
   *
   * @param file the model
   * @param options the options; the order must be the order of the file
   * @throws MalformedFileException as {@link #read(Path, TensorScope)}
   * @throws IOException if the file cannot be read
   */
  public static OperatorGraph readOperators(Path file, TfliteOptions options) throws IOException {
    return ModelFile.parse(file, model -> operators(model, options));
  }

  private static OperatorGraph operators(ModelFile file, TfliteOptions options)
      throws MalformedFileException {
    PlannedTensors planned = PlannedTensors.of(MainSubgraph.of(file, options), options.scope());
    return TfliteOperators.of(Subgraph.allOf(file).getFirst(), planned, options.scope());
  }

  /**
   * {@return the planning problem of a model in memory}
   *
   * @param source the name of the model in messages
   * @param model its bytes, from the buffer's position to its limit, which do not change
   * @param options the options
   * @throws MalformedFileException as {@link #read(Path, TensorScope)}
   */
  public static TfliteProblem read(String source, ByteBuffer model, TfliteOptions options)
      throws MalformedFileException {
    return ModelFile.of(source, model).parse(file -> problem(file, options));
  }

  private static TfliteProblem problem(ModelFile file, TfliteOptions options)
      throws MalformedFileException {
    PlannedTensors planned = PlannedTensors.of(MainSubgraph.of(file, options), options.scope());
    return new TfliteProblem(
        planned.problem(), planned.tensors(), planned.kinds(), planned.notes());
  }
}
