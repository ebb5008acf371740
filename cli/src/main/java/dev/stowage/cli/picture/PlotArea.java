package dev.stowage.cli.picture;

/**
 * The part of a drawing in which tasks run to the right and bytes upwards.
 *
 * @param left the x of the first task
 * @param top the y of {@code topBytes}
 * @param width of all tasks
 * @param height of all bytes
 * @param firstTask the first task
 * @param taskCount how many tasks there are, 1 or more; a double, as it can exceed a long
 * @param topBytes the bytes at the top, 1 or more
 */
record PlotArea(
    double left,
    double top,
    double width,
    double height,
    long firstTask,
    double taskCount,
    double topBytes) {

  /** {@return where a task begins} */
  double x(long task) {
    return left + ((double) task - firstTask) / taskCount * width;
  }

  /** {@return where a task ends} */
  double endX(long task) {
    return left + ((double) task - firstTask + 1) / taskCount * width;
  }

  double y(double bytes) {
    return top + height - bytes / topBytes * height;
  }

  double right() {
    return left + width;
  }

  double bottom() {
    return top + height;
  }
}
