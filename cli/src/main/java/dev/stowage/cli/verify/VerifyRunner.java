package dev.stowage.cli.verify;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.VerificationReport;
import dev.stowage.onnx.VerificationWatch;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Plans a model, and runs it in the memory planned. */
public final class VerifyRunner {

  private static final String NOTHING_PLANNED =
      "nothing is planned: no tensor that one operator makes for another has any bytes; --io plans inputs and outputs, too";

  private final OnnxOptions options;
  private final PlanRunner planner;
  private final Progress progress;
  private final BooleanSupplier stop;
  private final Consumer<String> notes;

  /** Is told how far a verification is. */
  public interface Progress extends PlanRunner.Progress {

    /** Says that the model is about to be read. */
    void loading();

    /**
     * Says that ONNX Runtime is about to run the whole model.
     *
     * @param operatorCount how many operators will run in planned memory then
     */
    void runningWhole(int operatorCount);

    /**
     * Says how far the run in planned memory is; after it, ONNX Runtime runs the model once more.
     *
     * @param doneCount how many operators are done, 0 first
     */
    void running(int doneCount);
  }

  /**
   * A runner.
   *
   * @param options how models are read
   * @param planner plans them
   * @param progress is told how far the verification is
   * @param stop says whether to end a verification; asked between operators, by any thread
   * @param notes is told what a user should know, a sentence each
   */
  public VerifyRunner(
      OnnxOptions options,
      PlanRunner planner,
      Progress progress,
      BooleanSupplier stop,
      Consumer<String> notes) {
    this.options = options;
    this.planner = planner;
    this.progress = progress;
    this.stop = stop;
    this.notes = notes;
  }

  /**
   * {@return what came of a model}
   *
   * @param path the file as it was named
   * @param seed of the model's inputs
   * @throws dev.stowage.core.MalformedFileException if it is no model, or the engine refuses it
   * @throws dev.stowage.onnx.OpenDimensionsException if it leaves dimensions open
   * @throws InputRefusedException if the strategy does not plan it
   * @throws dev.stowage.onnx.MissingEngineException if ONNX Runtime is not there
   * @throws java.util.concurrent.CancellationException if it was ended
   * @throws IOException if it cannot be read
   */
  public VerifyResult run(String path, long seed) throws IOException, InputRefusedException {
    progress.loading();
    VerificationWatch watch =
        VerificationWatch.none().withStop(stop).withProgress(progress::running);
    ModelVerification verification =
        ModelVerification.load(InputReader.regular(path), options, seed, watch);
    verification.notes().forEach(notes);
    PlanProblem problem = verification.problem();
    if (problem.records().isEmpty()) {
      notes.accept(NOTHING_PLANNED);
    }
    PlanReport planned = planner.run(input(path, verification), progress);
    Plan.Offsets plan = planned.bestOffsets().orElseThrow();
    progress.runningWhole(verification.operatorCount());
    VerificationReport report = verification.run(plan.assignment());
    report.notes().forEach(notes);
    return new VerifyResult(
        path,
        verification.operatorCount(),
        problem.records().size(),
        verification.unsharedBytes(),
        planned.offsetsBoundBytes(),
        plan,
        report);
  }

  private static PlanInput.Tensors input(String path, ModelVerification verification) {
    List<RecordLabel> labels =
        IntStream.range(0, verification.problem().records().size())
            .mapToObj(Integer::toString)
            .map(id -> new RecordLabel(id, id))
            .toList();
    return new PlanInput.Tensors(
        new InputFile(path, "onnx", verification.operatorCount(), OptionalLong.empty(), List.of()),
        labels,
        verification.problem());
  }
}
