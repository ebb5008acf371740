package dev.stowage.cli.conclusion;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import java.util.Optional;

/** The sentence on the arena of TensorFlow Lite Micro, with its size as a program has it. */
final class MicroSentence {

  private MicroSentence() {}

  /** {@return the size to configure, and whether a plan in the file saves memory, if known} */
  static String of(PlanReport report, MicroReport micro) {
    String arena =
        Text.of(
            "TensorFlow Lite Micro%s needs kTensorArenaSize = %d%s",
            kernels(micro.memory()),
            micro.fileSize().arenaBytes(),
            micro.fileSize().arenaBytes() < 1024
                ? ""
                : " (" + ByteUnit.human(micro.fileSize().arenaBytes()) + ")");
    if (micro.savedBytes() > 0) {
      return Text.of(
          "%s; with a plan in the file, %d are enough, %s less.",
          arena,
          micro.bestSize().orElseThrow().arenaBytes(),
          Numbers.count(micro.savedBytes(), "byte"));
    }
    return arena + "." + plan(report, micro).map(sentence -> " " + sentence).orElse("");
  }

  private static String kernels(MicroMemory memory) {
    return memory.isScratchKnown()
        ? memory.kernels().map(kernels -> " with " + kernels).orElse("")
        : " with its reference kernels";
  }

  /** {@return a sentence on the arena with ESP-NN, with a blank at its end; empty without it} */
  static String ofEspNn(MicroMemory memory) {
    return memory
        .largestWithEspNn()
        .map(largest ->
            Text.of(
                "With ESP-NN on an ESP32-S3, it needs up to %d (%s, with %s): --kernels plans for it. ",
                largest.fileSize().arenaBytes(),
                ByteUnit.human(largest.fileSize().arenaBytes()),
                largest.kernels().orElseThrow()))
        .orElse("");
  }

  /** {@return a sentence on plans that save nothing; empty if it is not known whether one does} */
  private static Optional<String> plan(PlanReport report, MicroReport micro) {
    if (micro.filePlanOverlap().isPresent()) {
      return Optional.of(
          "The plan in the file is kept, because live tensors overlap in it; rewrite --replace-plan replaces it.");
    }
    if (micro.bestSize().isEmpty() || report.isInterrupted()) {
      return Optional.empty();
    }
    return Optional.of(
        "None of these plans saves memory"
            + (report.isOutOfTime() ? "; a higher --time-limit may find one." : "."));
  }
}
