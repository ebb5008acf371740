package dev.stowage.cli.picture;

/**
 * The area of a drawing with tasks from left to right and bytes from bottom to top.
 *
 * @param left the x coordinate of the first task
 * @param top the y coordinate of {@code topBytes}
 * @param width the width of all tasks
 * @param height the height of all bytes
 * @param firstTask the first task
 * @param taskCount the number of tasks, 1 or more; a double, because it can exceed a long
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

  /** {@return the x coordinate of the start of a task} */
  double x(long task) {
    return left + ((double) task - firstTask) / taskCount * width;
  }

  /** {@return the x coordinate of the end of a task} */
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
