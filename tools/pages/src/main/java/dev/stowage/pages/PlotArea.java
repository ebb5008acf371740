package dev.stowage.pages;

/**
 * The area of a drawing with tasks from left to right and bytes from bottom to top.
 *
 * @param frame the place in the drawing
 * @param scale the tasks and the bytes
 */
record PlotArea(Frame frame, Scale scale) {

  /**
   * The place of an area.
   *
   * @param left the x coordinate of the first task
   * @param top the y coordinate of the bytes at the top
   * @param width the width of all tasks
   * @param height the height of all bytes
   */
  record Frame(double left, double top, double width, double height) {

    double right() {
      return left + width;
    }

    double bottom() {
      return top + height;
    }
  }

  /**
   * The tasks and the bytes of an area.
   *
   * @param taskCount the number of tasks, 1 or more; a double, because it can exceed a long
   * @param topBytes the bytes at the top, 1 or more
   */
  record Scale(long firstTask, double taskCount, double topBytes) {}

  /** {@return the x coordinate of the start of a task} */
  double x(long task) {
    return frame.left + ((double) task - scale.firstTask) / scale.taskCount * frame.width;
  }

  /** {@return the x coordinate of the end of a task} */
  double endX(long task) {
    return frame.left + ((double) task - scale.firstTask + 1) / scale.taskCount * frame.width;
  }

  double y(double bytes) {
    return frame.top + frame.height - bytes / scale.topBytes * frame.height;
  }
}
