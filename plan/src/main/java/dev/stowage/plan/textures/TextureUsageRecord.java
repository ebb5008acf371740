package dev.stowage.plan.textures;

import dev.stowage.plan.text.Message;

/**
 * The texture that a tensor needs: its extent, its first task and its last task.
 *
 * @param extent the minimum extent of the texture
 * @param firstTask the task that produces the tensor
 * @param lastTask the last task that needs it, inclusive
 */
public record TextureUsageRecord(TextureExtent extent, long firstTask, long lastTask) {

  /**
   * Creates a record.
   *
   * @throws IllegalArgumentException if {@code firstTask < 0} or {@code firstTask > lastTask}
   */
  public TextureUsageRecord {
    if (firstTask < 0 || firstTask > lastTask) {
      throw Message.illegalArgument(
          "the lifetime of a texture must not start below 0 or after its end: first task=%d, last task=%d",
          firstTask, lastTask);
    }
  }
}
