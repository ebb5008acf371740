package dev.stowage.cli.conclusion;

import dev.stowage.cli.diff.Change;
import dev.stowage.cli.diff.ComparedPlan;
import dev.stowage.cli.diff.ModelDiff;
import dev.stowage.cli.diff.PlanDiff;
import dev.stowage.cli.diff.ReleaseDiff;
import dev.stowage.cli.replay.DiffReport;
import dev.stowage.cli.report.PlanAnswer;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The conclusions of {@code stowage diff}. */
public final class DiffConclusion {

  private DiffConclusion() {}

  /**
   * {@return the conclusion on two recordings}
   *
   * @param options the options for recordings, as words of a command line
   */
  public static Conclusion of(DiffReport report, List<String> options) {
    return new Conclusion(
        figure(report.reservedGrowthBytes().orElse(report.diff().growthBytes())),
        report.sentence(),
        "Exact: the sums of the requested bytes of all blocks in use." + reserved(report),
        report.isNone()
            ? Optional.empty()
            : Optional.of(ShellLine.of("replay", report.b().input(), options, "--explain")));
  }

  /** {@return a sentence on the origin of the reserved bytes, if they are compared} */
  private static String reserved(DiffReport report) {
    if (report.reservedGrowthBytes().isEmpty()) {
      return "";
    }
    String ofA = report.a().reserved().orElseThrow().origin();
    String ofB = report.b().reserved().orElseThrow().origin();
    return Text.of(
        " Reserved bytes are those of %s.",
        ofA.equals(ofB) ? ofA : ofA + " (A) and " + ofB + " (B)");
  }

  /**
   * {@return the conclusion on two plans}
   *
   * @param options the options for plans, as words of a command line
   */
  public static Conclusion of(PlanDiff diff, List<String> options) {
    return new Conclusion(
        figure(diff.growthBytes()),
        diff.sentence(),
        diff.a().isOptimal() && diff.b().isOptimal()
            ? "Proved: no plan of A or of B is smaller."
            : quality("A", diff.a()) + " " + quality("B", diff.b()),
        diff.isNone()
            ? Optional.empty()
            : Optional.of(ShellLine.of("plan", diff.b().path(), options, "--explain")));
  }

  private static String quality(String name, ComparedPlan plan) {
    return String.join(
        " ",
        "The arena of",
        name,
        "is",
        PlanAnswer.quality(plan.isOptimal(), plan.totalBytes(), plan.boundBytes()) + ".");
  }

  /** {@return the conclusion on two baselines} */
  public static Conclusion of(ReleaseDiff diff) {
    long otherOptions =
        diff.models().stream().filter(model -> !model.otherOptions().isEmpty()).count();
    return new Conclusion(
        figure(diff.growthBytes()),
        diff.sentence(),
        "Exact: the figures in both baselines."
            + (otherOptions == 0
                ? ""
                : " " + Numbers.count(otherOptions, "model") + " had other options in A."),
        command(diff));
  }

  /** {@return the command that explains the plan of the model that grew most, if it is there} */
  private static Optional<String> command(ReleaseDiff diff) {
    Optional<ModelDiff> grown =
        diff.models().stream()
            .filter(model -> model.change() == Change.GROWN && model.planOptions().isPresent())
            .findFirst();
    if (grown.isEmpty()) {
      return Optional.empty();
    }
    Path model = Path.of(diff.inputB()).resolveSibling(grown.get().name()).normalize();
    return Files.exists(model)
        ? Optional.of(
            ShellLine.of(
                "plan", model.toString(), grown.get().planOptions().orElseThrow(), "--explain"))
        : Optional.empty();
  }

  private static String figure(long growthBytes) {
    return (growthBytes > 0 ? "+" : growthBytes < 0 ? "-" : "")
        + ByteUnit.human(Math.abs(growthBytes));
  }
}
