package dev.stowage.cli.conclusion;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.report.PlanAnswer;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import java.util.Comparator;
import java.util.Optional;

/** The conclusion of {@code stowage plan} for shared objects or textures without an arena. */
final class SharedConclusion {

  private SharedConclusion() {}

  /** {@return the conclusion; empty without a plan} */
  static Optional<Conclusion> of(PlanReport report) {
    return switch (report.input()) {
      case PlanInput.Tensors tensors when tensors.problem().naiveBytes() > 0 ->
          report.bestObjects().map(best -> of(best, tensors, report));
      case PlanInput.Tensors _ -> Optional.empty();
      case PlanInput.Textures textures ->
          report.texturePlans().stream()
              .min(Comparator.comparingLong(Plan::size))
              .map(best -> of(best, textures));
    };
  }

  private static Conclusion of(Plan.Objects best, PlanInput.Tensors input, PlanReport report) {
    long bytes = best.totalBytes();
    return of(
        ByteUnit.human(bytes),
        Numbers.count(best.assignment().objectCount(), "shared object"),
        ByteUnit.sentence(bytes),
        all(input.labels().size(), "tensor", input.file()),
        best.name() + ", " + saving(bytes, input.problem()),
        report.isOptimal(best)
            ? "Proved: no shared objects are smaller."
            : "They are " + PlanAnswer.quality(false, bytes, report.objectsBoundBytes()) + ".");
  }

  private static Conclusion of(Plan.Textures best, PlanInput.Textures input) {
    String texels = Numbers.count(best.size(), "texel");
    return of(
        texels,
        Numbers.count(best.assignment().objectExtents().size(), "shared texture"),
        texels,
        all(input.labels().size(), "texture", input.file()),
        best.name(),
        "The least texels of the compared strategies; no lower bound is known.");
  }

  private static Conclusion of(
      String figure, String objects, String size, String all, String how, String confidence) {
    return new Conclusion(
        figure,
        Text.of("%s of %s for %s: by %s.", objects, size, all, how),
        confidence,
        Optional.empty());
  }

  /** {@return the records of a file: {@code all 5 tensors of 9 tasks}} */
  static String all(int count, String thing, InputFile file) {
    return (count == 1 ? "the only " + thing : "all " + Numbers.count(count, thing))
        + " of "
        + Numbers.count(file.operatorCount(), "task");
  }

  /** {@return the saving; with an alignment or pins, a plan can be larger than all tensors} */
  static String saving(long bytes, PlanProblem problem) {
    long naiveBytes = problem.naiveBytes();
    return bytes == naiveBytes
        ? "as much as unshared"
        : Text.of(
            "%s %s than unshared (%s)",
            Numbers.percent(Math.abs(naiveBytes - bytes), naiveBytes),
            bytes > naiveBytes ? "more" : "less",
            ByteUnit.human(naiveBytes));
  }
}
