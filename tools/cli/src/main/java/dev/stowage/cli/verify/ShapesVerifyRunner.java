package dev.stowage.cli.verify;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.onnx.VerificationReport;
import dev.stowage.onnx.layout.ShapesVerification;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.Violation;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.LayoutChecker;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.search.LayoutSearch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Plans one layout of a model for all shapes, and runs the model in it at several shapes. */
public final class ShapesVerifyRunner {

  private static final String STRATEGY = "LAYOUT";

  private final VerifyRequest request;
  private final DimensionRanges ranges;
  private final VerifyRunner.Progress progress;
  private final BooleanSupplier stop;
  private final Consumer<String> notes;

  /**
   * Creates a runner.
   *
   * @param stop returns true to end the verification; any thread calls it between operators
   * @param notes receives sentences for the user
   */
  public ShapesVerifyRunner(
      VerifyRequest request,
      DimensionRanges ranges,
      VerifyRunner.Progress progress,
      BooleanSupplier stop,
      Consumer<String> notes) {
    this.request = request;
    this.ranges = ranges;
    this.progress = progress;
    this.stop = stop;
    this.notes = notes;
  }

  /**
   * {@return the results for the shapes that are valid for the model}
   *
   * @throws MalformedFileException if the file is not a model, or if ONNX Runtime rejects it at all
   *     shapes
   * @throws dev.stowage.onnx.OpenDimensionsException if the model leaves dimensions open
   * @throws dev.stowage.onnx.engine.MissingEngineException if ONNX Runtime is missing
   * @throws java.util.concurrent.CancellationException if {@code stop} ended the verification
   */
  public List<VerifyResult> run(String path) throws IOException {
    long seed = request.inputs().seed();
    progress.phase("the model");
    ShapesVerification shapes =
        ShapesVerification.load(ExistingFile.regular(path), request.options(), ranges);
    shapes.notes().forEach(notes);
    if (shapes.problem().records().isEmpty()) {
      notes.accept(VerifyRunner.NOTHING_PLANNED);
    }
    ShapeLayout layout = LayoutSearch.of(shapes.problem(), request.layoutSearch()).run().layout();
    Optional<Violation> violation = LayoutChecker.violation(layout);
    if (violation.isPresent()) {
      throw new AssertionError("the layout is not valid: " + violation.get());
    }
    List<VerifyResult> results = new ArrayList<>();
    Optional<MalformedFileException> rejection = Optional.empty();
    List<DimensionValues> all = shapes.shapes(request.inputs().randomShapes(), seed);
    for (DimensionValues shape : all) {
      try {
        results.add(run(path, shapes, layout, shape));
      } catch (MalformedFileException e) {
        notes.accept(
            String.format(Locale.ROOT, "not verified at %s: %s", shape, withoutName(path, e)));
        rejection = Optional.of(e);
      }
    }
    if (results.isEmpty() && rejection.isPresent()) {
      throw rejection.get();
    }
    notes.accept(
        String.format(
            Locale.ROOT,
            "verified at %d of %d shapes: corners of the ranges, and random shapes of seed %d",
            results.size(),
            all.size(),
            seed));
    return results;
  }

  private VerifyResult run(
      String path, ShapesVerification shapes, ShapeLayout layout, DimensionValues shape)
      throws IOException {
    ModelVerification verification =
        shapes.at(shape, request.inputs().seed(), stop, progress::running);
    OffsetsAssignment plan = shapes.plan(layout, shape, verification);
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
            STRATEGY),
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
