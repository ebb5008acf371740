package dev.stowage.plan.spi;

import dev.stowage.plan.AssignmentKind;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.TextureExtent;
import dev.stowage.plan.TextureObjectsAssignment;
import dev.stowage.plan.TextureUsageRecord;
import dev.stowage.plan.UnsupportedProblemException;
import dev.stowage.plan.conflict.ConflictForm;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A named planner that prepares each problem for an algorithm.
 *
 * <p>A {@link Planner} implements only the algorithm. This class rejects pinned records if the
 * algorithm ignores them, widens the lifetimes of a problem with a {@link ReuseGraph} if the
 * algorithm supports only lifetimes, and lays out objects in one arena if the algorithm has no
 * offsets of its own.
 *
 * {@snippet :
 * OffsetsPlanner oneAfterTheOther =
 *     (problem, stop) -> {
 *       long[] offsets = new long[problem.records().size()];
 *       long end = 0;
 *       for (int i = 0; i < offsets.length; i++) {
 *         offsets[i] = end;
 *         end += problem.records().get(i).bytes();
 *       }
 *       return OffsetsAssignment.of(offsets, end);
 *     };
 * OffsetsAssignment plan =
 *     MemoryPlanner.of("ONE_AFTER_THE_OTHER", oneAfterTheOther).planOffsets(problem, () -> false);
 * AssignmentChecker.violation(problem, plan); // empty
 * }
 */
public final class MemoryPlanner {

  private final String name;
  private final Planner planner;

  private MemoryPlanner(String name, Planner planner) {
    this.name = name;
    this.planner = planner;
  }

  /**
   * {@return a planner for an algorithm}
   *
   * @param name the name for messages
   * @param planner the algorithm: an {@link ObjectsPlanner}, an {@link OffsetsPlanner}, a {@link
   *     TexturePlanner}, or several of them in one class
   */
  public static MemoryPlanner of(String name, Planner planner) {
    return new MemoryPlanner(name, planner);
  }

  /** {@return the name for messages} */
  public String name() {
    return name;
  }

  /**
   * {@return true if this planner makes plans of a kind}
   *
   * @param kind objects or offsets
   */
  public boolean plans(AssignmentKind kind) {
    return switch (kind) {
      case OBJECTS -> planner instanceof ObjectsPlanner;
      case OFFSETS -> planner instanceof OffsetsPlanner || planner instanceof ObjectsPlanner;
    };
  }

  /** {@return true if this planner plans textures} */
  public boolean plansTextures() {
    return planner instanceof TexturePlanner;
  }

  /** {@return true if offsets respect pinned records; otherwise this planner rejects them} */
  public boolean placesPins() {
    return planner instanceof OffsetsPlanner offsets && offsets.placesPins();
  }

  /** {@return true if offsets are those of the objects, one after the other} */
  public boolean offsetsFollowFromObjects() {
    return !(planner instanceof OffsetsPlanner);
  }

  /**
   * {@return the size of a problem up to which a comparison of planners includes this one}
   *
   * @param kind objects or offsets
   */
  public ComparisonLimit comparisonLimit(AssignmentKind kind) {
    if (kind == AssignmentKind.OFFSETS && planner instanceof OffsetsPlanner offsets) {
      return offsets.offsetsComparisonLimit();
    }
    return planner instanceof ObjectsPlanner objects
        ? objects.objectsComparisonLimit()
        : ComparisonLimit.NONE;
  }

  /**
   * {@return a shared object for every record}
   *
   * @param problem the records
   * @param stop true to give up; the planner checks it often, unless its documentation says
   *     otherwise
   * @throws UnsupportedProblemException if {@code !plans(OBJECTS)}, or a record is pinned
   * @throws java.util.concurrent.CancellationException if {@code stop} returned true
   */
  public ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop) {
    if (!(planner instanceof ObjectsPlanner objects)) {
      throw new UnsupportedProblemException(name + " plans offsets only");
    }
    rejectPins(problem);
    boolean respectsGraph = problem.reuseGraph().isEmpty() || objects.objectsRespectGraphs();
    return objects.planObjects(respectsGraph ? problem : widened(problem, stop), stop);
  }

  /**
   * {@return an offset for every record}
   *
   * @param problem the records
   * @param stop true to give up; the planner checks it often, unless its documentation says
   *     otherwise
   * @throws UnsupportedProblemException if a record is pinned and {@code !placesPins()}, or the
   *     offsets follow from objects and {@link ObjectsAssignment#toOffsets} rejects the problem
   * @throws java.util.concurrent.CancellationException if {@code stop} returned true
   */
  public OffsetsAssignment planOffsets(PlanProblem problem, BooleanSupplier stop) {
    if (planner instanceof OffsetsPlanner offsets) {
      if (!placesPins()) {
        rejectPins(problem);
      }
      boolean respectsGraph = problem.reuseGraph().isEmpty() || offsets.offsetsRespectGraphs();
      return offsets.planOffsets(respectsGraph ? problem : widened(problem, stop), stop);
    }
    return planObjects(problem, stop).toOffsets(problem);
  }

  /**
   * {@return a shared texture for every record}
   *
   * @param records the textures, all of two or all of three dimensions
   * @throws IllegalArgumentException if some have two dimensions and some three
   * @throws UnsupportedProblemException if {@code !plansTextures()}
   */
  public TextureObjectsAssignment planTextures(List<TextureUsageRecord> records) {
    if (!(planner instanceof TexturePlanner textures)) {
      throw new UnsupportedProblemException(name + " does not plan textures");
    }
    checkDimensions(records);
    return textures.planTextures(records);
  }

  /**
   * {@return textures with longer lifetimes, so that all their plans respect a graph}
   *
   * @param records the textures
   * @param graph a graph of the same number of records
   * @throws IllegalArgumentException if the graph has a different number of records, or lifetimes
   *     contradict it
   */
  public static List<TextureUsageRecord> widenedTextures(
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

  private static PlanProblem widened(PlanProblem problem, BooleanSupplier stop) {
    return ConflictForm.of(problem, stop).widened();
  }

  private static void checkDimensions(List<TextureUsageRecord> records) {
    for (int i = 1; i < records.size(); i++) {
      TextureExtent first = records.getFirst().extent();
      if (records.get(i).extent().depth().isPresent() != first.depth().isPresent()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "all textures must have the same number of dimensions: record 0 has %s, record %d has %s",
                first,
                i,
                records.get(i).extent()));
      }
    }
  }

  private void rejectPins(PlanProblem problem) {
    if (problem.hasPins()) {
      String where = placesPins() ? " in shared objects" : "";
      throw new UnsupportedProblemException(name + " cannot place pinned records" + where);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
