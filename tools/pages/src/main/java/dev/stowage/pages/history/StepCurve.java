package dev.stowage.pages.history;

import java.util.Arrays;

/**
 * A value over the events, as a sequence of steps. In a long history, a step is a group of events
 * with the range of their values.
 */
public final class StepCurve {

  /*
   * A step has the smallest and the largest value from its event until the next step. Up to MAX_STEPS, the
   * curve keeps all steps, whose ranges are single values. Above, it merges the steps in groups of 2 events, then
   * of 4, 8 and so on. The groups grow until a quarter of the space is free, so that adding takes amortized O(1).
   */

  static final int MAX_STEPS = 1 << 18;

  private long[] events = new long[4]; // most regions have two steps
  private long[] least = new long[4];
  private long[] most = new long[4];
  private long last;
  private int count;
  private long groupEvents = 1;

  /** Adds a step from an event on, which is not earlier than that of the last step. */
  void add(long event, long value) {
    if (count > 0 && last == value) {
      return;
    }
    last = value;
    if (count > 0 && events[count - 1] == event) {
      least[count - 1] = value;
      most[count - 1] = value;
      return;
    }
    if (count == events.length) {
      events = Arrays.copyOf(events, 2 * count);
      least = Arrays.copyOf(least, 2 * count);
      most = Arrays.copyOf(most, 2 * count);
    }
    put(event, value, value);
    if (count > MAX_STEPS) {
      thinOut();
      while (count > MAX_STEPS / 4 * 3) {
        groupEvents *= 2;
        thinOut();
      }
    }
  }

  private void thinOut() {
    int all = count;
    count = 0;
    int next = 0;
    while (next < all) {
      long first = events[next];
      long lowest = least[next];
      long highest = most[next];
      next++;
      while (next < all && events[next] / groupEvents == first / groupEvents) {
        lowest = Math.min(lowest, least[next]);
        highest = Math.max(highest, most[next]);
        next++;
      }
      put(first, lowest, highest);
    }
  }

  private void put(long event, long lowest, long highest) {
    events[count] = event;
    least[count] = lowest;
    most[count] = highest;
    count++;
  }

  /** {@return the number of steps} */
  public int stepCount() {
    return count;
  }

  /** {@return the first event of a step, which ends at the next step} */
  public long event(int step) {
    return events[step];
  }

  /** {@return the smallest value of a step} */
  public long least(int step) {
    return least[step];
  }

  /** {@return the largest value of a step} */
  public long most(int step) {
    return most[step];
  }

  /** {@return the largest value; 0 if there are no steps} */
  public long largest() {
    return Arrays.stream(most, 0, count).max().orElse(0);
  }

  /** {@return the number of events in a group; 1 if all steps are kept} */
  public long groupEvents() {
    return groupEvents;
  }
}
