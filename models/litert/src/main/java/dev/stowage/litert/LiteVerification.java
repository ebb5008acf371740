package dev.stowage.litert;

import dev.stowage.litert.engine.PlacedTensor;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorScope;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.tflite.TfliteOptions;
import dev.stowage.tflite.TfliteProblem;
import dev.stowage.tflite.TfliteReader;
import dev.stowage.tflite.TfliteTensor;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import dev.stowage.tflite.micro.PlacedBuffer;
import dev.stowage.tflite.offline.OfflinePlan;
import dev.stowage.tflite.offline.OfflinePlanWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Runs of a model in planned memory whose outputs are compared with TensorFlow Lite's.
 *
 * <p>TensorFlow Lite runs the whole model, with the planned tensors of the main subgraph at their
 * offsets in one arena. Between two operators, the ranges of tensors that are not in use are filled
 * with a pattern. Temporary tensors of kernels and tensors of other subgraphs are in memory of
 * TensorFlow Lite.
 */
public final class LiteVerification {

  /** The alignment of planned offsets, that of TensorFlow Lite's own memory. */
  public static final long ALIGNMENT_BYTES = 64;

  private final Path file;
  private final TfliteOptions options;
  private final long seed;
  private final Watch watch;

  /** The model with the records of {@link #problem}. */
  private final TfliteProblem model;

  private final PlanProblem problem;
  private final List<TfliteTensor> tensors;
  private final Optional<OffsetsAssignment> planInFile;
  private final List<String> notes;

  /** The observer of the runs. */
  private record Watch(BooleanSupplier stop, IntConsumer operatorsDone) {}

  /** The tensors of a plan in a file. */
  private record FilePlanRecords(
      PlanProblem problem, List<TfliteTensor> tensors, OffsetsAssignment plan) {}

  private LiteVerification(
      Path file,
      TfliteOptions options,
      long seed,
      Watch watch,
      TfliteProblem model,
      Optional<FilePlanRecords> inFile) {
    this.file = file;
    this.options = options;
    this.seed = seed;
    this.watch = watch;
    this.model = model;
    problem =
        inFile
            .map(FilePlanRecords::problem)
            .orElseGet(() -> model.problem().withAlignment(ALIGNMENT_BYTES));
    tensors = inFile.map(FilePlanRecords::tensors).orElseGet(model::tensors);
    planInFile = inFile.map(FilePlanRecords::plan);
    notes = model.notes();
  }

  /**
   * {@return the verification of a model}
   *
   * <p>It evaluates the condition to stop every few milliseconds, and ends with a {@link
   * CancellationException}.
   *
   * @param file the model
   * @param options the tensors to plan
   * @param seed the seed of the inputs
   * @param stop returns true if the verification must end
   * @param operatorsDone receives the number of operators that have run in planned memory
   * @throws MalformedFileException if the file is not a complete model
   * @throws IOException if the file cannot be read
   */
  public static LiteVerification load(
      Path file, TfliteOptions options, long seed, BooleanSupplier stop, IntConsumer operatorsDone)
      throws IOException {
    return new LiteVerification(
        file,
        options,
        seed,
        new Watch(stop, operatorsDone),
        TfliteReader.read(file, options),
        Optional.empty());
  }

