package dev.stowage.onnx;

import dev.stowage.core.MalformedFileException;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.onnx.engine.ComparedRuns;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.InPlaceRecords;
import dev.stowage.onnx.graph.ValueRecords;
import dev.stowage.onnx.graph.ValueType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;

/**
 * Runs a model in planned memory, and holds its outputs against the engine's own:
 *
 * {@snippet :
 * ModelVerification verification = ModelVerification.load(file, OnnxOptions.defaults(), 42);
 * OffsetsAssignment plan = MemoryStrategy.OPTIMAL.planOffsets(verification.problem());
 * VerificationReport report = verification.run(plan);
 * report.isIdentical(); // true, or the plan is wrong
 * }
 *
 * <p>Every operator is run by ONNX Runtime, with what it reads and writes bound to segments of one
 * arena at the planned offsets. The range of each record is poisoned before its first task and
 * after its last.
 */
public final class ModelVerification {

  /** What offsets in the arena are multiples of, as in the engine's own memory. */
  public static final long ALIGNMENT_BYTES = ComparedRuns.ALIGNMENT_BYTES;

  private final Path file;
  private final LoadedModel model;
  private final ValueRecords records;
  private final PlanProblem problem;
  private final long seed;
  private final VerificationWatch watch;

  private ModelVerification(
      Path file, LoadedModel model, ValueRecords records, long seed, VerificationWatch watch) {
    this.file = file;
    this.seed = seed;
    this.watch = watch;
    this.model = model;
    this.records = records;
    this.problem = PlanProblem.of(records.records()).withAlignment(ComparedRuns.ALIGNMENT_BYTES);
  }

  /**
   * {@return the verification of a model}
   *
   * <p>Where results of views share their input's memory by the options, operators that work
   * element by element write over inputs that nothing reads after them, too. Sizes that are known
   * only when the model runs are those of a run by the engine.
   *
   * @param file the model
   * @param options how to read it
   * @param seed of the model's inputs
   * @throws MalformedFileException if it is no whole model, or the engine refuses it
   * @throws OpenDimensionsException if its inputs leave dimensions open
   * @throws MissingEngineException if ONNX Runtime is not there
   * @throws IOException if the file cannot be read
   */
  public static ModelVerification load(Path file, OnnxOptions options, long seed)
      throws IOException {
    return load(file, options, seed, VerificationWatch.none());
  }

  /**
   * {@return the verification of a model, as {@link #load(Path, OnnxOptions, long)}, that a program
   * follows}
   *
   * @param file the model
   * @param options how to read it
   * @param seed of the model's inputs
   * @param watch follows the loading and the runs, and may end them
   * @throws MalformedFileException if it is no whole model, or the engine refuses it
   * @throws OpenDimensionsException if its inputs leave dimensions open
   * @throws MissingEngineException if ONNX Runtime is not there
   * @throws CancellationException if the watch ends the loading
   * @throws IOException if the file cannot be read
   */
  public static ModelVerification load(
      Path file, OnnxOptions options, long seed, VerificationWatch watch) throws IOException {
    try {
      ComparedRuns.startEngine();
    } catch (LinkageError e) {
      throw new MissingEngineException(e);
    }
    FixedDimensions fixed = new FixedDimensions(options.dimensions());
    try {
      return load(file, options, seed, watch, fixed);
    } catch (MalformedFileException e) {
      throw LoadedModel.withMisnamed(file.toString(), e, fixed);
    }
  }

  private static ModelVerification load(
      Path file, OnnxOptions options, long seed, VerificationWatch watch, FixedDimensions fixed)
      throws IOException {
    String source = file.toString();
    LoadedModel read = LoadedModel.unchecked(source, OnnxReader.map(file), options, fixed);
    checkKinds(source, read);
    List<String> unknown = read.openTensors().stream().map(GraphValue::name).toList();
    read.checkInputs(source, Math.max(1, unknown.size()));
    LoadedModel model =
        read.withTypes(
            ComparedRuns.typesOf(file, read.graph(), read.planned(), seed, unknown, watch.runs()));
    ValueRecords records =
        options.isAliased() ? InPlaceRecords.of(model.graph(), model.planned()) : model.planned();
    return new ModelVerification(file, model, records, seed, watch);
  }

