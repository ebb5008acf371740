package dev.stowage.tflite;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.incremental.OperatorGraph;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A reader of TensorFlow Lite models as planning problems of their main subgraphs.
 *
 * <p>Task k is operator k. The result of an operator has a record from the task that computes it to
 * the last task that reads it. The inputs and outputs of the graph are planned only if the scope
 * includes them: inputs then live from task 0, outputs to the last task. Constants, variables,
 * tensors of 0 bytes and tensors of unknown size are never planned. The kinds of the operators
 * matter only {@linkplain TfliteOptions#withInPlace if operators may work in place}.
 */
public final class TfliteReader {

  /*
   * The parts of a flatbuffer refer to each other by offsets, which can have any value in a damaged
   * file. Three rules hold:
   *
   *   - All reads use a buffer that checks bounds. Only parse() turns its exceptions into
   *     MalformedFileExceptions.
   *   - The length of a vector is compared with the file before the vector is allocated or read.
   *   - All reads are charged to a budget (ModelFile), because parts of a small file can be shared so
   *     often that reading all of them would not end.
   *
   * Reading takes O(operators + tensors + buffers), independent of the size of the weights.
   */

  /**
   * The largest size of a buffer, some bytes less than 2 GiB. A flatbuffer is not larger; in a
   * larger file, weights follow the flatbuffer.
   */
  static final long MAX_MAPPED_BYTES = Integer.MAX_VALUE - 8;

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
    return readMapped(file, model -> problem(model, options));
  }

  /**
   * {@return the operators of a model in a file and the records that they read and write, for a
   * search over their orders}
   *
   * <p>The records are those of {@link #read(Path, TfliteOptions)}. Operators with effects, such as
   * those that use variables, random numbers or custom operators, keep their order. The pairs of
   * records in place of others depend on the order; {@link TfliteOptions#withOrder} gives those of
   * another one.
   *
   * @param file the model
   * @param options the options; the order must be that of the file
   * @throws MalformedFileException as {@link #read(Path, TensorScope)}
   * @throws IOException if the file cannot be read
   */
  public static OperatorGraph readOperators(Path file, TfliteOptions options) throws IOException {
    return readMapped(file, model -> operators(model, options));
  }

  private static OperatorGraph operators(ModelFile file, TfliteOptions options)
      throws MalformedFileException {
    PlannedTensors planned = PlannedTensors.of(MainSubgraph.of(file, options), options.scope());
    return TfliteOperators.of(MicroSubgraph.allOf(file).getFirst(), planned, options.scope());
  }

  /**
   * {@return the tensor arena that TensorFlow Lite Micro needs for a model in a file}
   *
   * @param file the model
   * @throws MalformedFileException if the file is not a complete TensorFlow Lite model, if a
   *     subgraph calls itself, or if the offline plan of the model is damaged
   * @throws IOException if the file cannot be read
   */
  public static MicroArena readMicro(Path file) throws IOException {
    return readMapped(file, MicroReader::read);
  }

  /**
   * {@return the tensor arena that TensorFlow Lite Micro needs for a model in memory}
   *
   * @param source the name of the model in messages
   * @param model its bytes, from the buffer's position to its limit, which do not change
   * @throws MalformedFileException as for a file
   */
  public static MicroArena readMicro(String source, ByteBuffer model)
      throws MalformedFileException {
    return parse(new ModelFile(source, model, model.remaining()), MicroReader::read);
  }

  /** A parser of the parts of a model; exceptions of damaged offsets are turned into the one. */
  interface Parser<T> {
    T parse(ModelFile file) throws MalformedFileException;
  }

  private static <T> T readMapped(Path file, Parser<T> parser) throws IOException {
    // On some systems, a directory can be opened, and mapping it fails without a clear message.
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a folder, expected a file");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      long fileBytes = channel.size();
      long mappedBytes = Math.min(fileBytes, MAX_MAPPED_BYTES);
      ByteBuffer model = channel.map(MapMode.READ_ONLY, 0, mappedBytes, arena).asByteBuffer();
      return parse(new ModelFile(file.toString(), model, fileBytes), parser);
    }
  }

  /**
   * {@return the planning problem of a model in memory}
   *
   * @param source the name of the model in messages
   * @param model its bytes, from the buffer's position to its limit, which do not change
   * @param scope the tensors to plan
   * @throws MalformedFileException if the bytes are not a complete TensorFlow Lite model, or if an
   *     operator reads the result of a later one
   */
  public static TfliteProblem read(String source, ByteBuffer model, TensorScope scope)
      throws MalformedFileException {
    return read(source, model, TfliteOptions.defaults().withScope(scope));
  }

  /**
   * {@return the planning problem of a model in memory, as {@link #read(String, ByteBuffer,
   * TensorScope)}}
   *
   * @param source the name of the model in messages
   * @param model its bytes, from the buffer's position to its limit, which do not change
   * @param options the options
   * @throws MalformedFileException as {@link #read(String, ByteBuffer, TensorScope)}
   */
  public static TfliteProblem read(String source, ByteBuffer model, TfliteOptions options)
      throws MalformedFileException {
    return parse(new ModelFile(source, model, model.remaining()), file -> problem(file, options));
  }

  private static TfliteProblem problem(ModelFile file, TfliteOptions options)
      throws MalformedFileException {
    PlannedTensors planned = PlannedTensors.of(MainSubgraph.of(file, options), options.scope());
    return new TfliteProblem(
        planned.problem(), planned.tensors(), planned.uses(), planned.kinds(), planned.notes());
  }

  /** {@return the result of a parser of a model whose header is checked} */
  static <T> T parse(ModelFile file, Parser<T> parser) throws MalformedFileException {
    try {
      file.checkHeader();
      return parser.parse(file);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      MalformedFileException malformed = file.leadsOutside();
      malformed.initCause(e);
      throw malformed;
    }
  }
}
