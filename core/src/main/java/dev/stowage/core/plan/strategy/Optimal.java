package dev.stowage.core.plan.strategy;

import dev.stowage.core.plan.ObjectsAssignment;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.search.ObjectsSearch;
import dev.stowage.core.plan.search.OffsetsSearch;
import dev.stowage.core.plan.search.SearchOptions;
import dev.stowage.core.plan.spi.ComparisonLimit;
import dev.stowage.core.plan.spi.ObjectsPlanner;
import dev.stowage.core.plan.spi.OffsetsPlanner;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Searches for the smallest arena, as {@link OffsetsSearch} does by default, and for the smallest
 * shared objects.
 */
final class Optimal implements OffsetsPlanner, ObjectsPlanner {

  /** About a second or two of searching, beside what the strategies take that it starts from. */
  private static final long OBJECTS_NODES = 2_000_000;

  /** A comparison has these strategies' plans already, and waits for them a second time. */
  private static final int MAX_COMPARED_RECORDS = 5_000;

  @Override
  public boolean placesPins() {
    return true;
  }

  @Override
  public boolean offsetsRespectGraphs() {
    return true;
  }

  /** Searches have their own limits, and do not ask {@code stop}. */
  @Override
  public OffsetsAssignment planOffsets(PlanProblem problem, BooleanSupplier stop) {
    return OffsetsSearch.of(problem, SearchOptions.defaults()).run().assignment();
  }

  @Override
  public boolean objectsRespectGraphs() {
    return true;
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop) {
    SearchOptions nodesOnly =
        SearchOptions.defaults()
            .withNodeLimit(OBJECTS_NODES)
            .withTimeLimit(Duration.ofSeconds(Long.MAX_VALUE));
    return ObjectsSearch.of(problem, nodesOnly).run().assignment();
  }

  @Override
  public ComparisonLimit objectsComparisonLimit() {
    return ComparisonLimit.ofRecords(MAX_COMPARED_RECORDS);
  }
}
