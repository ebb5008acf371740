package dev.stowage.cli.verify;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanProgress;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.RangesVerification;
import dev.stowage.onnx.VerificationReport;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.RangedProblem;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Plans models, and runs them in planned memory at one shape or at the sampled shapes of ranges.
 */
public final class VerifyRunner {

  private static final Duration SEARCH_LIMIT = Duration.ofSeconds(1);

  private final VerifyRequest request;
  private final Progress progress;
  private final BooleanSupplier stop;
  private final Consumer<String> notes;

  /** The listener for the progress of a verification. */
  public interface Progress extends PlanProgress {

    /**
     * Called before the engine runs the whole model.
     *
     * @param operatorCount the number of operators; they then run in planned memory
     */
    void runningWhole(int operatorCount);

    /**
     * Called during the run in planned memory. After it, the engine runs the whole model again.
     *
     * @param doneCount the number of operators that have run, first 0
     */
    void running(int doneCount);
  }

  /**
   * Creates a runner.
   *
   * @param stop returns true to end the verification; any thread calls it between operators
   * @param notes receives sentences for the user
   */
  public VerifyRunner(
      VerifyRequest request, Progress progress, BooleanSupplier stop, Consumer<String> notes) {
    this.request = request;
    this.progress = progress;
    this.stop = stop;
    this.notes = notes;
  }

  /**
   * {@return the results for a model at its shapes, without shapes that the engine rejects}
   *
   * @throws MalformedFileException if the file is not a model, or if the engine rejects it at all
   *     shapes
   * @throws dev.stowage.onnx.OpenDimensionsException if the model leaves dimensions open
   * @throws InputRefusedException if the strategy does not plan the model
   * @throws dev.stowage.onnx.engine.MissingEngineException if ONNX Runtime is missing
   * @throws java.util.concurrent.CancellationException if {@code stop} ended the verification
   */
  public List<VerifyResult> run(String path) throws IOException, InputRefusedException {
    progress.phase("the model");
    return request.ranges().isPresent()
        ? runRanges(path, request.ranges().get())
        : List.of(runShape(path));
  }

  private VerifyResult runShape(String path) throws IOException, InputRefusedException {
    ModelVerification model =
        ModelVerification.load(
            ExistingFile.regular(path), request.options(), request.seed(), stop, progress::running);
    model.notes().forEach(notes);
    PlanReport planned = plan(path, model.operatorCount(), model.problem());
    Plan.Offsets plan = planned.bestOffsets().orElseThrow();
    return verified(
        path, Optional.empty(), model, plan.assignment(), planned.offsetsBoundBytes(), plan.name());
  }

  private List<VerifyResult> runRanges(String path, DimensionRanges ranges)
      throws IOException, InputRefusedException {
    RangesVerification model =
        RangesVerification.load(ExistingFile.regular(path), request.options(), ranges);
    model.model().notes().forEach(notes);
    RangedProblem problem = model.model().problem();
    PlanProblem largest = problem.largest().withAlignment(ModelVerification.ALIGNMENT_BYTES);
    Plan.Offsets plan =
        plan(path, model.model().nodes().size(), largest).bestOffsets().orElseThrow();
    List<VerifyResult> results = new ArrayList<>();
    Optional<MalformedFileException> rejection = Optional.empty();
    for (DimensionValues shape : problem.points()) {
      try {
        ModelVerification at = model.at(shape, request.seed(), stop, progress::running);
        results.add(
            verified(
                path,
                Optional.of(shape),
                at,
                model.plan(plan.assignment(), at),
                LowerBounds.of(at.problem()).offsetsBytes(),
                plan.name()));
      } catch (MalformedFileException e) {
        String reason = String.valueOf(e.getMessage()).substring(e.source().length() + 2);
        notes.accept(Text.of("not verified at %s: %s", shape, reason));
        rejection = Optional.of(e);
      }
    }
    if (results.isEmpty() && rejection.isPresent()) {
      throw rejection.get();
    }
    notes.accept(
        Text.of(
            "verified in one plan at %d of the %d shapes at which stowage plan checks %s",
            results.size(), problem.points().size(), ranges));
    return results;
  }

  private PlanReport plan(String path, int operatorCount, PlanProblem problem)
      throws InputRefusedException {
    if (problem.records().isEmpty()) {
      notes.accept(
          "nothing is planned: no tensor between two operators has any bytes; --io also plans inputs and outputs");
    }
    Duration limit =
        request.timeLimit().filter(it -> it.compareTo(SEARCH_LIMIT) < 0).orElse(SEARCH_LIMIT);
    PlanSelection selection =
        new PlanSelection(
            EnumSet.of(request.strategy().orElse(MemoryStrategy.OPTIMAL)),
            false,
            EnumSet.of(AssignmentKind.OFFSETS),
            ModelVerification.ALIGNMENT_BYTES,
            PlanSelection.search(limit),
            false);
    return new PlanRunner(selection).run(input(path, operatorCount, problem), progress);
  }

  /** {@return the records of a model without their labels} */
  private static PlanInput.Tensors input(String path, int operatorCount, PlanProblem problem) {
    List<RecordLabel> labels =
        IntStream.range(0, problem.records().size())
            .mapToObj(Integer::toString)
            .map(id -> new RecordLabel(id, id))
            .toList();
    return new PlanInput.Tensors(
        new InputFile(path, "onnx", operatorCount, OptionalLong.empty(), List.of()),
        labels,
        problem);
  }

  private VerifyResult verified(
      String path,
      Optional<DimensionValues> shape,
      ModelVerification model,
      OffsetsAssignment plan,
      long lowerBoundBytes,
      String strategy)
      throws IOException {
    progress.runningWhole(model.operatorCount());
    VerificationReport report = model.run(plan);
    report.notes().forEach(notes);
    PlanProblem problem = model.problem();
    return new VerifyResult(
        path,
        shape,
        model.operatorCount(),
        problem.records().size(),
        problem.naiveBytes(),
        lowerBoundBytes,
        strategy,
        report);
  }
}
