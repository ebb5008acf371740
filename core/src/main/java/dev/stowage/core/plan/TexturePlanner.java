package dev.stowage.core.plan;

import java.util.List;

/** Assigns shared textures. */
interface TexturePlanner extends Planner {

  /** {@return a valid assignment; the records are all of two or all of three dimensions} */
  TextureObjectsAssignment planTextures(List<TextureUsageRecord> records);
}
