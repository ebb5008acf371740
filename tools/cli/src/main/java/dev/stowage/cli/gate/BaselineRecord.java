package dev.stowage.cli.gate;

/**
 * A record of an input, such as a tensor.
 *
 * @param name the name; several records may have the same
 * @param size the size: bytes, or the texels of a texture
 * @param lastTask the last task, inclusive
 */
public record BaselineRecord(String name, long size, long firstTask, long lastTask) {

  /**
   * Creates a record.
   *
   * @throws IllegalArgumentException if the size is negative or the last task is before the first
   */
  public BaselineRecord {
    if (size < 0 || lastTask < firstTask) {
      throw new IllegalArgumentException(
          "a record has a negative number, expected 0 or more: '" + name + "'");
    }
  }

  /** {@return the number of tasks after the first one} */
  long furtherTasks() {
    return lastTask - firstTask;
  }
}
