package dev.stowage.onnx;

import dev.stowage.onnx.engine.ComparedRuns;
import dev.stowage.onnx.engine.MissingEngineException;
import dev.stowage.onnx.engine.RunWatch;
import dev.stowage.onnx.file.OnnxFile;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.HalfPrecisionRounding;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * A run of a model in planned memory, and a comparison of its outputs with ONNX Runtime's:
 *
 * {@snippet :
 * ModelVerification verification = ModelVerification.load(file, OnnxOptions.defaults(), 42);
 * OffsetsAssignment plan = MemoryStrategy.OPTIMAL.planOffsets(verification.problem());
 * VerificationReport report = verification.run(plan);
 * report.isIdentical(); // true, or the plan is wrong
 * }
 *
 * <p>ONNX Runtime runs each operator separately. The inputs and outputs of the operator are bound
 * to segments of one arena at the planned offsets. The range of each record is filled with NaN
 * before its first task and after its last.
 */
public final class ModelVerification {

  /** The alignment of all offsets, the same as of ONNX Runtime's own memory. */
  public static final long ALIGNMENT_BYTES = ComparedRuns.ALIGNMENT_BYTES;

  private final Path file;
  private final LoadedModel model;

  private final PlanProblem problem;
  private final long seed;
  private final RunWatch watch;

  private ModelVerification(
      Path file, LoadedModel model, OnnxOptions options, long seed, RunWatch watch) {
    this.file = file;
    this.seed = seed;
    this.watch = watch;
    this.model = model;
    this.problem = model.problem(options).withAlignment(ComparedRuns.ALIGNMENT_BYTES);
  }

  /**
   * {@return the verification of a model}
   *
   * <p>{@link OnnxReader} reads the problem with the same options. Sizes that are known only at run
   * time come from a run in ONNX Runtime.
   *
   * @param file the model
   * @param options the options of the reader
   * @param seed the seed of the inputs
   * @throws MalformedFileException if the file is not a complete model, or if ONNX Runtime rejects
   *     it
   * @throws OpenDimensionsException if the inputs have open dimensions
   * @throws IllegalStateException if ONNX Runtime is missing; the message names the artifact
   * @throws IOException if the file cannot be read
   */
  public static ModelVerification load(Path file, OnnxOptions options, long seed)
      throws IOException {
    return load(file, options, seed, () -> false, _ -> {});
  }

  /**
   * {@return the verification of a model, as {@link #load(Path, OnnxOptions, long)}, with reports
   * of its progress, and a condition to end it early}
   *
   * <p>The verification evaluates the condition to stop between operators, and every few
   * milliseconds during ONNX Runtime's own runs. It does not interrupt an operator or the loading
   * of a model. It ends with a {@link CancellationException}.
   *
   * <p>ONNX Runtime runs the whole model before the first operator runs in planned memory, and
   * again after the last one.
   *
   * @param file the model
   * @param options the options of the reader
   * @param seed the seed of the inputs
   * @param stop returns true if the verification must end, and from then on; several threads call
   *     it, one at a time
   * @param operatorsDone receives the number of operators that have run in planned memory, first 0
   *     and at last {@link #operatorCount()}, in the thread of the verification
   * @throws MalformedFileException if the file is not a complete model, or if ONNX Runtime rejects
   *     it
   * @throws OpenDimensionsException if the inputs have open dimensions
   * @throws IllegalStateException if ONNX Runtime is missing; the message names the artifact
   * @throws CancellationException if {@code stop} ends the loading
   * @throws IOException if the file cannot be read
   */
  public static ModelVerification load(
      Path file, OnnxOptions options, long seed, BooleanSupplier stop, IntConsumer operatorsDone)
      throws IOException {
    try {
      ComparedRuns.startEngine();
    } catch (LinkageError e) {
      throw new MissingEngineException(e);
    }
    FixedDimensions fixed = new FixedDimensions(options.dimensions());
    try {
      return load(file, options, seed, new RunWatch(stop, operatorsDone), fixed);
    } catch (MalformedFileException e) {
      throw LoadedModel.withMisnamed(file.toString(), e, fixed);
    }
  }

