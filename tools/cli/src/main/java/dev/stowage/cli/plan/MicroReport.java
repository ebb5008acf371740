package dev.stowage.cli.plan;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The figures of a model in TensorFlow Lite Micro.
 *
 * @param memory the memory of the model
 * @param sizes the memory with the plan of each strategy in the file; without plans that are too
 *     large for a file
 * @param tensorsAlone the memory with a plan that {@code OPTIMAL} makes without scratch buffers, if
 *     there are some
 * @param bestSize the smallest memory with a plan in the file, if there is a plan
 */
public record MicroReport(
    MicroMemory memory,
    Map<MemoryStrategy, MicroMemory.Size> sizes,
    Optional<MicroMemory.Size> tensorsAlone,
    Optional<MicroMemory.Size> bestSize)
    implements PlanPart {

  private static final Comparator<MicroMemory.Size> SMALLEST =
      Comparator.comparingLong(MicroMemory.Size::arenaBytes)
          .thenComparingLong(MicroMemory.Size::headBytes);

  public MicroReport {
    sizes = Map.copyOf(sizes);
  }

  /**
   * {@return the figures of a model and its plans}
   *
   * @param tensorsAlone a plan without scratch buffers
   */
  static MicroReport of(
      MicroMemory memory, List<Plan.Offsets> plans, Optional<OffsetsAssignment> tensorsAlone) {
    Map<MemoryStrategy, MicroMemory.Size> sizes = new EnumMap<>(MemoryStrategy.class);
    for (Plan.Offsets plan : plans) {
      memory
          .size(plan.assignment())
          .ifPresent(size -> sizes.put(plan.strategy().orElseThrow(), size));
    }
    Optional<MicroMemory.Size> alone = tensorsAlone.flatMap(memory::size);
    return new MicroReport(
        memory, sizes, alone, Stream.concat(sizes.values().stream(), alone.stream()).min(SMALLEST));
  }

  /**
   * {@return these figures with the plan of another order of the operators, if it needs less}
   *
   * @param ordered the memory of the model in that order
   */
  MicroReport withOrder(MicroMemory ordered, OffsetsAssignment plan) {
    return new MicroReport(
        memory,
        sizes,
        tensorsAlone,
        Stream.concat(bestSize.stream(), ordered.size(plan).stream()).min(SMALLEST));
  }

  /** {@return the memory of the model as it is} */
  public MicroMemory.Size fileSize() {
    return memory.fileSize();
  }

  /**
   * {@return the bytes that a plan in the file saves; 0 if tensors overlap in the plan that the
   * file already has, because this plan is kept}
   */
  public long savedBytes() {
    return bestSize
        .filter(_ -> memory.filePlanOverlap().isEmpty())
        .map(best -> Math.max(0, fileSize().arenaBytes() - best.arenaBytes()))
        .orElse(0L);
  }

  /** {@return the smallest head with a plan in the file; empty if there is no plan} */
  public OptionalLong bestHeadBytes() {
    return Stream.concat(sizes.values().stream(), tensorsAlone.stream())
        .mapToLong(MicroMemory.Size::headBytes)
        .min();
  }

  /** {@return the smallest head, with one of the plans in the file or without a plan} */
  public long smallestHeadBytes() {
    return Math.min(memory.sizeWithoutPlan().headBytes(), bestHeadBytes().orElse(Long.MAX_VALUE));
  }

  /**
   * {@return the bytes of the smallest arena: of the model as it is, or with a plan in the file}
   */
  public long smallestArenaBytes() {
    return Math.min(
        fileSize().arenaBytes(), bestSize.map(MicroMemory.Size::arenaBytes).orElse(Long.MAX_VALUE));
  }
}
