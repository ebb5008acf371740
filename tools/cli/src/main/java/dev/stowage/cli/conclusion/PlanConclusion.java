package dev.stowage.cli.conclusion;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.CapacityCheck;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.RangeReport;
import dev.stowage.cli.report.PlanAnswer;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.shapes.RangedProblem;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The conclusion of {@code stowage plan}. */
public final class PlanConclusion {

  /** The options that {@code rewrite} has for a .tflite model. */
  private static final Set<String> OF_REWRITE =
      Set.of("--kernels", "--scratch", "--no-scratch", "--alias", "--reorder", "--time-limit");

  private final PlanReport report;
  private final InputFile file;
  private final PlanProblem problem;
  private final Plan.Offsets best;
  private final OptionalLong capacityBytes;
  private final NextPlanCommand options;

  private PlanConclusion(
      PlanReport report, PlanProblem problem, OptionalLong capacityBytes, NextPlanCommand options) {
    this.report = report;
    this.problem = problem;
    this.capacityBytes = capacityBytes;
    this.options = options;
    file = report.input().file();
    best = report.bestOffsets().orElseThrow();
  }

  /**
   * {@return the conclusion; empty without a plan}
   *
   * @param capacityBytes the bytes that the plan must fit into; empty if they are not limited
   * @param options the options for the next command
   */
  public static Optional<Conclusion> of(
      PlanReport report, OptionalLong capacityBytes, NextPlanCommand options) {
    if (report.bestOffsets().isPresent()
        && report.input() instanceof PlanInput.Tensors tensors
        && (tensors.problem().naiveBytes() > 0 || report.micro().isPresent())) {
      return Optional.of(
          new PlanConclusion(report, tensors.problem(), capacityBytes, options).conclusion());
    }
    return SharedConclusion.of(report);
  }

  private Conclusion conclusion() {
    Optional<MicroReport> micro = report.micro();
    Optional<CapacityCheck.Shortage> shortage = CapacityCheck.shortage(report, capacityBytes);
    long bytes = micro.isPresent() ? micro.get().fileSize().arenaBytes() : best.totalBytes();
    return new Conclusion(
        ByteUnit.human(bytes),
        shortage
            .map(found -> sentence(found.reason()))
            .or(() -> micro.map(this::micro))
            .orElseGet(this::arena),
        shortage
            .map(CapacityCheck.Shortage::proof)
            .filter(proof -> !proof.isEmpty())
            .map(PlanConclusion::sentence)
            .orElseGet(
                () -> micro.flatMap(found -> found.memory().espNn("it")).orElse("") + confidence()),
        command(shortage.isPresent()));
  }

  private static String sentence(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + ".";
  }

  /** {@return the size to configure, and whether a plan in the file saves memory, if known} */
  private String micro(MicroReport micro) {
    MicroMemory memory = micro.memory();
    long bytes = micro.fileSize().arenaBytes();
    String arena =
        Text.of(
            "TensorFlow Lite Micro%s needs kTensorArenaSize = %d%s",
            memory.withKernels(), bytes, bytes < 1024 ? "" : " (" + ByteUnit.human(bytes) + ")");
    if (micro.savedBytes() > 0) {
      return Text.of(
          "%s; with a plan in the file, %d are enough, %s less.",
          arena,
          micro.bestSize().orElseThrow().arenaBytes(),
          Numbers.count(micro.savedBytes(), "byte"));
    }
    if (memory.filePlanOverlap().isPresent()) {
      return arena
          + ". The plan in the file is kept, because live tensors overlap in it; rewrite --replace-plan replaces it.";
    }
    if (micro.bestSize().isEmpty() || report.isInterrupted()) {
      return arena + ".";
    }
    boolean isSearched = micro.sizes().containsKey(MemoryStrategy.OPTIMAL);
    return arena
        + ". None of these plans saves memory"
        + (!isSearched
            ? "; --strategy OPTIMAL may find one."
            : report.isOutOfTime() ? "; a higher --time-limit may find one." : ".");
  }

