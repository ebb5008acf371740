package dev.stowage.tflite;

import dev.stowage.core.MalformedFileException;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorScope;
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
 * Reads a TensorFlow Lite model's main subgraph as a planning problem.
 *
 * <p>Task k is operator k. A tensor that an operator produces has a record from the task that
 * produces it to the last one that reads it. Graph inputs and outputs are left out unless asked
 * for: inputs then live from task 0, outputs to the last task. Constants, variables and tensors of
 * zero or unknown size are never planned. Which operators a model has does not matter.
 */
public final class TfliteReader {

  /*
   * A flatbuffer is a web of offsets, and a damaged one may lead anywhere. Three rules hold:
   *
   *   R1  nothing is read but through a buffer that checks its bounds; what it throws becomes a
   *       MalformedFileException in parse(), and nowhere else;
   *   R2  a vector's length is checked against the file before anything is allocated or iterated;
   *   R3  everything read is paid for from a budget (ModelFile), as parts of a small file can be
   *       shared so often that following them all never ends.
   *
   * Reading costs O(operators + tensors + buffers) and is independent of the weights' bytes.
   */

  /**
   * What a buffer can have: 2 GiB but for a few bytes. A flatbuffer is no larger, and in a file
   * that is, weights follow it.
   */
  private static final long MAX_MAPPED_BYTES = Integer.MAX_VALUE - 8;

  private TfliteReader() {}

  /**
   * {@return the planning problem of a model in a file}
   *
   * <p>The file is mapped: its weights are not read.
   *
   * @param file the model
   * @param scope which tensors have records
   * @throws MalformedFileException if the file is not a whole TensorFlow Lite model, or an operator
   *     reads what a later one produces
   * @throws IOException if the file cannot be read
   */
  public static TfliteProblem read(Path file, TensorScope scope) throws IOException {
    // Opening a directory succeeds on some systems, and mapping it then fails obscurely.
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a directory");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      long fileBytes = channel.size();
      long mappedBytes = Math.min(fileBytes, MAX_MAPPED_BYTES);
      ByteBuffer model = channel.map(MapMode.READ_ONLY, 0, mappedBytes, arena).asByteBuffer();
      return read(new ModelFile(file.toString(), model, fileBytes), scope);
    }
  }

  /**
   * {@return the planning problem of a model in memory}
   *
   * @param source how messages name the model
   * @param model its bytes, from the buffer's position to its limit; neither is moved
   * @param scope which tensors have records
   * @throws MalformedFileException if the bytes are not a whole TensorFlow Lite model, or an
   *     operator reads what a later one produces
   */
  public static TfliteProblem read(String source, ByteBuffer model, TensorScope scope)
      throws MalformedFileException {
    return read(new ModelFile(source, model, model.remaining()), scope);
  }

  private static TfliteProblem read(ModelFile file, TensorScope scope)
      throws MalformedFileException {
    PlannedTensors planned = parse(file, scope);
    return new TfliteProblem(
        PlanProblem.of(planned.records()),
        planned.tensors(),
        planned.operatorCount(),
        planned.notes());
  }

  private static PlannedTensors parse(ModelFile file, TensorScope scope)
      throws MalformedFileException {
    try {
      file.checkHeader();
      MainSubgraph subgraph = MainSubgraph.of(file);
      return PlannedTensors.of(subgraph, scope);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      MalformedFileException malformed = file.leadsOutside();
      malformed.initCause(e);
      throw malformed;
    }
  }
}