  private static ModelVerification load(
      Path file, OnnxOptions options, long seed, RunWatch watch, FixedDimensions fixed)
      throws IOException {
    String source = file.toString();
    LoadedModel read = LoadedModel.unchecked(source, OnnxFile.map(file), options, fixed);
    checkKinds(source, read);
    List<String> unknown = read.openTensors().stream().map(GraphValue::name).toList();
    read.checkInputs(source, Math.max(1, unknown.size()));
    LoadedModel model =
        read.withTypes(
            ComparedRuns.typesOf(file, read.graph(), read.planned(), seed, unknown, watch));
    return new ModelVerification(file, model, options, seed, watch);
  }

  /** Rejects optional values, because ONNX Runtime's Java classes end the process for them. */
  private static void checkKinds(String source, LoadedModel model) throws MalformedFileException {
    for (GraphValue value : model.graph().values()) {
      if (model.planned().type(value) instanceof ValueType.Other(String kind)
          && kind.equals(ValueType.OPTIONAL)) {
        throw new MalformedFileException(
            source,
            String.format(Locale.ROOT, "'%s'", MalformedFileException.excerpt(value.name())),
            "is an optional value, which ONNX Runtime's Java classes do not support; expected a model without optional values");
      }
    }
    for (GraphNode node : model.graph().nodes()) {
      if (node.isStandard() && node.proto().getOpType().equals("Optional")) {
        throw new MalformedFileException(
            source,
            node.toString(),
            "computes an optional value, which ONNX Runtime's Java classes do not support; expected a model without optional values");
      }
    }
  }

  /**
   * {@return the problem to plan: {@link OnnxReader}'s problem for the same options, with the
   * alignment of ONNX Runtime's own memory, and with sizes that are known only at run time}
   */
  public PlanProblem problem() {
    return problem;
  }

  /** {@return the number of operators} */
  public int operatorCount() {
    return model.graph().nodes().size();
  }

  /** {@return sentences for the user on the model} */
  public List<String> notes() {
    return model.notes();
  }

  /**
   * {@return the report on a run of the model in an arena with the offsets of a plan}
   *
   * <p>This method does not check the plan for overlaps: the outputs show a wrong plan.
   *
   * @param plan the offset of each record of {@link #problem()}
   * @throws IllegalArgumentException if the number of offsets differs from the number of records,
   *     or if a record is not aligned or exceeds the arena
   * @throws MalformedFileException if ONNX Runtime rejects the model or an operator
   * @throws CancellationException if {@code stop} ends the runs
   * @throws IOException if a file cannot be read
   */
  public VerificationReport run(OffsetsAssignment plan) throws IOException {
    check(plan);
    ComparedRuns runs =
        ComparedRuns.of(
            file,
            HalfPrecisionRounding.in(model.graph(), model.planned()),
            model.graph(),
            model.planned(),
            problem,
            plan,
            seed,
            watch);
    List<String> notes = new ArrayList<>();
    runs.peakFailure()
        .ifPresent(failure -> notes.add("ONNX Runtime's own peak is unknown: " + failure));
    if (!runs.unbound().isEmpty()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "ONNX Runtime's Java classes do not support the type or size of %s in planned memory: %s",
              runs.unbound().size() == 1
                  ? "1 planned tensor"
                  : runs.unbound().size() + " planned tensors",
              MalformedFileException.excerpt(runs.unbound().iterator().next().name())));
    }
    return new VerificationReport(
        seed,
        runs.outputs().stream()
            .map(output ->
                new VerificationReport.Output(
                    output.name(),
                    output.type().flatMap(OnnxTensorType::of),
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
              Locale.ROOT,
              "the plan must have one offset for each record: offsets=%d, records=%d",
              plan.offsets().length,
              count));
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
