package dev.stowage.cli.verify;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Plan;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.RangesVerification;
import dev.stowage.onnx.VerificationReport;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.RangedProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Plans a model for the sampled shapes of ranges, and runs it in this plan at each of them. */
public final class RangesVerifyRunner {

  private final VerifyRequest request;
  private final VerifyRunner.Progress progress;
  private final BooleanSupplier stop;
  private final Consumer<String> notes;

  /**
   * Creates a runner.
   *
   * @param stop returns true to end the verification; any thread calls it between operators
   * @param notes receives sentences for the user
   */
  public RangesVerifyRunner(
      VerifyRequest request,
      VerifyRunner.Progress progress,
      BooleanSupplier stop,
      Consumer<String> notes) {
    this.request = request;
    this.progress = progress;
    this.stop = stop;
    this.notes = notes;
  }

  /**
   * {@return the results for the shapes that are valid for the model}
   *
   * @throws MalformedFileException if ONNX Runtime rejects the model at all shapes, or as {@link
   *     VerifyRunner#run}
   */
  public List<VerifyResult> run(String path, DimensionRanges ranges)
      throws IOException, InputRefusedException {
    progress.phase("the model");
    RangesVerification model =
        RangesVerification.load(ExistingFile.regular(path), request.options(), ranges);
    model.model().notes().forEach(notes);
    RangedProblem problem = model.model().problem();
    PlanProblem largest = problem.largest().withAlignment(ModelVerification.ALIGNMENT_BYTES);
    if (largest.records().isEmpty()) {
      notes.accept(VerifyRunner.NOTHING_PLANNED);
    }
    Plan.Offsets plan =
        request
            .planner()
            .run(VerifyRunner.input(path, model.model().nodes().size(), largest), progress)
            .bestOffsets()
            .orElseThrow();
    List<VerifyResult> results = new ArrayList<>();
    Optional<MalformedFileException> rejection = Optional.empty();
    for (DimensionValues shape : problem.points()) {
      try {
        results.add(run(path, model, plan, shape));
      } catch (MalformedFileException e) {
        notes.accept(Text.of("not verified at %s: %s", shape, withoutName(path, e)));
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

  private VerifyResult run(
      String path, RangesVerification model, Plan.Offsets planned, DimensionValues shape)
      throws IOException {
    ModelVerification verification =
        model.at(shape, request.inputs().seed(), stop, progress::running);
    OffsetsAssignment plan = model.plan(planned.assignment(), verification);
    progress.runningWhole(verification.operatorCount());
    VerificationReport report = verification.run(plan);
    report.notes().forEach(notes);
    PlanProblem problem = verification.problem();
    return new VerifyResult(
        path,
        verification.operatorCount(),
        new VerifyResult.Arena(
            problem.records().size(),
            problem.naiveBytes(),
            LowerBounds.of(problem).offsetsBytes(),
            planned.name()),
        Optional.of(shape),
        Optional.empty(),
        VerifiedRun.of(report));
  }

  /** {@return the message of an error without the name of the file, which precedes each note} */
  private static String withoutName(String path, MalformedFileException e) {
    String message = String.valueOf(e.getMessage());
    String name = path + ": ";
    return message.startsWith(name) ? message.substring(name.length()) : message;
  }
}
