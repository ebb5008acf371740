package dev.stowage.core.plan.spi;

import dev.stowage.core.plan.TextureObjectsAssignment;
import dev.stowage.core.plan.TextureUsageRecord;
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
