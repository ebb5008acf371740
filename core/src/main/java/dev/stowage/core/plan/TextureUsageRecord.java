package dev.stowage.core.plan;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A tensor's need for a texture: how large, from which task to which.
 *
 * @param extent the least size of the texture
 * @param firstTask the task that produces the tensor
 * @param lastTask the last task that needs it, inclusive
 */
public record TextureUsageRecord(TextureExtent extent, long firstTask, long lastTask) {

  /**
   * A record of one texture.
   *
   * @throws IllegalArgumentException if {@code firstTask < 0} or {@code firstTask > lastTask}
   */
  public TextureUsageRecord {
    if (firstTask < 0 || firstTask > lastTask) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a texture's lifetime is no range of tasks: firstTask=%d, lastTask=%d",
              firstTask,
              lastTask));
    }
  }

  /**
   * {@return the textures with lifetimes so long that all plans hold in every order that a graph
   * allows}
   *
   * <p>Each texture lives until the last one has started that it may not share memory with.
   *
   * @param records the textures
   * @param graph which of them may share memory in every execution order
   * @throws IllegalArgumentException if the graph has another number of records, or lifetimes
   *     contradict a usage graph as in {@link PlanProblem}
   */
  public static List<TextureUsageRecord> widened(
      List<TextureUsageRecord> records, ReuseGraph graph) {
    List<TensorUsageRecord> lifetimes =
        records.stream()
            .map(record -> TensorUsageRecord.of(0, record.firstTask(), record.lastTask()))
            .toList();
    PlanProblem problem = PlanProblem.of(lifetimes).withReuseGraph(graph);
    List<TensorUsageRecord> widened = ConflictForm.of(problem).widened().records();
    return IntStream.range(0, records.size())
        .mapToObj(i ->
            new TextureUsageRecord(
                records.get(i).extent(), widened.get(i).firstTask(), widened.get(i).lastTask()))
        .toList();
  }
}
