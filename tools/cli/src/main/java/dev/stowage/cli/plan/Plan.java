package dev.stowage.cli.plan;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.Violation;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.textures.TextureObjectsAssignment;
import java.util.Optional;
import java.util.OptionalDouble;

/** A plan of one strategy, or of the program that wrote the file, for one input. */
public sealed interface Plan {

  /** The name of the plan that XLA made, in a dump of its program. */
  String XLA = "XLA";

  /** {@return the strategy; empty for the plan of XLA} */
  Optional<MemoryStrategy> strategy();

  /** {@return the name of the strategy or of the program} */
  default String name() {
    return strategy().map(MemoryStrategy::name).orElse(XLA);
  }

  /** {@return the time of planning, in seconds, if Stowage made the plan} */
  OptionalDouble seconds();

  /** {@return the bytes of the arena or of all objects, or the texels of textures} */
  long size();

  /** {@return the result of the search that found the plan, if a search did} */
  default Optional<? extends SearchResult<?>> search() {
    return Optional.empty();
  }

  /** Offsets in one arena. */
  record Offsets(
      Optional<MemoryStrategy> strategy,
      OffsetsAssignment assignment,
      OptionalDouble seconds,
      Optional<SearchResult<OffsetsAssignment>> search)
      implements Plan {

    /** {@return offsets that XLA chose} */
    static Offsets ofXla(OffsetsAssignment assignment) {
      return new Offsets(Optional.empty(), assignment, OptionalDouble.empty(), Optional.empty());
    }

    @Override
    public long size() {
      return totalBytes();
    }

    /** {@return the bytes of the arena} */
    public long totalBytes() {
      return assignment.totalBytes();
    }
  }

  /** Shared objects. */
  record Objects(
      Optional<MemoryStrategy> strategy,
      ObjectsAssignment assignment,
      OptionalDouble seconds,
      Optional<SearchResult<ObjectsAssignment>> search)
      implements Plan {

    @Override
    public long size() {
      return totalBytes();
    }

    /** {@return the bytes of all objects} */
    public long totalBytes() {
      return assignment.totalBytes();
    }
  }

  /** Shared textures. */
  record Textures(
      Optional<MemoryStrategy> strategy,
      TextureObjectsAssignment assignment,
      OptionalDouble seconds)
      implements Plan {

    @Override
    public long size() {
      return assignment.totalTexels();
    }
  }

  /** Checks that a plan has no violation. */
  static void checkValid(MemoryStrategy strategy, Optional<Violation> violation) {
    if (violation.isPresent()) {
      throw new AssertionError(
          Text.of("the plan of %s is not valid: %s", strategy, violation.get()));
    }
  }
}
