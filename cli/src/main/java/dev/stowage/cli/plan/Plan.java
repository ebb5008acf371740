package dev.stowage.cli.plan;

import dev.stowage.core.plan.ObjectsAssignment;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.TextureObjectsAssignment;
import dev.stowage.core.plan.search.ObjectsSearchResult;
import dev.stowage.core.plan.search.OffsetsSearchResult;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.util.Optional;

/** What one strategy made of one input. */
public sealed interface Plan {

  /** {@return who made it} */
  MemoryStrategy strategy();

  /** {@return how long it took} */
  double seconds();

  /** {@return whether no plan of its kind can be smaller, as far as that is proved} */
  boolean optimal();

  /**
   * Offsets in one tensor arena.
   *
   * @param strategy who made it
   * @param assignment the offsets
   * @param optimal whether it is proved optimal
   * @param seconds how long it took
   * @param search what else the search tells that found it, if one did
   */
  record Offsets(
      MemoryStrategy strategy,
      OffsetsAssignment assignment,
      boolean optimal,
      double seconds,
      Optional<OffsetsSearchResult> search)
      implements Plan {

    /** {@return the bytes of the arena} */
    public long totalBytes() {
      return assignment.totalBytes();
    }

    /** {@return this plan, marked as optimal if nothing can be below its bytes} */
    Offsets heldAgainst(long lowerBoundBytes) {
      return new Offsets(strategy, assignment, totalBytes() == lowerBoundBytes, seconds, search);
    }
  }

  /**
   * Shared objects.
   *
   * @param strategy who made it
   * @param assignment the objects
   * @param optimal whether it is proved optimal
   * @param seconds how long it took
   * @param search what else the search tells that found it, if one did
   */
  record Objects(
      MemoryStrategy strategy,
      ObjectsAssignment assignment,
      boolean optimal,
      double seconds,
      Optional<ObjectsSearchResult> search)
      implements Plan {

    /** {@return the bytes of all objects} */
    public long totalBytes() {
      return assignment.totalBytes();
    }

    /** {@return this plan, marked as optimal if nothing can be below its bytes} */
    Objects heldAgainst(long lowerBoundBytes) {
      return new Objects(strategy, assignment, totalBytes() == lowerBoundBytes, seconds, search);
    }
  }

  /**
   * Shared textures.
   *
   * @param strategy who made it
   * @param assignment the textures
   * @param optimal whether it is proved optimal
   * @param seconds how long it took
   */
  record Textures(
      MemoryStrategy strategy, TextureObjectsAssignment assignment, boolean optimal, double seconds)
      implements Plan {}
}