  private String arena() {
    return Text.of(
        "One arena of %s holds %s%s: by %s, %s%s%s.%s",
        ByteUnit.sentence(best.totalBytes()),
        SharedConclusion.all(problem.records().size(), "tensor", file),
        report.ranges().map(PlanConclusion::shapes).orElse(""),
        best.name(),
        SharedConclusion.saving(best.totalBytes(), problem),
        best.totalBytes() <= capacityBytes.orElse(-1)
            ? ", within the capacity of " + ByteUnit.human(capacityBytes.getAsLong())
            : "",
        report.order().filter(OrderComparison::isReordered).map(this::otherOrder).orElse(""),
        report.planOfXla().map(this::ofXla).orElse(""));
  }

  private static String shapes(RangeReport ranges) {
    RangedProblem sizes = ranges.problem();
    return sizes.isSampled()
        ? Text.of(
            " for %s, checked at %s", sizes.ranges(), Numbers.count(sizes.points().size(), "shape"))
        : Text.of(
            " at all %s of %s",
            Numbers.count(sizes.ranges().shapeCount(), "shape"), sizes.ranges());
  }

  private String otherOrder(OrderComparison order) {
    return Text.of(
        ", in the order of the file; another order of the operators needs %s",
        ByteUnit.sentence(order.after().bytes()));
  }

  private String ofXla(Plan.Offsets plan) {
    long more = plan.totalBytes() - best.totalBytes();
    return more <= 0
        ? " XLA's own plan is as small."
        : Text.of(
            " XLA's own plan has %s, %s more.",
            ByteUnit.sentence(plan.totalBytes()),
            Numbers.above(plan.totalBytes(), best.totalBytes()));
  }

  private String confidence() {
    String plan =
        report.isOptimal(best)
            ? report.ranges().isPresent()
                ? "Proved: no plan of the largest sizes is smaller."
                : "Proved: no plan is smaller."
            : "The plan is "
                + PlanAnswer.quality(false, best.totalBytes(), report.offsetsBoundBytes())
                + ".";
    if (report.ranges().filter(ranges -> ranges.problem().isSampled()).isPresent()) {
      return plan + " An estimate: tensors may be larger at other shapes.";
    }
    return report.micro().isPresent() ? plan + " The size of the arena is an estimate." : plan;
  }

  private Optional<String> command(boolean isTooLarge) {
    if (report.isOutOfTime() && !report.isOptimal(best) && !options.contain("--time-limit")) {
      return command("--time-limit", "120");
    }
    if (isTooLarge || file.format().equals("xla")) {
      return report.explanation().isEmpty()
          ? command("--explain")
          : file.isModel() && report.order().isEmpty() ? command("--reorder") : Optional.empty();
    }
    if (report.micro().isPresent()) {
      return command(report.micro().get());
    }
    if (report.isReordered() && file.format().equals("onnx")) {
      return rewrite("reordered.onnx", Set.of("--dim", "--reorder"));
    }
    return switch (file.format()) {
      case "tflite" -> command("--runtime", "tflm");
      case "csv" -> options.writing(file.path(), "plan.csv");
      default -> options.writing(file.path(), "plan.json");
    };
  }

  private Optional<String> command(MicroReport micro) {
    if (micro.savedBytes() > 0) {
      return rewrite("planned.tflite", OF_REWRITE);
    }
    if (!micro.memory().hasFilePlan() && report.order().isEmpty()) {
      return command("--reorder");
    }
    // Without the scratch buffers, the header has no plan for the interpreter.
    return micro.memory().isScratchKnown()
        ? options.writing(file.path(), "plan.h")
        : Optional.empty();
  }

  private Optional<String> rewrite(String output, Set<String> kept) {
    return Optional.of(
        ShellLine.of("rewrite", file.path(), options.wordsOf(kept), "--output", output));
  }

  private Optional<String> command(String... more) {
    return options.with(file.path(), more);
  }
}
