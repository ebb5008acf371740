package dev.stowage.plan;

/**
 * A range of a record's bytes that is needed during a range of tasks.
 *
 * @param firstTask the first task
 * @param lastTask the last task, inclusive
 * @param startByte the first byte needed, counted from the record's offset
 * @param endByte the byte after the last one needed
 */
public record LiveRange(long firstTask, long lastTask, long startByte, long endByte) {

  /** {@return the number of bytes needed} */
  public long bytes() {
    return endByte - startByte;
  }
}
