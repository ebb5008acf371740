package dev.stowage.plan;

import dev.stowage.plan.text.Message;

/**
 * A range of tasks, within a record's lifetime, during which it needs only a window of its bytes.
 *
 * @param firstTask the first task of the range
 * @param lastTask the last task of the range, inclusive
 * @param windowStart the first byte needed, counted from the record's own offset
 * @param windowEnd the byte after the last one needed; equal to {@code windowStart} if the record
 *     needs none
 */
public record Gap(long firstTask, long lastTask, long windowStart, long windowEnd) {

  /**
   * Creates a gap with a window.
   *
   * @throws IllegalArgumentException if {@code firstTask > lastTask}, {@code windowStart < 0} or
   *     {@code windowStart > windowEnd}
   */
  public Gap {
    if (firstTask > lastTask) {
      throw Message.illegalArgument(
          "a gap ends before it starts: first task=%d, last task=%d", firstTask, lastTask);
    }
    if (windowStart < 0 || windowStart > windowEnd) {
      throw Message.illegalArgument(
          "the window of a gap must not start below 0 or after its end: start=%d, end=%d",
          windowStart, windowEnd);
    }
  }

  /**
   * {@return a gap during which no byte is needed}
   *
   * @param firstTask the first task of the gap
   * @param lastTask the last task of the gap, inclusive
   * @throws IllegalArgumentException if {@code firstTask > lastTask}
   */
  public static Gap of(long firstTask, long lastTask) {
    return new Gap(firstTask, lastTask, 0, 0);
  }

  /** {@return the number of bytes needed during the gap} */
  public long windowBytes() {
    return windowEnd - windowStart;
  }
}
