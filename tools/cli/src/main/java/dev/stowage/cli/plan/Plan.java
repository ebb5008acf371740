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

  /** {@return the name of the strategy or of the program} */
  String name();

  /** {@return the time of planning, in seconds, if Stowage made the plan} */
  OptionalDouble time();

  /** {@return true if it is proved that no plan of this kind is smaller} */
  boolean isOptimal();

  /** {@return the bytes of the arena or of all objects, or the texels of textures} */
  long size();

  /** {@return the result of the search that found the plan, if a search did} */
  Optional<? extends SearchResult<?>> search();

  /** A plan of offsets. */
  sealed interface InArena extends Plan {

    OffsetsAssignment assignment();

    @Override
    default long size() {
      return totalBytes();
    }

    /** {@return the bytes of the arena} */
    default long totalBytes() {
      return assignment().totalBytes();
    }
  }

  /** A plan of a strategy. */
  sealed interface OfStrategy extends Plan {

    MemoryStrategy strategy();

    /** {@return the time of planning, in seconds} */
    double seconds();

    @Override
    default String name() {
      return strategy().name();
    }

    @Override
    default OptionalDouble time() {
      return OptionalDouble.of(seconds());
    }
  }

  /** Offsets of a strategy. */
  record Offsets(
      MemoryStrategy strategy,
      OffsetsAssignment assignment,
      boolean isOptimal,
      double seconds,
      Optional<SearchResult<OffsetsAssignment>> search)
      implements InArena, OfStrategy {

    /** {@return this plan, marked as optimal if it has as many bytes as the lower bound} */
    Offsets comparedWith(long lowerBoundBytes) {
      return new Offsets(strategy, assignment, totalBytes() == lowerBoundBytes, seconds, search);
    }
  }

  /** Offsets that XLA chose, in a file that is a dump of its program. */
  record OfXla(OffsetsAssignment assignment, boolean isOptimal) implements InArena {

    public static final String NAME = "XLA";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public OptionalDouble time() {
      return OptionalDouble.empty();
    }

    @Override
    public Optional<SearchResult<OffsetsAssignment>> search() {
      return Optional.empty();
    }
  }

  /** Shared objects. */
  record Objects(
      MemoryStrategy strategy,
      ObjectsAssignment assignment,
      boolean isOptimal,
      double seconds,
      Optional<SearchResult<ObjectsAssignment>> search)
      implements OfStrategy {

    @Override
    public long size() {
      return totalBytes();
    }

    /** {@return the bytes of all objects} */
    public long totalBytes() {
      return assignment.totalBytes();
    }

    /** {@return this plan, marked as optimal if it has as many bytes as the lower bound} */
    Objects comparedWith(long lowerBoundBytes) {
      return new Objects(strategy, assignment, totalBytes() == lowerBoundBytes, seconds, search);
    }
  }

  /** Shared textures. */
  record Textures(
      MemoryStrategy strategy,
      TextureObjectsAssignment assignment,
      boolean isOptimal,
      double seconds)
      implements OfStrategy {

    @Override
    public long size() {
      return assignment.totalTexels();
    }

    @Override
    public Optional<SearchResult<TextureObjectsAssignment>> search() {
      return Optional.empty();
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
