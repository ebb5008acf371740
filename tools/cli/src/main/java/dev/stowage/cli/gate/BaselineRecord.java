package dev.stowage.cli.gate;

/**
 * A record of an input, such as a tensor.
 *
 * @param name the name; several records may have the same
 * @param size the size: bytes, or the texels of a texture
 * @param lastTask the last task, inclusive
 */
public record BaselineRecord(String name, long size, long firstTask, long lastTask) {

  /** {@return the number of tasks after the first one} */
  long furtherTasks() {
    return lastTask - firstTask;
  }
}
