package dev.stowage.cli.output;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.plan.Plan;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.TensorUsageRecord;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
   * {@return the text, which ends with a blank line}
   *
   * @param prefix the start of all names
   * @param comment returns a text that is safe within a comment
   */
  static String of(
      MicroMemory memory, Plan.Offsets plan, String prefix, UnaryOperator<String> comment) {
    Optional<String> omission = omission(memory, plan);
    if (omission.isPresent()) {
      return "/* No BufferPlan: " + omission.get() + ". */\n\n";
    }
    List<TensorUsageRecord> buffers = memory.buffers(plan.assignment());
    String offsets =
        IntStream.range(0, buffers.size())
            .mapToObj(i ->
                Text.of(
                    "        %d%s /* %s, %d bytes */\n",
                    buffers.get(i).pinnedOffset().orElseThrow(),
                    i + 1 < buffers.size() ? "," : "",
                    comment.apply(buffers.get(i).name()),
                    buffers.get(i).bytes()))
            .collect(Collectors.joining());
    // An empty array is not C.
    return Text.of(
        """
        /*
         * A BufferPlan for NonPersistentMemoryPlannerShim of TensorFlow Lite Micro, in C++:
         *
         *   reinterpret_cast<const tflite::BufferPlan*>(&%1$s_BUFFER_PLAN)
         *
         * The interpreter does not check the bytes of the head: the arena needs at least
         * TENSOR_ARENA_SIZE bytes.
         */
        #define %1$s_BUFFER_COUNT %2$d

        struct %1$s_BufferPlan {
          int32_t buffer_count;
          int32_t offsets[%3$s];
        };

        static const struct %1$s_BufferPlan %1$s_BUFFER_PLAN = {
            %1$s_BUFFER_COUNT,
            {
        %4$s    }
        };

        """,
        prefix,
        buffers.size(),
        buffers.isEmpty() ? "1" : prefix + "_BUFFER_COUNT",
        buffers.isEmpty() ? "        0\n" : offsets);
  }
}
