package dev.stowage.cli.plan;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.Violation;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.textures.TextureObjectsAssignment;
import java.util.Locale;
import java.util.Optional;

/** A plan of one strategy for one input. */
public sealed interface Plan {

  /** {@return the strategy} */
  MemoryStrategy strategy();

  /** {@return the time of planning, in seconds} */
  double seconds();

  /** {@return true if it is proved that no plan of this kind is smaller} */
  boolean isOptimal();

  /**
   * Offsets in one tensor arena.
   *
   * @param strategy the strategy
   * @param assignment the offsets
   * @param isOptimal true if it is proved optimal
   * @param seconds the time of planning
   * @param search the result of the search that found the plan, if a search did
   */
  record Offsets(
      MemoryStrategy strategy,
      OffsetsAssignment assignment,
      boolean isOptimal,
      double seconds,
      Optional<SearchResult<OffsetsAssignment>> search)
      implements Plan {

    /** {@return the bytes of the arena} */
    public long totalBytes() {
      return assignment.totalBytes();
    }

    /** {@return this plan, marked as optimal if it has as many bytes as the lower bound} */
    Offsets comparedWith(long lowerBoundBytes) {
      return new Offsets(strategy, assignment, totalBytes() == lowerBoundBytes, seconds, search);
    }
  }

  /**
   * Shared objects.
   *
   * @param strategy the strategy
   * @param assignment the objects
   * @param isOptimal true if it is proved optimal
   * @param seconds the time of planning
   * @param search the result of the search that found the plan, if a search did
   */
  record Objects(
      MemoryStrategy strategy,
      ObjectsAssignment assignment,
      boolean isOptimal,
      double seconds,
      Optional<SearchResult<ObjectsAssignment>> search)
      implements Plan {

    /** {@return the bytes of all objects} */
    public long totalBytes() {
      return assignment.totalBytes();
    }

    /** {@return this plan, marked as optimal if it has as many bytes as the lower bound} */
    Objects comparedWith(long lowerBoundBytes) {
      return new Objects(strategy, assignment, totalBytes() == lowerBoundBytes, seconds, search);
    }
  }

  /**
   * Shared textures.
   *
   * @param strategy the strategy
   * @param assignment the textures
   * @param isOptimal true if it is proved optimal
   * @param seconds the time of planning
   */
  record Textures(
      MemoryStrategy strategy,
      TextureObjectsAssignment assignment,
      boolean isOptimal,
      double seconds)
      implements Plan {}

  /** Checks that a plan has no violation. */
  static void checkValid(MemoryStrategy strategy, Optional<Violation> violation) {
    if (violation.isPresent()) {
      throw new AssertionError(
          String.format(Locale.ROOT, "the plan of %s is not valid: %s", strategy, violation.get()));
    }
  }
}