  /** Refuses what may be nothing: ONNX Runtime's library for Java ends the process over it. */
  private static void checkKinds(String source, LoadedModel model) throws MalformedFileException {
    for (GraphValue value : model.graph().values()) {
      if (model.planned().type(value) instanceof ValueType.Other(String kind)
          && kind.equals(ValueType.OPTIONAL)) {
        throw new MalformedFileException(
            source,
            String.format(Locale.ROOT, "'%s'", MalformedFileException.excerpt(value.name())),
            "is optional, which ONNX Runtime's library for Java cannot hold; expected values that are always there");
      }
    }
    for (GraphNode node : model.graph().nodes()) {
      if (node.isStandard() && node.proto().getOpType().equals("Optional")) {
        throw new MalformedFileException(
            source,
            node.toString(),
            "makes an optional value, which ONNX Runtime's library for Java cannot hold; expected values that are always there");
      }
    }
  }

  /** {@return what is to be planned, aligned as the engine aligns its own memory} */
  public PlanProblem problem() {
    return problem;
  }

  /** {@return the bytes that the planned tensors take where none shares any with another} */
  public long unsharedBytes() {
    return PlanProblem.of(model.planned().unshared()).naiveBytes();
  }

  /** {@return how many operators the model has} */
  public int operatorCount() {
    return model.graph().nodes().size();
  }

  /** {@return what a user should know of the model, a sentence each} */
  public List<String> notes() {
    return model.notes();
  }

  /**
   * {@return what comes of running the model in an arena laid out by a plan}
   *
   * <p>The plan is taken as it is: to find a wrong one is what this is for.
   *
   * @param plan the offset of each record of {@link #problem()}
   * @throws IllegalArgumentException if the plan has not an offset for each record, or one that is
   *     not aligned or leads out of its arena
   * @throws MalformedFileException if the engine refuses the model or an operator
   * @throws CancellationException if the watch ends the runs
   * @throws IOException if a file cannot be read
   */
  public VerificationReport run(OffsetsAssignment plan) throws IOException {
    check(plan);
    ComparedRuns runs =
        ComparedRuns.of(file, model.graph(), model.planned(), records, plan, seed, watch.runs());
    List<String> notes = new ArrayList<>();
    runs.peakFailure()
        .ifPresent(failure -> notes.add("ONNX Runtime's own peak is not known: " + failure));
    if (!runs.unbound().isEmpty()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "ONNX Runtime cannot use planned memory for %s its Java library does not know: %s",
              runs.unbound().size() == 1
                  ? "1 planned tensor, whose elements or size"
                  : runs.unbound().size() + " planned tensors, whose elements or sizes",
              MalformedFileException.excerpt(runs.unbound().iterator().next().name())));
    }
    return new VerificationReport(
        seed,
        runs.outputs().stream()
            .map(output ->
                new VerifiedOutput(
                    output.name(),
                    output.elementCount(),
                    output.isBitIdentical(),
                    output.maxAbsDifference(),
                    output.optimizedMaxAbsDifference()))
            .toList(),
        plan.totalBytes(),
        runs.peakBytes(),
        notes);
  }

  private void check(OffsetsAssignment plan) {
    int count = problem.records().size();
    if (plan.offsets().length != count) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "the plan has %d offsets for %d records", plan.offsets().length, count));
    }
    for (int i = 0; i < count; i++) {
      long bytes = problem.records().get(i).bytes();
      long offset = plan.offset(i);
      if (offset % ComparedRuns.ALIGNMENT_BYTES != 0 || offset > plan.totalBytes() - bytes) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "record %d of %d bytes is at offset %d, expected a multiple of %d within %d bytes",
                i,
                bytes,
                offset,
                ComparedRuns.ALIGNMENT_BYTES,
                plan.totalBytes()));
      }
    }
  }
}
