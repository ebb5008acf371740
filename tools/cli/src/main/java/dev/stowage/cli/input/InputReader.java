package dev.stowage.cli.input;

import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxProblem;
import dev.stowage.onnx.OnnxReader;
import dev.stowage.onnx.RangedOnnxProblem;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.tflite.TfliteOptions;
import dev.stowage.tflite.TfliteProblem;
import dev.stowage.tflite.TfliteReader;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A reader of models and problems. The extension of a file name selects the format.
 *
 * <p>The reader reads a problem once, from start to end, so that it can also read pipes.
 *
 * @param options the tensors of a model to plan, and the sizes of its open dimensions
 * @param problemFormat the format of the standard input and of files without a known extension
 * @param standardInput the input for the file {@value #STANDARD_INPUT}; the reader does not close
 *     it
 * @param dimensions the dimensions of the command line, for problems
 * @param micro the options for TensorFlow Lite Micro, if its arena is planned; the reader then
 *     rejects all files except {@code .tflite} models
 * @param runNotes sentences on the run of a profile that the sizes of the options come from
 */
public record InputReader(
    OnnxOptions options,
    Optional<ProblemFormat> problemFormat,
    InputStream standardInput,
    GivenDimensions dimensions,
    Optional<MicroOptions> micro,
    List<String> runNotes) {

  /** The name of the standard input. */
  public static final String STANDARD_INPUT = "-";

  /** Creates a reader without options for TensorFlow Lite Micro. */
  public InputReader(
      OnnxOptions options,
      Optional<ProblemFormat> problemFormat,
      InputStream standardInput,
      GivenDimensions dimensions) {
    this(options, problemFormat, standardInput, dimensions, Optional.empty(), List.of());
  }

  public InputReader withMicro(MicroOptions microOptions) {
    return new InputReader(
        options, problemFormat, standardInput, dimensions, Optional.of(microOptions), runNotes);
  }

  /** {@return this reader, with sentences on the run that the sizes of the options come from} */
  public InputReader withRunNotes(List<String> notes) {
    return new InputReader(options, problemFormat, standardInput, dimensions, micro, notes);
  }

  /** {@return true if the name of a file has a known extension} */
  public static boolean hasKnownExtension(String path) {
    return InputFormat.of(path).isPresent();
  }

  /** {@return true if a folder stands for files with this name: models and dumps, not problems} */
  public static boolean isFoundInFolders(String path) {
    return InputFormat.of(path)
        .filter(format -> format != InputFormat.CSV && format != InputFormat.JSON)
        .isPresent();
  }

  /**
   * {@return the records of a file}
   *
   * @throws MalformedFileException if the file violates its format
   * @throws dev.stowage.onnx.OpenDimensionsException if it is a model with open dimensions
   */
  public PlanInput read(String path) throws IOException {
    if (micro.isPresent()) {
      return readMicro(path, micro.get());
    }
    return switch (format(path).orElseThrow(() -> unknown(path))) {
      case TFLITE -> readTflite(path, ExistingFile.regular(path));
      case ONNX -> readOnnx(path, ExistingFile.regular(path));
      case XLA -> XlaDumpReader.read(path, ExistingFile.of(path)).input();
      case CSV -> problem(path, false, new ProblemTensors(path, false, dimensions));
      case JSON -> problem(path, true, new ProblemTensors(path, false, dimensions));
    };
  }

  /**
   * {@return the plan in a problem in which every record has an offset, or in a model}
   *
   * @param path the file as on the command line, a {@code .csv}, {@code .json} or {@code .tflite}
   * @throws MalformedFileException if the file violates its format, or if a record has no offset
   */
  public PlacedInput readPlan(String path) throws IOException {
    if (path.equals(STANDARD_INPUT) && problemFormat.isEmpty()) {
      throw unknown(path);
    }
    return switch (format(path).orElseThrow(() -> noPlan(path))) {
      case TFLITE -> MicroProblemReader.readPlan(path, ExistingFile.of(path), micro);
      case ONNX -> throw noPlan(path);
      case XLA -> XlaDumpReader.read(path, ExistingFile.of(path));
      case CSV -> plan(path, false);
      case JSON -> plan(path, true);
    };
  }

  /** {@return the format of a file by its extension, otherwise the format on the command line} */
  private Optional<InputFormat> format(String path) throws IOException {
    if (!path.equals(STANDARD_INPUT)) {
      ExistingFile.of(path);
      if (InputFormat.of(path).isPresent()) {
        return InputFormat.of(path);
      }
    }
    return problemFormat.map(format ->
        switch (format) {
          case csv -> InputFormat.CSV;
          case json -> InputFormat.JSON;
        });
  }

  private static MalformedFileException noPlan(String path) {
    return new MalformedFileException(
        path,
        "is not a plan, expected a .csv or .json problem with an offset for every record, a .tflite model with an offline plan, or XLA's …-buffer-assignment.txt");
  }

  private static MalformedFileException unknown(String path) {
    return new MalformedFileException(
        path,
        "has an unknown extension, expected a model (.tflite, .onnx), a problem (.csv, .json, or any with --input-format), or XLA's …-buffer-assignment.txt; stowage replay reads traces");
  }

  private PlacedInput plan(String path, boolean isJson) throws IOException {
    ProblemTensors tensors = new ProblemTensors(path, true, dimensions);
    return tensors.plan(problem(path, isJson, tensors));
  }

  private PlanInput problem(String path, boolean isJson, ProblemTensors tensors)
      throws IOException {
    if (path.equals(STANDARD_INPUT)) {
      return ProblemReader.read(path, TextInput.of(path, standardInput), isJson, tensors);
    }
    try (Reader text = TextInput.open(ExistingFile.of(path))) {
      return ProblemReader.read(path, text, isJson, tensors);
    }
  }

  private PlanInput readMicro(String path, MicroOptions microOptions) throws IOException {
    if (!InputFormat.of(path).equals(Optional.of(InputFormat.TFLITE))) {
      throw new MalformedFileException(
          path, "is not a .tflite model, which --runtime tflm needs; omit --runtime");
    }
    MicroArena arena = MicroArenaReader.read(ExistingFile.regular(path));
    return MicroProblemReader.read(
        path, options.isAliased() ? arena.withInPlace() : arena, microOptions, dimensionNotes());
  }

  private PlanInput readTflite(String path, Path file) throws IOException {
    TfliteProblem model = TfliteReader.read(file, tfliteOptions(options));
    List<String> notes = new ArrayList<>(model.notes());
    notes.addAll(dimensionNotes());
    return tensors(
        file(path, InputFormat.TFLITE, ModelLabels.tasks(model), notes),
        ModelLabels.records(model),
        model.problem());
  }

  /** {@return the same options for a .tflite model} */
  public static TfliteOptions tfliteOptions(OnnxOptions options) {
    TfliteOptions tflite = TfliteOptions.defaults().withScope(options.scope());
    return options.isAliased() ? tflite.withInPlace() : tflite;
  }

  /** {@return a note on dimensions that the user sets, because no .tflite model has any} */
  private List<String> dimensionNotes() {
    Set<String> names = new LinkedHashSet<>(options.dimensions().keySet());
    dimensions.ranges().ranges().forEach(range -> names.add(range.name()));
    return names.isEmpty() ? List.of() : List.of(noDimensions(names));
  }

  /** {@return a sentence on dimensions that the user sets for a .tflite model} */
  public static String noDimensions(Collection<String> names) {
    return "the model has no open dimension named "
        + String.join(", ", names)
        + "; .tflite models have no open dimensions; omit --dim";
  }

  private PlanInput readOnnx(String path, Path file) throws IOException {
    DimensionRanges open =
        new DimensionRanges(
            dimensions.ranges().ranges().stream()
                .filter(range -> range.first() < range.last())
                .toList());
    if (!open.ranges().isEmpty()) {
      return readOnnx(path, file, open);
    }
    OnnxProblem model = OnnxReader.read(file, options);
    List<String> notes = new ArrayList<>(runNotes);
    notes.addAll(model.notes());
    return tensors(
        file(path, InputFormat.ONNX, ModelLabels.tasks(model.nodes()), notes),
        ModelLabels.records(model.tensors()),
        model.problem());
  }

  private PlanInput readOnnx(String path, Path file, DimensionRanges open) throws IOException {
    RangedOnnxProblem model = OnnxReader.readRanges(file, options, open);
    List<RecordLabel> records = ModelLabels.records(model.tensors());
    InputFile properties =
        file(path, InputFormat.ONNX, ModelLabels.tasks(model.nodes()), model.notes());
    return tensors(properties, records, model.problem().largest()).withRanges(model.problem());
  }

  private static InputFile file(
      String path, InputFormat format, List<TaskLabel> tasks, List<String> notes) {
    return new InputFile(
        path,
        format.name().toLowerCase(Locale.ROOT),
        tasks.size(),
        tasks,
        OptionalLong.empty(),
        notes);
  }

  private static PlanInput.Tensors tensors(
      InputFile file, List<RecordLabel> records, PlanProblem problem) {
    return new PlanInput.Tensors(file, records, problem, BankFields.ofReads(records));
  }
}
