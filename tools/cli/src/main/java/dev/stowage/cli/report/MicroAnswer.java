package dev.stowage.cli.report;

import dev.stowage.cli.check.DeviceLog;
import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.pages.text.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The arena of TensorFlow Lite Micro: its sizes and their parts. */
final class MicroAnswer {

  private MicroAnswer() {}

  /** Adds the figures of a report. */
  static void addTo(Answer answer, MicroReport micro) {
    MicroMemory memory = micro.memory();
    answer.facts(arena(micro));
    if (micro.savedBytes() > 0) {
      micro.bestSize().ifPresent(best -> addUsedPlan(micro.fileSize(), best, answer));
    } else if (memory.hasFilePlan()) {
      addUsedPlan(memory.sizeWithoutPlan(), micro.fileSize(), answer);
    }
    answer.table(tail(memory));
    answer.field("kernels", kernels(memory)).field("saved_bytes", micro.savedBytes());
    answer.group(
        "arena",
        group ->
            addSize(micro.fileSize(), group)
                .groups("tail", memory.fileTail(), MicroAnswer::addPart));
    micro.bestSize().ifPresent(best -> answer.group("best_arena", group -> addSize(best, group)));
    answer.field("without_plan_bytes", memory.sizeWithoutPlan().headBytes());
    if (memory.hasFilePlan()) {
      answer
          .field("file_plan_bytes", micro.fileSize().headBytes())
          .field("file_plan_valid", memory.filePlanOverlap().isEmpty());
    }
    answer
        .field("best_head_bytes", Figure.bytes(micro.bestHeadBytes()))
        .field(
            "tensors_alone_head_bytes",
            Figure.of(micro.tensorsAlone(), size -> Figure.bytes(size.headBytes())))
        .field("scratch_known", memory.isScratchKnown())
        .field("unused_tensors", memory.unusedCount());
  }

  /** Adds a sentence on how to see whether the interpreter uses a plan. */
  static void addUsedPlan(MicroMemory.Size before, MicroMemory.Size after, Answer answer) {
    if (before.usedBytes() != after.usedBytes()) {
      answer.line(
          "%nThe firmware uses the plan if interpreter.arena_used_bytes() is %d instead of %d.",
          after.usedBytes(), before.usedBytes());
    } else {
      answer.line(
          "%ninterpreter.arena_used_bytes() is %d with and without the plan; check --device-log tells whether the firmware uses it.",
          after.usedBytes());
    }
  }

  /** Adds the arena of a model with a plan. */
  static void addTo(Answer answer, MicroMemory memory, OptionalLong capacityBytes) {
    answer
        .group(
            "tflm",
            group -> {
              group.field("kernels", kernels(memory));
              group.group("arena", arena -> addSize(memory.fileSize(), arena));
            })
        .facts(
            addRow(arenas(), "kTensorArenaSize", memory.fileSize())
                .bytes("", "capacity", capacityBytes));
  }

  /** Adds the buffers that a device does not place as planned. */
  static void addTo(Answer answer, MicroMemory memory, DeviceLog log) {
    List<DeviceLog.Difference> differences = log.differences(memory);
    if (differences.isEmpty()) {
      answer.line(
          "%nThe device places all %s as planned.",
          Numbers.count(memory.runTimeBuffers().size(), "buffer"));
    }
    answer.table(
        Table.named("device", differences)
            .text("name", "ON THE DEVICE", DeviceLog.Difference::name)
            .count("bytes", "bytes", DeviceLog.Difference::bytes)
            .column("planned", "planned at", it -> Figure.of(it.planned(), Figure::count))
            .column("actual", "is at", it -> Figure.of(it.actual(), Figure::count))
            .text("remark", "", DeviceLog.Difference::remark)
            .endingInText());
  }

  static Figure kernels(MicroMemory memory) {
    return Figure.text(memory.isScratchKnown() ? memory.kernels() : Optional.of("reference"));
  }

  private static Table<MicroMemory.Part> tail(MicroMemory memory) {
    List<MicroMemory.Part> rows =
        Stream.concat(memory.fileTail().stream(), memory.toStart().stream()).toList();
    return Table.shown(rows)
        .text("", "TAIL by part", MicroMemory.Part::label)
        .count("", "bytes", MicroMemory.Part::bytes)
        .text("", "smaller with", MicroMemory.Part::remedy)
        .endingInText();
  }

  private static void addPart(MicroMemory.Part part, Answer answer) {
    answer.field("part", part.key()).field("bytes", part.bytes());
  }

  static Answer addSize(MicroMemory.Size size, Answer answer) {
    return answer
        .field("bytes", size.arenaBytes())
        .field("head_bytes", size.headBytes())
        .field("tail_bytes", size.tailBytes());
  }

  private static Facts arena(MicroReport micro) {
    MicroMemory memory = micro.memory();
    Facts facts = arenas("to start");
    Figure start = Figure.count(memory.sizeWithoutPlan().reserveBytes());
    addRow(facts, "without a plan", memory.sizeWithoutPlan(), start);
    if (memory.hasFilePlan()) {
      String remark = memory.filePlanOverlap().isEmpty() ? "valid" : "overlaps";
      Figure ofFile = Figure.count(micro.fileSize().reserveBytes());
      addRow(facts, "in the file", micro.fileSize(), ofFile, Figure.text(remark));
    }
    micro
        .bestSize()
        .ifPresent(
            best -> addRow(facts, "with the best plan", best, Figure.count(best.reserveBytes())));
    return facts;
  }

  /** {@return an empty table of arenas, with more columns after the columns of {@link #addRow}} */
  static Facts arenas(String... more) {
    return new Facts(
        Stream.concat(Stream.of("ARENA of TFLM", "bytes", "", "head", "tail"), Stream.of(more))
            .toArray(String[]::new));
  }

  /** Adds an arena with its parts, and other figures beside them. */
  static Facts addRow(Facts facts, String label, MicroMemory.Size size, Figure... more) {
    Stream<Figure> parts =
        Stream.of(Figure.count(size.headBytes()), Figure.count(size.tailBytes()));
    Figure[] figures = Stream.concat(parts, Stream.of(more)).toArray(Figure[]::new);
    return facts.bytes("", label, size.arenaBytes(), figures);
  }
}
