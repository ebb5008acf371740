package dev.stowage.plan.spi;

import dev.stowage.plan.TextureObjectsAssignment;
import dev.stowage.plan.TextureUsageRecord;
import java.util.List;

/** A planner that assigns shared textures. */
public non-sealed interface TexturePlanner extends Planner {

  /**
   * {@return a valid assignment}
   *
   * @param records textures, all of two or all of three dimensions
   */
  TextureObjectsAssignment planTextures(List<TextureUsageRecord> records);
}
