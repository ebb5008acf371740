package dev.stowage.cli.input;

import dev.stowage.plan.shapes.ShapeLayout;
import java.util.List;
import java.util.OptionalLong;

/**
 * A problem for all shapes of ranges and its layouts from the same file.
 *
 * @param input the problem
 * @param layouts the layouts, each for the ranges of its own problem
 */
public record PlacedShapes(ShapesInput input, List<Placed> layouts) implements FilePlan {

  /**
   * A layout and its arena.
   *
   * @param arenaBytes the size of the arena, if the file has it
   */
  public record Placed(ShapeLayout layout, OptionalLong arenaBytes) {}
}
