package dev.stowage.cli.report;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.Locale;
import java.util.Optional;

/** The arena of TensorFlow Lite Micro: the size to configure, its parts, and the next step. */
final class MicroAnswer {

  private MicroAnswer() {}

  /** Adds the figures of a report, which start with the size to configure. */
  static void addTo(Answer answer, PlanReport report, MicroReport micro) {
    MicroMemory memory = micro.memory();
    answer.line("%s", sentence(report, micro)).facts(arena(micro));
    advice(report, micro).ifPresent(advice -> answer.line("%n%s", advice));
    answer.field("estimate", memory.isEstimate()).field("saved_bytes", micro.savedBytes());
    addSize("arena", micro.fileSize(), answer);
    micro.bestSize().ifPresent(best -> addSize("best_arena", best, answer));
    answer.field("without_plan_bytes", micro.withoutPlanBytes());
    if (micro.filePlanBytes().isPresent()) {
      answer
          .field("file_plan_bytes", Figure.bytes(micro.filePlanBytes()))
          .field("file_plan_valid", micro.filePlanOverlap().isEmpty());
    }
    if (micro.bestHeadBytes().isPresent()) {
      answer.field("best_head_bytes", Figure.bytes(micro.bestHeadBytes()));
    }
    if (micro.tensorsAloneBytes().isPresent()) {
      answer.field("tensors_alone_head_bytes", Figure.bytes(micro.tensorsAloneBytes()));
    }
    answer
        .field("scratch_known", memory.isScratchKnown())
        .field("unused_tensors", memory.unusedCount())
        .field("unused_bytes", memory.unusedBytes())
        .field("variables", memory.variableCount())
        .field("variable_bytes", memory.variableBytes());
  }

  private static void addSize(String name, MicroMemory.Size size, Answer answer) {
    answer.group(
        name,
        group ->
            group
                .field("bytes", size.arenaBytes())
                .field("head_bytes", size.headBytes())
                .field("tail_bytes", size.tailBytes()));
  }

  /** {@return the size to configure, as a program has it} */
  private static String sentence(PlanReport report, MicroReport micro) {
    return String.format(
        Locale.ROOT,
        "%s: kTensorArenaSize = %d%s%s",
        Printable.of(report.input().file().path()),
        micro.fileSize().arenaBytes(),
        micro.savedBytes() == 0
            ? ""
            : ", or " + micro.bestSize().orElseThrow().arenaBytes() + " with a plan in the file",
        micro.memory().isEstimate() ? " (estimate)" : "");
  }

  private static Facts arena(MicroReport micro) {
    MicroMemory memory = micro.memory();
    Facts arena = new Facts("ARENA of TFLM", "bytes", "", "head", "tail", "to start");
    addRow(arena, "without a plan", memory.sizeWithoutPlan(), Optional.empty());
    if (memory.hasFilePlan()) {
      boolean isValid = micro.filePlanOverlap().isEmpty();
      addRow(arena, "in the file", micro.fileSize(), Optional.of(isValid ? "valid" : "overlaps"));
    }
    micro.bestSize().ifPresent(best -> addRow(arena, "with the best plan", best, Optional.empty()));
    return arena;
  }

  private static void addRow(
      Facts facts, String label, MicroMemory.Size size, Optional<String> remark) {
    facts.bytes(
        "",
        label,
        size.arenaBytes(),
        Figure.count(size.headBytes()),
        Figure.count(size.tailBytes()),
        Figure.count(size.reserveBytes()),
        Figure.text(remark));
  }

  /** {@return the sentence to act on; empty if it is not known whether a plan saves memory} */
  private static Optional<String> advice(PlanReport report, MicroReport micro) {
    if (micro.filePlanOverlap().isPresent()) {
      return Optional.of(
          "The plan in the file is kept, because live tensors overlap in it; rewrite --replace-plan replaces it.");
    }
    if (micro.savedBytes() > 0) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "A plan in the file saves %s: %s",
              Numbers.count(micro.savedBytes(), "byte"),
              RewriteCommandLine.of(
                  report.input().file().path(), micro, report.order().isPresent())));
    }
    if (micro.bestSize().isEmpty() || report.isInterrupted()) {
      return Optional.empty();
    }
    if (!micro.headBytes().containsKey(MemoryStrategy.OPTIMAL)) {
      return Optional.of("None of these plans saves memory; --strategy OPTIMAL may find one.");
    }
    return Optional.of(
        report.isOutOfTime()
            ? "None of these plans saves memory; a higher --time-limit may find one."
            : nothing(report, micro));
  }

  /** {@return a sentence if no plan is smaller than the memory of the file} */
  private static String nothing(PlanReport report, MicroReport micro) {
    long savedBytes = micro.memory().sizeWithoutPlan().arenaBytes() - micro.fileSize().arenaBytes();
    if (savedBytes <= 0) {
      return "A plan in the file saves nothing.";
    }
    boolean isProved =
        report.bestOffsets().stream()
            .anyMatch(best ->
                best.isOptimal() && micro.filePlanBytes().orElseThrow() == best.totalBytes());
    return String.format(
        Locale.ROOT,
        isProved
            ? "The plan in the file is already the best; it saves %s."
            : "No smaller plan was found; the plan in the file saves %s.",
        Numbers.count(savedBytes, "byte"));
  }
}
