package dev.stowage.pages;

import dev.stowage.plan.explain.LoadProfile;

/** The load curve of a drawing; each column of pixels shows its largest load. */
final class LoadPath {

  private final LoadProfile load;
  private final PlotArea area;

  LoadPath(LoadProfile load, PlotArea area) {
    this.load = load;
    this.area = area;
  }

  /** {@return the commands of a path from the first task to the last one} */
  CharSequence path() {
    StringBuilder path = new StringBuilder();
    path.append('M').append(Svg.number(area.x(load.firstTask(0))));
    path.append(' ').append(Svg.number(area.frame().bottom()));
    int step = 0;
    while (step < load.stepCount()) {
      int next = endOfColumn(step);
      path.append('H').append(Svg.number(area.x(load.firstTask(step))));
      path.append('V').append(Svg.number(area.y(largest(step, next))));
      step = next;
    }
    double last = (double) load.bytes(load.stepCount() - 1);
    return path.append('V')
        .append(Svg.number(area.y(last)))
        .append('H')
        .append(Svg.number(area.frame().right()));
  }

  /** {@return the first step that starts at least half a pixel after this one} */
  private int endOfColumn(int step) {
    double end = area.x(load.firstTask(step)) + 0.5;
    int next = step + 1;
    while (next < load.stepCount() && area.x(load.firstTask(next)) < end) {
      next++;
    }
    return next;
  }

  private double largest(int from, int to) {
    long largest = 0;
    for (int i = from; i < to; i++) {
      largest = Math.max(largest, load.bytes(i));
    }
    return (double) largest;
  }
}
