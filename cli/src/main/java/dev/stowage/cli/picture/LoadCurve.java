package dev.stowage.cli.picture;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The sum of live bytes over the tasks, as a sequence of steps. */
final class LoadCurve {

  private final long[] tasks;
  private final long[] bytes;

  private LoadCurve(long[] tasks, long[] bytes) {
    this.tasks = tasks;
    this.bytes = bytes;
  }

  /** {@return the load of all parts, in O(n log n)} */
  static LoadCurve of(List<Part> parts) {
    TreeMap<Long, Long> changes = new TreeMap<>();
    for (Part part : parts) {
      changes.merge(part.firstTask(), part.bytes(), Long::sum);
      if (part.lastTask() < Long.MAX_VALUE) {
        changes.merge(part.lastTask() + 1, -part.bytes(), Long::sum);
      }
    }
    changes.values().removeIf(change -> change == 0);
    long[] tasks = new long[changes.size()];
    long[] bytes = new long[changes.size()];
    long live = 0;
    int step = 0;
    for (Map.Entry<Long, Long> change : changes.entrySet()) {
      live += change.getValue();
      tasks[step] = change.getKey();
      bytes[step] = live;
      step++;
    }
    return new LoadCurve(tasks, bytes);
  }

  int stepCount() {
    return tasks.length;
  }

  /** {@return the first task of a step, which ends at the next step} */
  long task(int step) {
    return tasks[step];
  }

  /** {@return the live bytes of a step} */
  long bytes(int step) {
    return bytes[step];
  }

  /** {@return the number of steps at which the most bytes are live} */
  long peakCount() {
    long most = Arrays.stream(bytes).max().orElse(0);
    return Arrays.stream(bytes).filter(live -> live == most).count();
  }

  /** {@return the first task at which the most bytes are live; 0 if none ever are} */
  long peakTask() {
    int peak = -1;
    for (int i = 0; i < bytes.length; i++) {
      if (peak < 0 || bytes[i] > bytes[peak]) {
        peak = i;
      }
    }
    return peak < 0 ? 0 : tasks[peak];
  }
}
