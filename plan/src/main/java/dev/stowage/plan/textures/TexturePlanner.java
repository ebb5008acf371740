package dev.stowage.plan.textures;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.conflict.ConflictForm;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.text.Message;
import dev.stowage.plan.time.ExpiryQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SequencedSet;
import java.util.stream.IntStream;

/** The strategies that also assign shared textures, as in TensorFlow Lite's GPU delegate. */
public final class TexturePlanner {

  private TexturePlanner() {}

  /**
   * {@return true if a strategy plans textures}
   *
   * @param strategy the strategy
   */
  public static boolean plansTextures(MemoryStrategy strategy) {
    return switch (strategy) {
      case NAIVE, EQUALITY, GREEDY_IN_ORDER -> true;
      default -> false;
    };
  }

  /**
   * {@return a shared texture for every record}
   *
   * @param strategy the strategy
   * @param records the textures, all of two or all of three dimensions
   * @throws IllegalArgumentException if some have two dimensions and some three
   * @throws IllegalArgumentException if {@code !plansTextures(strategy)}
   */
  public static TextureObjectsAssignment planTextures(
      MemoryStrategy strategy, List<TextureUsageRecord> records) {
    if (!plansTextures(strategy)) {
      throw new UnsupportedProblemException(strategy + " does not plan textures");
    }
    checkDimensions(records);
    return switch (strategy) {
      case EQUALITY -> equality(records);
      case GREEDY_IN_ORDER -> greedyInOrder(records);
      default -> naive(records);
    };
  }

  /**
   * {@return textures with longer lifetimes, so that all their plans respect a graph}
   *
   * @param records the textures
   * @param graph a graph of the same number of records
   * @throws IllegalArgumentException if the graph has a different number of records, or lifetimes
   *     contradict it
   */
  public static List<TextureUsageRecord> widened(
      List<TextureUsageRecord> records, ReuseGraph graph) {
    PlanProblem lifetimes = lifetimes(records).withReuseGraph(graph);
    List<TensorUsageRecord> widened = ConflictForm.of(lifetimes).widened().records();
    return IntStream.range(0, records.size())
        .mapToObj(i ->
            new TextureUsageRecord(
                records.get(i).extent(), widened.get(i).firstTask(), widened.get(i).lastTask()))
        .toList();
  }

  /** {@return records of no bytes with the lifetimes of the textures} */
  static PlanProblem lifetimes(List<TextureUsageRecord> records) {
    return PlanProblem.of(
        records.stream()
            .map(record -> TensorUsageRecord.of(0, record.firstTask(), record.lastTask()))
            .toList());
  }

  private static void checkDimensions(List<TextureUsageRecord> records) {
    for (int i = 1; i < records.size(); i++) {
      TextureExtent first = records.getFirst().extent();
      if (records.get(i).extent().depth().isPresent() != first.depth().isPresent()) {
        throw Message.illegalArgument(
            "all textures must have the same number of dimensions: record 0 has %s, record %d has %s",
            first, i, records.get(i).extent());
      }
    }
  }

  private static TextureObjectsAssignment naive(List<TextureUsageRecord> records) {
    return new TextureObjectsAssignment(
        IntStream.range(0, records.size()).boxed().toList(),
        records.stream().map(TextureUsageRecord::extent).toList());
  }

  /** {@return a plan: each record reuses the texture of its extent with the lowest id} */
  private static TextureObjectsAssignment equality(List<TextureUsageRecord> records) {
    Integer[] objectIds = new Integer[records.size()];
    List<TextureExtent> extents = new ArrayList<>();
    Map<TextureExtent, PriorityQueue<Integer>> freeByExtent = new HashMap<>();
    ExpiryQueue live = new ExpiryQueue();
    for (int i : IndexOrder.ascending(records.size(), r -> records.get(r).firstTask())) {
      TextureUsageRecord record = records.get(i);
      live.expireBefore(
          record.firstTask(),
          object ->
              freeByExtent
                  .computeIfAbsent(extents.get(object), extent -> new PriorityQueue<>())
                  .add(object));
      PriorityQueue<Integer> free =
          freeByExtent.getOrDefault(record.extent(), new PriorityQueue<>());
      if (free.isEmpty()) {
        objectIds[i] = extents.size();
        extents.add(record.extent());
      } else {
        objectIds[i] = free.remove();
      }
      live.add(record.lastTask(), objectIds[i]);
    }
    return new TextureObjectsAssignment(List.of(objectIds), extents);
  }

  /**
   * {@return a plan: each record reuses only textures that are large enough, so that none grows}
   */
  private static TextureObjectsAssignment greedyInOrder(List<TextureUsageRecord> records) {
    Integer[] objectIds = new Integer[records.size()];
    List<TextureExtent> extents = new ArrayList<>();
    LinkedHashSet<Integer> pool = new LinkedHashSet<>();
    ExpiryQueue live = new ExpiryQueue();
    for (int i : IndexOrder.ascending(records.size(), r -> records.get(r).firstTask())) {
      TextureUsageRecord record = records.get(i);
      live.expireBefore(record.firstTask(), pool::add);
      Optional<Integer> chosen = tightest(pool, extents, record.extent());
      if (chosen.isPresent()) {
        pool.remove(chosen.get());
      } else {
        extents.add(record.extent());
      }
      objectIds[i] = chosen.orElse(extents.size() - 1);
      live.add(record.lastTask(), objectIds[i]);
    }
    return new TextureObjectsAssignment(Arrays.asList(objectIds), extents);
  }

  /**
   * {@return the smallest free texture that holds {@code wanted}; of equal ones, the first freed}
   */
  private static Optional<Integer> tightest(
      SequencedSet<Integer> pool, List<TextureExtent> extents, TextureExtent wanted) {
    Optional<Integer> best = Optional.empty();
    long bestVolume = Long.MAX_VALUE;
    for (Integer candidate : pool) {
      TextureExtent extent = extents.get(candidate);
      if (extent.holds(wanted) && (best.isEmpty() || extent.volume() < bestVolume)) {
        best = Optional.of(candidate);
        bestVolume = extent.volume();
      }
    }
    return best;
  }
}
