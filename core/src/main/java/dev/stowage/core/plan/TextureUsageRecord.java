package dev.stowage.core.plan;

import java.util.Locale;

/**
 * A tensor's need for a texture: how large, from which task to which.
 *
 * @param extent the least size of the texture
 * @param firstTask the task that produces the tensor
 * @param lastTask the last task that needs it, inclusive
 */
public record TextureUsageRecord(TextureExtent extent, long firstTask, long lastTask) {

  /**
   * A record of one texture.
   *
   * @throws IllegalArgumentException if {@code firstTask < 0} or {@code firstTask > lastTask}
   */
  public TextureUsageRecord {
    if (firstTask < 0 || firstTask > lastTask) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a texture's lifetime is no range of tasks: firstTask=%d, lastTask=%d",
              firstTask,
              lastTask));
    }
  }
}
