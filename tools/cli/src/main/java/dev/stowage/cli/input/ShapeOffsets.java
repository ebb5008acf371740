package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.LayoutOffset;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** The layouts in a file, each with its ranges and a formula for each record. */
final class ShapeOffsets {

  /**
   * A layout.
   *
   * @param ranges the ranges of the file; dimensions that the command line fixes are included
   * @param offsets a formula for each record
   * @param arenaBytes the arena, if the file has it
   */
  record Read(DimensionRanges ranges, List<LayoutOffset> offsets, OptionalLong arenaBytes) {}

  private final List<Read> layouts = new ArrayList<>();

  void add(DimensionRanges ranges, List<LayoutOffset> offsets, OptionalLong arenaBytes) {
    layouts.add(new Read(ranges, offsets, arenaBytes));
  }

  boolean isEmpty() {
    return layouts.isEmpty();
  }

  /**
   * {@return the layouts for the part of the shapes that the ranges of the problem contain}
   *
   * @throws MalformedFileException if a layout does not fit the problem
   */
  List<PlacedShapes.Placed> toLayouts(String source, SymbolicProblem problem)
      throws MalformedFileException {
    List<PlacedShapes.Placed> placed = new ArrayList<>();
    for (Read read : layouts) {
      checkDimensions(source, read.ranges(), problem.ranges());
      List<DimensionRange> common = new ArrayList<>();
      boolean isEmpty = false;
      for (DimensionRange range : problem.ranges().ranges()) {
        DimensionRange own = read.ranges().range(range.name()).orElse(range);
        long first = Math.max(range.first(), own.first());
        long last = Math.min(range.last(), own.last());
        isEmpty |= first > last;
        if (!isEmpty) {
          common.add(new DimensionRange(range.name(), first, last));
        }
      }
      if (!isEmpty) {
        try {
          placed.add(
              new PlacedShapes.Placed(
                  ShapeLayout.of(problem.withRanges(new DimensionRanges(common)), read.offsets()),
                  read.arenaBytes()));
        } catch (IllegalArgumentException e) {
          throw new MalformedFileException(source, String.valueOf(e.getMessage()));
        }
      }
    }
    return placed;
  }

  private static void checkDimensions(
      String source, DimensionRanges ofLayout, DimensionRanges ofProblem)
      throws MalformedFileException {
    for (DimensionRange range : ofLayout.ranges()) {
      if (ofProblem.range(range.name()).isEmpty()) {
        throw new MalformedFileException(
            source,
            String.format(
                Locale.ROOT,
                "a layout has the range %s, but the problem has no range of '%s' on which a size depends; expected ranges of %s",
                MalformedFileException.excerpt(range.toString()),
                MalformedFileException.excerpt(range.name()),
                MalformedFileException.excerpt(ofProblem.toString())));
      }
    }
  }
}
