package dev.stowage.cli.report;

import dev.stowage.cli.check.ArenaCheck;
import dev.stowage.cli.check.DeviceLog;
import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The arena of TensorFlow Lite Micro: its sizes and their parts. */
final class MicroAnswer {

  private MicroAnswer() {}

  /** Adds the figures of a report. */
  static void addTo(Answer answer, MicroReport micro) {
    MicroMemory memory = micro.memory();
    answer.facts(arena(micro));
    micro
        .bestSize()
        .filter(_ -> micro.savedBytes() > 0)
        .flatMap(best -> usedPlan(micro.fileSize(), best))
        .ifPresent(line -> answer.line("%n%s", line));
    answer.table(tail(memory));
    answer
        .field("kernels", kernels(memory))
        .field("estimate", memory.isEstimate())
        .field("saved_bytes", micro.savedBytes());
    answer
        .group(
            "arena",
            group ->
                addSize(micro.fileSize(), group)
                    .groups("tail", memory.fileTail(), MicroAnswer::addPart))
        .groups("tail", memory.fileTail(), MicroAnswer::addPart);
    micro.bestSize().ifPresent(best -> answer.group("best_arena", group -> addSize(best, group)));
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

  /**
   * {@return a sentence that tells whether the interpreter uses a plan; empty if the bytes in use
   * do not show it}
   */
  static Optional<String> usedPlan(MicroMemory.Size before, MicroMemory.Size after) {
    return before.usedBytes() == after.usedBytes()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "The firmware uses the plan if interpreter.arena_used_bytes() is %d instead of %d.",
                after.usedBytes(),
                before.usedBytes()));
  }

  /** Adds the arena of a model with a plan, and the buffers that a device places elsewhere. */
  static void addTo(Answer answer, ArenaCheck check) {
    MicroMemory memory = check.memory();
    answer
        .group(
            "tflm",
            group -> {
              group.field("kernels", kernels(memory));
              group.group("arena", arena -> addSize(memory.fileSize(), arena));
            })
        .facts(
            new Facts("ARENA of TFLM", "bytes", "", "head", "tail")
                .bytes(
                    "",
                    "kTensorArenaSize",
                    memory.fileSize().arenaBytes(),
                    Figure.count(memory.fileSize().headBytes()),
                    Figure.count(memory.fileSize().tailBytes()))
                .bytes("", "capacity", check.capacityBytes()));
    if (check.log().isPresent()) {
      List<DeviceLog.Difference> differences = check.log().get().differences(memory);
      if (differences.isEmpty()) {
        answer.line(
            "%nThe device places all %s as planned.",
            Numbers.count(memory.runTimeBuffers().size(), "buffer"));
      }
      answer.table(
          Table.named("device", differences)
              .text("name", "ON THE DEVICE", DeviceLog.Difference::name)
              .count("bytes", "bytes", DeviceLog.Difference::bytes)
              .column("planned", "planned at", it -> Figure.count(it.planned()))
              .column("actual", "is at", it -> Figure.count(it.actual()))
              .text("remark", "", DeviceLog.Difference::remark)
              .endingInText());
    }
  }

  private static Figure kernels(MicroMemory memory) {
    return Figure.text(memory.isScratchKnown() ? memory.kernels() : Optional.of("reference"));
  }

  /** {@return a row for each model} */
  static Table<PlanReport> models(List<PlanReport> reports) {
    ColumnTitles titles =
        new ColumnTitles(reports.stream().map(report -> report.input().file().path()).toList());
    return Table.shown(reports)
        .text("", "kTensorArenaSize", report -> titles.of(report.input().file().path()))
        .count("", "bytes", report -> micro(report).fileSize().arenaBytes())
        .count("", "with a plan", report -> micro(report).smallestArenaBytes())
        .count("", "head", report -> micro(report).fileSize().headBytes())
        .count("", "tail", report -> micro(report).fileSize().tailBytes());
  }

  private static MicroReport micro(PlanReport report) {
    return report.micro().orElseThrow();
  }

  private static Table<MicroMemory.Part> tail(MicroMemory memory) {
    List<MicroMemory.Part> rows = new ArrayList<>(memory.fileTail());
    long reserve = memory.fileSize().reserveBytes();
    if (reserve >= MicroMemory.ROUNDING_BYTES) {
      rows.add(
          new MicroMemory.Part(
              "", "to start: lists of AllocateTensors()", reserve, "fewer tensors and operators"));
    }
    return Table.shown(rows)
        .text("", "TAIL by part", MicroMemory.Part::label)
        .count("", "bytes", MicroMemory.Part::bytes)
        .text("", "smaller with", MicroMemory.Part::remedy)
        .endingInText();
  }

  private static void addPart(MicroMemory.Part row, Answer answer) {
    answer.field("part", row.key()).field("bytes", row.bytes());
  }

  static Answer addSize(MicroMemory.Size size, Answer answer) {
    return answer
        .field("bytes", size.arenaBytes())
        .field("head_bytes", size.headBytes())
        .field("tail_bytes", size.tailBytes());
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
}
