package dev.stowage.cli.input;

import dev.stowage.core.MalformedInputException;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxProblem;
import dev.stowage.onnx.OnnxReader;
import dev.stowage.tflite.TfliteProblem;
import dev.stowage.tflite.TfliteReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Reads whatever can be planned; the name's ending says what a file is. */
public final class InputReader {

  private static final int BYTE_ORDER_MARK = '\uFEFF';

  private final OnnxOptions options;

  /**
   * A reader.
   *
   * @param options which tensors of a model are planned, and, of one that leaves dimensions open,
   *     how large these are
   */
  public InputReader(OnnxOptions options) {
    this.options = options;
  }

  /**
   * {@return what a file holds to be planned}
   *
   * @param path the file as it was named
   * @throws MalformedInputException if it is not what its name says
   * @throws dev.stowage.onnx.OpenDimensionsException if it is a model that leaves dimensions open
   * @throws IOException if it cannot be read
   */
  public PlanInput read(String path) throws IOException {
    try {
      return readExisting(path, Path.of(path));
    } catch (CharacterCodingException e) {
      throw new MalformedInputException(path, "is not UTF-8, expected a text file");
    }
  }

  private PlanInput readExisting(String path, Path file) throws IOException {
    String name = path.toLowerCase(Locale.ROOT);
    if (Files.isDirectory(file)) {
      throw new MalformedInputException(path, "is a folder, expected a file");
    }
    if (!Files.exists(file)) {
      throw new MalformedInputException(path, "does not exist");
    }
    if (name.endsWith(".tflite")) {
      return readTflite(path, file);
    }
    if (name.endsWith(".onnx")) {
      return readOnnx(path, file);
    }
    if (name.endsWith(".csv")) {
      try (Reader reader = open(file)) {
        return ProblemCsvReader.read(path, reader);
      }
    }
    if (name.endsWith(".json")) {
      try (Reader reader = open(file)) {
        return ProblemJsonReader.read(path, reader);
      }
    }
    throw new MalformedInputException(
        path, "is of an unknown kind, expected a name that ends in .tflite, .onnx, .csv or .json");
  }

  /** Bytes that are no UTF-8 are an error of the reader; a byte order mark is skipped. */
  private static Reader open(Path file) throws IOException {
    Reader reader = Files.newBufferedReader(file);
    reader.mark(1);
    if (reader.read() != BYTE_ORDER_MARK) {
      reader.reset();
    }
    return reader;
  }

  private PlanInput readTflite(String path, Path file) throws IOException {
    TfliteProblem model = TfliteReader.read(file, options.scope());
    PlanProblem problem = model.problem();
    List<RecordLabel> labels =
        model.tensors().stream()
            .map(tensor -> {
              String id = Integer.toString(tensor.index());
              return new RecordLabel(id, tensor.name().isEmpty() ? id : tensor.name());
            })
            .toList();
    return new PlanInput.Tensors(
        new InputFile(path, "tflite", model.operatorCount(), OptionalLong.empty(), model.notes()),
        labels,
        problem);
  }

  private PlanInput readOnnx(String path, Path file) throws IOException {
    OnnxProblem model = OnnxReader.read(file, options);
    PlanProblem problem = model.problem();
    return new PlanInput.Tensors(
        new InputFile(path, "onnx", model.operatorCount(), OptionalLong.empty(), model.notes()),
        model.names().stream().map(name -> new RecordLabel(name, name)).toList(),
        problem);
  }
}
