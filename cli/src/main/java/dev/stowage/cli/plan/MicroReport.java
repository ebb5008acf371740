package dev.stowage.cli.plan;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.text.Numbers;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The figures of a model in TensorFlow Lite Micro.
 *
 * @param memory the memory of the model
 * @param withoutPlanBytes the head of the arena without a plan
 * @param filePlanBytes the head with the plan in the file, if there is one
 * @param filePlanOverlap the names of two live tensors that overlap in the plan in the file
 * @param headBytes the head with the plan of each strategy in the file; without those that are too
 *     large for a file
 */
public record MicroReport(
    MicroMemory memory,
    long withoutPlanBytes,
    OptionalLong filePlanBytes,
    Optional<String> filePlanOverlap,
    Map<MemoryStrategy, Long> headBytes) {

  /** Creates figures. */
  public MicroReport {
    headBytes = Map.copyOf(headBytes);
  }

  /** {@return the figures of a model and its plans} */
  static MicroReport of(MicroMemory memory, List<Plan.Offsets> plans) {
    Map<MemoryStrategy, Long> heads = new EnumMap<>(MemoryStrategy.class);
    for (Plan.Offsets plan : plans) {
      memory.headBytes(plan.assignment()).ifPresent(bytes -> heads.put(plan.strategy(), bytes));
    }
    return new MicroReport(
        memory, memory.withoutPlanBytes(), memory.filePlanBytes(), memory.filePlanOverlap(), heads);
  }

  /** {@return the smallest head with a plan of a strategy; empty if there is none} */
  public OptionalLong bestHeadBytes() {
    return headBytes.values().stream().mapToLong(Long::longValue).min();
  }

  /** {@return sentences for the user} */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    filePlanOverlap.ifPresent(overlap ->
        notes.add(
            "live tensors overlap in the plan in the file, on purpose or by mistake: " + overlap));
    bestHeadBytes()
        .ifPresent(bytes -> {
          if (withoutPlanBytes < bytes) {
            notes.add(
                String.format(
                    Locale.ROOT,
                    "TensorFlow Lite Micro alone needs less than with any of these plans in the file: %s instead of %s",
                    Numbers.count(withoutPlanBytes, "byte"),
                    Numbers.grouped(bytes)));
          }
        });
    return notes;
  }
}
