package dev.stowage.cli.report;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.tflite.micro.TailPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A part of the tail of an arena.
 *
 * @param part the name for programs
 * @param label the name for people
 * @param remedy the change that makes it smaller
 */
record TailRow(String part, String label, long bytes, String remedy) {

  /** {@return the parts of the tail of the model as it is, which add up to the tail} */
  static List<TailRow> of(MicroMemory memory) {
    List<TailRow> rows = new ArrayList<>();
    if (memory.moreTailBytes() != 0) {
      rows.add(
          new TailRow(
              "measured",
              "measured, beside these",
              memory.moreTailBytes(),
              "the reference kernels"));
    }
    for (TailPart part : TailPart.values()) {
      long bytes = memory.fileTail().getOrDefault(part, 0L);
      if (bytes > 0) {
        rows.add(
            new TailRow(part.name().toLowerCase(Locale.ROOT), label(part), bytes, remedy(part)));
      }
    }
    return rows;
  }

  /** {@return a table of the parts, and of the bytes to start} */
  static Table<TailRow> table(MicroMemory memory) {
    List<TailRow> rows = new ArrayList<>(of(memory));
    long reserve = memory.fileSize().reserveBytes();
    if (reserve >= MicroMemory.ROUNDING_BYTES) {
      rows.add(
          new TailRow(
              "", "to start: lists of AllocateTensors()", reserve, "fewer tensors and operators"));
    }
    return Table.shown(rows)
        .text("", "TAIL by part", TailRow::label)
        .count("", "bytes", TailRow::bytes)
        .text("", "smaller with", TailRow::remedy)
        .endingInText();
  }

  private static String label(TailPart part) {
    return switch (part) {
      case INTERPRETER -> "interpreter";
      case RESOURCE_VARIABLES -> "list of resource variables";
      case TENSORS_AND_OPERATORS -> "tensors and operators";
      case OPERATOR_DATA -> "data of operators";
      case PERSISTENT_BUFFERS -> "buffers of kernels";
      case SCRATCH_HANDLES -> "handles of scratch buffers";
      case VARIABLES -> "variables";
      case AFTER_PLAN -> "after the plan: inputs, outputs";
    };
  }

  private static String remedy(TailPart part) {
    return switch (part) {
      case INTERPRETER -> "one interpreter for all models";
      case RESOURCE_VARIABLES -> "an arena of its own";
      case TENSORS_AND_OPERATORS -> "fewer of both, also of constants";
      case OPERATOR_DATA -> "fewer operators";
      case PERSISTENT_BUFFERS -> "fewer channels, a smaller state";
      case SCRATCH_HANDLES -> "kernels without these buffers";
      case VARIABLES -> "a smaller state";
      case AFTER_PLAN -> "fewer inputs and outputs";
    };
  }
}