  /**
   * {@return the verification of the offline plan in the file; empty if it has none}
   *
   * <p>The problem then has the tensors of the main subgraph, inputs and outputs included, and
   * {@link #planInFile} has the offsets at which TensorFlow Lite Micro puts them: those of the
   * plan, and its own for tensors that the plan leaves to it.
   *
   * @throws MalformedFileException if the plan is damaged
   * @throws IOException if the file cannot be read
   */
  public Optional<LiteVerification> ofPlanInFile() throws IOException {
    MicroArena arena = MicroArenaReader.read(file);
    Optional<OfflinePlan> plan = arena.filePlan().filter(OfflinePlan::hasOffsets);
    if (plan.isEmpty()) {
      return Optional.empty();
    }
    Map<Integer, Long> offsets = new HashMap<>();
    for (PlacedBuffer placed : arena.placedAtRunTime(plan)) {
      if (placed.buffer().id().subgraph() == 0) {
        offsets.put(placed.buffer().id().tensor(), placed.offset());
      }
    }
    // The kernels of TensorFlow Lite Micro support results in place of an input in any plan.
    TfliteProblem all =
        TfliteReader.read(
            file,
            TfliteOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS).withInPlace());
    List<Integer> placed =
        IntStream.range(0, all.tensors().size())
            .filter(i -> offsets.containsKey(all.tensors().get(i).index()))
            .boxed()
            .toList();
    PlanProblem records = all.problem().subset(placed);
    List<TfliteTensor> placedTensors = placed.stream().map(all.tensors()::get).toList();
    OffsetsAssignment atOffsets =
        OffsetsAssignment.inSmallestArena(
            records,
            placedTensors.stream()
                .mapToLong(tensor -> offsets.getOrDefault(tensor.index(), 0L))
                .toArray());
    return Optional.of(
        new LiteVerification(
            file,
            options,
            seed,
            watch,
            model,
            Optional.of(new FilePlanRecords(records, placedTensors, atOffsets))));
  }

  /**
   * {@return the verification of the same model with its operators in another order}
   *
   * <p>Its run compares the outputs with those of the model in the order of the file. TensorFlow
   * Lite also runs the whole model in the new order, and its outputs must be the same.
   *
   * @param operators the operators by their indices in the file, each once
   * @throws IOException if the file cannot be read
   */
  public LiteVerification inOrder(List<Integer> operators) throws IOException {
    TfliteOptions ordered = options.withOrder(operators);
    return new LiteVerification(
        file, ordered, seed, watch, TfliteReader.read(file, ordered), Optional.empty());
  }

  /** {@return the problem to plan} */
  public PlanProblem problem() {
    return problem;
  }

  /** {@return the offsets that the file gives to the records of the problem} */
  public Optional<OffsetsAssignment> planInFile() {
    return planInFile;
  }

  /**
   * {@return the operators in the order of the file, for a search over their orders}
   *
   * @throws IOException if the file cannot be read
   */
  public OperatorGraph operators() throws IOException {
    return TfliteReader.readOperators(file, options.withOrder(List.of()));
  }

  /** {@return the number of operators of the main subgraph} */
  public int operatorCount() {
    return model.kinds().size();
  }

  /** {@return sentences for the user on the model} */
  public List<String> notes() {
    return notes;
  }

  /**
   * {@return the report on runs of the model in an arena with the offsets of a plan}
   *
   * <p>This method does not check the plan for overlaps: the outputs show a wrong plan.
   *
   * @param plan the offset of each record of {@link #problem()}
   * @throws IllegalArgumentException if a record exceeds the arena
   * @throws MalformedFileException if TensorFlow Lite rejects the model or an operator, or crashes
   * @throws MissingLibraryException if TensorFlow Lite is missing
   * @throws IllegalStateException if the library does not run the operators one by one
   * @throws CancellationException if {@code stop} ends the runs
   * @throws IOException if a file cannot be read or written
   */
  public LiteReport run(OffsetsAssignment plan) throws IOException {
    List<PlacedTensor> placed = placed(plan);
    LiteProcess process = new LiteProcess(file.toString(), watch.stop(), watch.operatorsDone());
    try (LiteFolder folder = new LiteFolder()) {
      Path library = LiteLibrary.copyTo(folder);
      String reordered = options.order().isEmpty() ? "" : reordered(folder).toString();
      process.run(
          List.of(
              library.toString(),
              file.toString(),
              reordered,
              Long.toString(seed),
              Long.toString(plan.totalBytes())),
          placed);
    }
    if (process.ranCount() != operatorCount()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "TensorFlow Lite ran %d operators, expected %d: this version does not report each of them",
              process.ranCount(),
              operatorCount()));
    }
    if (process.outputs().isEmpty()) {
      throw new MalformedFileException(
          file.toString(), "it has no outputs, expected at least one to compare");
    }
    return new LiteReport(
        seed,
        process.outputs(),
        plan.totalBytes(),
        process.arenaBytes(),
        process.reorderedArenaBytes(),
        notes(process));
  }

  /** Writes a copy of the model with its operators in the new order and {@return the copy} */
  private Path reordered(LiteFolder folder) throws IOException {
    Path copy = folder.file("reordered.tflite");
    OfflinePlan none = MicroArenaReader.read(file).noOffsets();
    OfflinePlanWriter.write(file, none, options.order(), copy);
    return copy;
  }

  private List<PlacedTensor> placed(OffsetsAssignment plan) {
    List<TensorUsageRecord> records = problem.records();
    Map<Integer, Integer> takers = new HashMap<>();
    for (InPlace pair : problem.usableInPlace()) {
      if (plan.offset(pair.record()) == plan.offset(pair.source())) {
        takers.put(pair.source(), pair.record());
      }
    }
    Set<Integer> takingOver = Set.copyOf(takers.values());
    int lastTask = operatorCount() - 1;
    List<PlacedTensor> placed = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      TensorUsageRecord record = records.get(i);
      checkWithin(i, record.bytes(), plan);
      boolean isFilledBefore =
          tensors.get(i).uses().producer().isPresent() && !takingOver.contains(i);
      Integer taker = takers.get(i);
      placed.add(
          new PlacedTensor(
              tensors.get(i).index(),
              plan.offset(i),
              record.bytes(),
              isFilledBefore ? Math.toIntExact(record.firstTask()) : PlacedTensor.NEVER,
              record.lastTask() < lastTask
                  ? Math.toIntExact(record.lastTask())
                  : PlacedTensor.NEVER,
              taker == null ? 0 : records.get(taker).bytes()));
    }
    return placed;
  }

  private static void checkWithin(int record, long bytes, OffsetsAssignment plan) {
    if (plan.offset(record) < 0 || plan.offset(record) > plan.totalBytes() - bytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "record %d of %d bytes is at offset %d, expected one within %d bytes",
              record,
              bytes,
              plan.offset(record),
              plan.totalBytes()));
    }
  }

  /** {@return notes on tensors that are not in planned memory, and on outputs that prove little} */
  private List<String> notes(LiteProcess process) {
    List<String> notes = new ArrayList<>();
    if (!process.largerBytes().isEmpty()) {
      Map.Entry<Integer, Long> first = process.largerBytes().entrySet().iterator().next();
      notes.add(
          String.format(
              Locale.ROOT,
              "the shapes in the file are too small for %s, which TensorFlow Lite has in memory of its own: %s has %d bytes",
              count(process.largerBytes().size()),
              named(first.getKey()),
              first.getValue()));
    }
    if (!process.unplaced().isEmpty()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "TensorFlow Lite has memory of its own for %s, with values before the run or with sizes that change in it: %s",
              count(process.unplaced().size()),
              named(process.unplaced().getFirst())));
    }
    if (!process.constantOutputs().isEmpty()) {
      int count = process.constantOutputs().size();
      notes.add(
          String.format(
              Locale.ROOT,
              "%s the same value everywhere with these inputs, so that the comparison proves little: '%s'",
              count == 1 ? "1 output has" : count + " outputs have",
              MalformedFileException.excerpt(process.constantOutputs().getFirst())));
    }
    return notes;
  }

  private static String count(int tensors) {
    return tensors == 1 ? "1 planned tensor" : tensors + " planned tensors";
  }

  /** {@return the index of a planned tensor and its name} */
  private String named(int index) {
    String name =
        tensors.stream()
            .filter(tensor -> tensor.index() == index)
            .map(TfliteTensor::name)
            .findFirst()
            .orElse("");
    return String.format(Locale.ROOT, "%d '%s'", index, MalformedFileException.excerpt(name));
  }
}
