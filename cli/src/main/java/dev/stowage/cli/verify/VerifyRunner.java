package dev.stowage.cli.verify;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.core.MalformedInputException;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.VerificationReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Plans a model, and runs it in the memory planned. */
public final class VerifyRunner {

  private final OnnxOptions options;
  private final PlanRunner planner;
  private final PlanRunner.Progress progress;
  private final Consumer<String> notes;

  /**
   * A runner.
   *
   * @param options how models are read
   * @param planner what plans them
   * @param progress is told of the planning
   * @param notes is told what a user should know, a sentence each
   */
  public VerifyRunner(
      OnnxOptions options,
      PlanRunner planner,
      PlanRunner.Progress progress,
      Consumer<String> notes) {
    this.options = options;
    this.planner = planner;
    this.progress = progress;
    this.notes = notes;
  }

  /**
   * {@return what came of a model}
   *
   * @param path the file as it was named
   * @param seed of the model's inputs
   * @throws MalformedInputException if it is no model, or the engine refuses it
   * @throws dev.stowage.onnx.OpenDimensionsException if it leaves dimensions open
   * @throws InputRefusedException if the strategy does not plan it
   * @throws IOException if it cannot be read
   */
  public VerifyResult run(String path, long seed) throws IOException, InputRefusedException {
    Path file = Path.of(path);
    if (!Files.isRegularFile(file)) {
      throw new MalformedInputException(
          path, Files.exists(file) ? "is a folder, expected a file" : "does not exist");
    }
    ModelVerification verification = ModelVerification.load(file, options, seed);
    verification.notes().forEach(notes);
    PlanProblem problem = verification.problem();
    PlanReport planned = planner.run(input(path, verification), progress);
    Plan.Offsets plan = planned.bestOffsets().orElseThrow();
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
