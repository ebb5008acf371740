package dev.stowage.plan.strategy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.planner.ComparisonLimit;
import dev.stowage.plan.planner.ObjectsPlanner;
import dev.stowage.plan.planner.OffsetsPlanner;
import dev.stowage.plan.search.ObjectsSearch;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Runs an {@link OffsetsSearch} with the default options, and an {@link ObjectsSearch} with a node
 * limit.
 */
final class Optimal implements OffsetsPlanner, ObjectsPlanner {

  /** Takes about two seconds, in addition to the strategies that the search starts from. */
  private static final long OBJECTS_NODES = 2_000_000;

  /** Limits the time of strategies that the search repeats after a comparison ran them. */
  private static final int MAX_COMPARED_RECORDS = 5_000;

  @Override
  public boolean placesPins() {
    return true;
  }

  @Override
  public boolean offsetsRespectGraphs() {
    return true;
  }

  /** Ignores {@code stop}, since the search has its own limits. */
  @Override
  public OffsetsAssignment planOffsets(PlanProblem problem, BooleanSupplier stop) {
    return OffsetsSearch.of(problem, SearchOptions.defaults()).run().assignment();
  }

  @Override
  public boolean objectsRespectGraphs() {
    return true;
  }

  /** Ignores {@code stop}, since the search has its own limits. */
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
