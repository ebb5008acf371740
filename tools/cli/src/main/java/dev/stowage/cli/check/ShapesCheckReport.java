package dev.stowage.cli.check;

import dev.stowage.cli.input.PlacedShapes;
import dev.stowage.cli.input.ShapesInput;
import dev.stowage.plan.Violation;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.LayoutChecker;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The checks of the layouts of a file.
 *
 * @param layouts the layouts and their violations
 * @param uncovered a shape that no layout contains; empty if each shape has a layout
 */
public record ShapesCheckReport(
    ShapesInput input, List<CheckedLayout> layouts, Optional<DimensionValues> uncovered) {

  /**
   * A checked layout.
   *
   * @param ranges the shapes of the layout
   * @param totalBytes the arena of its largest shape
   * @param lowerBoundBytes the load of its largest shape
   * @param arenaBytes the arena that all shapes must fit into, if there is a limit
   * @param violation the first violation; empty if the layout is certified for all shapes
   */
  public record CheckedLayout(
      DimensionRanges ranges,
      long totalBytes,
      long lowerBoundBytes,
      OptionalLong arenaBytes,
      Optional<Violation> violation) {}

  /** {@return true if each shape has a layout, and all layouts are certified} */
  public boolean isValid() {
    return uncovered.isEmpty() && layouts.stream().allMatch(layout -> layout.violation().isEmpty());
  }

  /**
   * {@return the checks of layouts}
   *
   * @param capacityBytes the bytes that each layout must fit into; if empty, the arenas of the file
   * @throws IllegalArgumentException if the alignment makes the arena too large
   */
  public static ShapesCheckReport of(
      PlacedShapes placed, long alignment, OptionalLong capacityBytes) {
    List<CheckedLayout> checked = new ArrayList<>();
    List<DimensionRanges> covered = new ArrayList<>();
    for (PlacedShapes.Placed layout : placed.layouts()) {
      SymbolicProblem problem = layout.layout().problem().withAlignment(alignment);
      ShapeLayout aligned = ShapeLayout.of(problem, layout.layout().offsets());
      OptionalLong arena = capacityBytes.isPresent() ? capacityBytes : layout.arenaBytes();
      Optional<Violation> violation =
          arena.isPresent()
              ? LayoutChecker.violation(aligned, arena.getAsLong())
              : LayoutChecker.violation(aligned);
      DimensionValues largest = problem.ranges().last();
      checked.add(
          new CheckedLayout(
              problem.ranges(),
              aligned.totalBytes(largest),
              LowerBounds.of(problem.at(largest)).offsetsBytes(),
              arena,
              violation));
      covered.add(problem.ranges());
    }
    return new ShapesCheckReport(
        placed.input(), checked, placed.input().problem().ranges().firstOutside(covered));
  }
}
