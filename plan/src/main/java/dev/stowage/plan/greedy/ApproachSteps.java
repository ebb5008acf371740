package dev.stowage.plan.greedy;

import java.util.Arrays;

/**
 * For a lifetime, the steps that brought objects near to it, and the steps that made them conflict.
 */
final class ApproachSteps {

  /** A step after all others. */
  static final int NEVER = Integer.MAX_VALUE;

  /** Three steps for each object: it was near, it was nearer, it conflicted. */
  private int[] steps = new int[48];

  private int[] objects = new int[16];
  private int count;

  void clear() {
    count = 0;
  }

  void add(int object, int near, int nearer, int conflict) {
    if (count == objects.length) {
      objects = Arrays.copyOf(objects, 2 * count);
      steps = Arrays.copyOf(steps, 6 * count);
    }
    objects[count] = object;
    steps[3 * count] = near;
    steps[3 * count + 1] = nearer;
    steps[3 * count + 2] = conflict;
    count++;
  }

  int count() {
    return count;
  }

  int object(int k) {
    return objects[k];
  }

  int near(int k) {
    return steps[3 * k];
  }

  int nearer(int k) {
    return steps[3 * k + 1];
  }

  int conflict(int k) {
    return steps[3 * k + 2];
  }
}
