package dev.stowage.cli.output;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.MicroMemory.MicroBuffer;
import dev.stowage.cli.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The part of a header for {@code NonPersistentMemoryPlannerShim} of TensorFlow Lite Micro: the
 * offsets of all buffers, in the order in which the interpreter adds them to its planner.
 */
final class BufferPlanText {

  private BufferPlanText() {}

  /** {@return the reason that the header has no such part; empty if it has one} */
  static Optional<String> omission(MicroMemory memory, Plan.Offsets plan) {
    if (!memory.isScratchKnown()) {
      return Optional.of(
          "scratch buffers are not known; --scratch FILE adds them, --no-scratch states that there are none");
    }
    if (memory.hasFilePlan()) {
      return Optional.of(
          "the model has an offline plan, which NonPersistentMemoryPlannerShim rejects");
    }
    if (memory.hasUnknownTensors()) {
      return Optional.of("tensors of unknown size are not planned");
    }
    return plan.totalBytes() > Integer.MAX_VALUE
        ? Optional.of("offsets exceed 2^31 - 1")
        : Optional.empty();
  }

  /**
   * {@return the lines}
   *
   * @param prefix the start of all names
   * @param comment returns a text that is safe within a comment
   */
  static List<String> lines(
      MicroMemory memory, Plan.Offsets plan, String prefix, UnaryOperator<String> comment) {
    List<String> lines = new ArrayList<>();
    Optional<String> omission = omission(memory, plan);
    if (omission.isPresent()) {
      lines.add("/* No BufferPlan: " + omission.get() + ". */");
      lines.add("");
      return lines;
    }
    List<MicroBuffer> buffers = memory.buffers(plan.assignment());
    lines.add("/*");
    lines.add(
        " * A BufferPlan for NonPersistentMemoryPlannerShim of TensorFlow Lite Micro, in C++:");
    lines.add(" *");
    lines.add(
        String.format(
            Locale.ROOT,
            " *   reinterpret_cast<const tflite::BufferPlan*>(&%s_BUFFER_PLAN)",
            prefix));
    lines.add(" *");
    lines.add(
        " * The interpreter does not check the bytes of the head: the arena needs ARENA_BYTES, and the");
    lines.add(" * persistent data.");
    lines.add(" */");
    lines.add(String.format(Locale.ROOT, "#define %s_BUFFER_COUNT %d", prefix, buffers.size()));
    lines.add("");
    lines.add(String.format(Locale.ROOT, "struct %s_BufferPlan {", prefix));
    lines.add("  int32_t buffer_count;");
    // An empty array is not C.
    String length = buffers.isEmpty() ? "1" : prefix + "_BUFFER_COUNT";
    lines.add(String.format(Locale.ROOT, "  int32_t offsets[%s];", length));
    lines.add("};");
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT, "static const struct %s_BufferPlan %s_BUFFER_PLAN = {", prefix, prefix));
    lines.add(String.format(Locale.ROOT, "    %s_BUFFER_COUNT,", prefix));
    lines.add("    {");
    for (int i = 0; i < buffers.size(); i++) {
      MicroBuffer buffer = buffers.get(i);
      lines.add(
          String.format(
              Locale.ROOT,
              "        %d%s /* %s, %d bytes */",
              buffer.offset(),
              i + 1 < buffers.size() ? "," : "",
              comment.apply(buffer.name()),
              buffer.bytes()));
    }
    if (buffers.isEmpty()) {
      lines.add("        0");
    }
    lines.add("    }");
    lines.add("};");
    lines.add("");
    return lines;
  }
}
