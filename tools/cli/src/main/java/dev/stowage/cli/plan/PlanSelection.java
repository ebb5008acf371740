package dev.stowage.cli.plan;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The plans that the user requests.
 *
 * @param named the strategies that the user names
 * @param isAll true if all other strategies that apply are requested, too
 * @param kinds the kinds of plans
 * @param alignment the alignment of every offset
 * @param search the limits and threads of a search
 * @param isExplained true if the reason for the size of the best plan is requested
 */
public record PlanSelection(
    Set<MemoryStrategy> named,
    boolean isAll,
    Set<AssignmentKind> kinds,
    long alignment,
    SearchOptions search,
    boolean isExplained) {

  /** More threads rarely find better plans, and each takes memory. */
  private static final int MAX_THREADS = 8;

  /** {@return the options of a search on this machine} */
  public static SearchOptions search(Duration timeLimit) {
    int threads = Math.min(Runtime.getRuntime().availableProcessors(), MAX_THREADS);
    return SearchOptions.defaults().withThreads(threads).withTimeLimit(timeLimit);
  }

  /** {@return the capacity of the user, or otherwise of the file} */
  public OptionalLong capacityBytes(InputFile file) {
    return search.capacityBytes().isPresent() ? search.capacityBytes() : file.capacity();
  }

  /**
   * {@return the capacity for the offsets of a plan; for TensorFlow Lite Micro, the arena without
   * its tail}
   */
  OptionalLong planCapacityBytes(PlanInput.Tensors input) {
    OptionalLong capacity = capacityBytes(input.file());
    if (input.micro().isEmpty()) {
      return capacity;
    }
    MicroMemory memory = input.micro().get();
    LongStream head = memory.options().headCapacity().stream().mapToLong(Long::longValue);
    return LongStream.concat(
            head,
            capacity.stream().map(arena -> Math.max(0, arena - memory.fileSize().tailBytes())))
        .min();
  }

  /** {@return the requested strategies, in the order of {@link MemoryStrategy}} */
  public List<MemoryStrategy> strategies() {
    return Stream.of(MemoryStrategy.values())
        .filter(strategy -> isAll || named.contains(strategy))
        .toList();
  }
}
