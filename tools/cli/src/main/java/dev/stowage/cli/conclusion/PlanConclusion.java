package dev.stowage.cli.conclusion;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.CapacityCheck;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.report.PlanAnswer;
import dev.stowage.cli.report.RewriteCommandLine;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.PlanProblem;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** The conclusion of {@code stowage plan}. */
public final class PlanConclusion {

  private final PlanReport report;
  private final InputFile file;
  private final PlanProblem problem;
  private final Plan.Offsets best;
  private final OptionalLong capacityBytes;
  private final PlanningOptionWords options;

  private PlanConclusion(
      PlanReport report,
      PlanProblem problem,
      OptionalLong capacityBytes,
      PlanningOptionWords options) {
    this.report = report;
    this.problem = problem;
    this.capacityBytes = capacityBytes;
    this.options = options;
    file = report.input().file();
    best = report.bestOffsets().orElseThrow();
  }

  /**
   * {@return the conclusion; empty without a plan of tensors in one arena}
   *
   * @param capacityBytes the bytes that the plan must fit into; empty if they are not limited
   * @param options the options for the next command
   */
  public static Optional<Conclusion> of(
      PlanReport report, OptionalLong capacityBytes, PlanningOptionWords options) {
    return report.input() instanceof PlanInput.Tensors tensors
            && report.bestOffsets().isPresent()
            && tensors.problem().naiveBytes() > 0
        ? Optional.of(
            new PlanConclusion(report, tensors.problem(), capacityBytes, options).conclusion())
        : Optional.empty();
  }

  private Conclusion conclusion() {
    Optional<MicroReport> micro = report.micro();
    boolean isTooLarge =
        capacityBytes.isPresent()
            && CapacityCheck.shortage(report, capacityBytes.getAsLong()).isPresent();
    long bytes = micro.isPresent() ? micro.get().fileSize().arenaBytes() : best.totalBytes();
    return new Conclusion(
        ByteUnit.human(bytes),
        isTooLarge ? shortage() : micro.isPresent() ? micro(micro.get()) : arena(),
        confidence(),
        command(isTooLarge));
  }

  private String shortage() {
    return "Does not fit: "
        + CapacityCheck.shortage(report, capacityBytes.orElseThrow()).orElseThrow()
        + ".";
  }

  private String arena() {
    long others = problem.naiveBytes() - best.totalBytes();
    return String.format(
        Locale.ROOT,
        "One arena of %s holds all %s%s.%s",
        Numbers.count(best.totalBytes(), "byte"),
        Numbers.count(problem.records().size(), "tensor"),
        others > 0
            ? ", "
                + Numbers.percent(others, problem.naiveBytes())
                + " less than a buffer of its own for each"
            : "",
        report.planOfXla().map(this::ofXla).orElse(""));
  }

  private String ofXla(Plan.OfXla plan) {
    long more = plan.totalBytes() - best.totalBytes();
    return more <= 0
        ? " XLA's own plan is as small."
        : String.format(
            Locale.ROOT,
            " XLA's own plan has %s, %s more.",
            Numbers.count(plan.totalBytes(), "byte"),
            Numbers.above(plan.totalBytes(), best.totalBytes()));
  }

  private String micro(MicroReport micro) {
    String arena =
        String.format(
            Locale.ROOT,
            "TensorFlow Lite Micro needs kTensorArenaSize = %d",
            micro.fileSize().arenaBytes());
    return micro.savedBytes() == 0
        ? arena + "."
        : String.format(
            Locale.ROOT,
            "%s; with a plan in the file, %d are enough.",
            arena,
            micro.bestSize().orElseThrow().arenaBytes());
  }

  private String confidence() {
    String plan =
        best.isOptimal()
            ? "Proved: no plan is smaller."
            : "The plan is "
                + PlanAnswer.quality(false, best.totalBytes(), report.offsetsBoundBytes())
                + ".";
    return report.micro().filter(micro -> micro.memory().isEstimate()).isPresent()
        ? plan + " The size of the arena is an estimate."
        : plan;
  }

  private Optional<String> command(boolean isTooLarge) {
    if (report.isOutOfTime() && !best.isOptimal() && !options.contain("--time-limit")) {
      return command("--time-limit", "120");
    }
    if (isTooLarge || file.format().equals("xla")) {
      return report.explanation().isEmpty()
          ? command("--explain")
          : file.isModel() && report.order().isEmpty() ? command("--reorder") : Optional.empty();
    }
    Optional<MicroReport> micro = report.micro();
    if (micro.filter(it -> it.savedBytes() > 0).isPresent()) {
      return Optional.of(
          RewriteCommandLine.of(file.path(), micro.orElseThrow(), report.order().isPresent()));
    }
    if (micro.isPresent()) {
      // Without the scratch buffers, the header has no plan for the interpreter.
      return micro.get().memory().isScratchKnown()
          ? options.writing(file.path(), "plan.h")
          : Optional.empty();
    }
    if (report.isReordered() && file.format().equals("onnx")) {
      return Optional.of(
          ShellLine.of(
              "rewrite",
              file.path(),
              options.dimensions(),
              "--reorder",
              "--output",
              "reordered.onnx"));
    }
    return switch (file.format()) {
      case "tflite" -> command("--runtime", "tflm");
      case "csv" -> options.writing(file.path(), "plan.csv");
      default -> options.writing(file.path(), "plan.json");
    };
  }

  private Optional<String> command(String... more) {
    return options.with(file.path(), more);
  }
}
