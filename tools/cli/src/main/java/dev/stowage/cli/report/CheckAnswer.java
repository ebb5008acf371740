package dev.stowage.cli.report;

import dev.stowage.cli.check.CheckReport;
import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;

/** A checked plan. */
public final class CheckAnswer {

  private CheckAnswer() {}

  public static Answer of(CheckReport report) {
    PlanInput.Tensors input = report.input();
    Violations violations = new Violations(report);
    String path = Printable.of(input.file().path());
    Answer answer = new Answer();
    report.failures().forEach(failure -> answer.line("%s: %s.", path, failure));
    answer
        .line("%s: %s.", path, verdict(report, violations))
        .field("input", input.file().path())
        .field("format", input.file().format())
        .field("valid", report.isPassed())
        .field("records", input.labels().size())
        .field("alignment", input.problem().alignment())
        .field("total_bytes", report.plan().totalBytes())
        .group(
            "lower_bounds",
            bounds ->
                bounds
                    .field("offsets", report.bounds().offsetsBytes())
                    .field("objects", report.bounds().objectsBytes()))
        .field("capacity", Figure.bytes(report.capacityBytes()));
    if (report.micro().isPresent()) {
      // The lower bound is the bound of the tensors alone, without scratch buffers.
      MicroAnswer.addTo(answer, report.micro().get(), report.capacityBytes());
      report.device().ifPresent(log -> MicroAnswer.addTo(answer, report.micro().get(), log));
    } else {
      addArena(report, answer);
    }
    Labels.addTasks(input.file(), answer);
    return violations.addTo(answer);
  }

  /**
   * {@return the verdict; in TensorFlow Lite Micro with the arena, whose head the plan describes}
   */
  private static String verdict(CheckReport report, Violations violations) {
    if (report.micro().isEmpty()) {
      return violations.verdict("an arena of " + ByteUnit.sentence(report.plan().totalBytes()));
    }
    MicroMemory memory = report.micro().get();
    return Text.of(
        "%s; TensorFlow Lite Micro%s needs kTensorArenaSize = %d",
        violations.verdict("a head of " + ByteUnit.sentence(memory.fileSize().headBytes())),
        memory.withKernels(),
        memory.fileSize().arenaBytes());
  }

  private static void addArena(CheckReport report, Answer answer) {
    long boundBytes = report.bounds().offsetsBytes();
    long moreBytes = report.plan().totalBytes() - boundBytes;
    answer.facts(
        new Facts("ARENA", "bytes")
            .bytes("", "total", report.plan().totalBytes())
            .bytes("", "lower bound", boundBytes)
            .row(
                "",
                "difference",
                Figure.bytes(moreBytes),
                boundBytes == 0
                    ? Figure.none()
                    : Figure.text(Numbers.percent(moreBytes, boundBytes)))
            .bytes("", "capacity", report.capacityBytes()));
  }
}
