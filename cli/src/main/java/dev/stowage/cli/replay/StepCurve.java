package dev.stowage.cli.replay;

import java.util.Arrays;

/**
 * A value over the events, as a sequence of steps. In a long history, a step is the largest value
 * in a group of events.
 */
public final class StepCurve {

  /*
   * Up to MAX_STEPS, the curve keeps all steps. Above, it merges events in groups of 2, then of 4, 8
   * and so on. A group keeps its largest value, from its first step, and its last value, from its last
   * step. So peaks and long steps are exact, and valleys within a group are lost. The groups grow until
   * a quarter of the space is free, so that adding takes amortized O(1).
   */

  static final int MAX_STEPS = 8192;

  private long[] events = new long[16];
  private long[] values = new long[16];
  private int count;
  private long groupEvents = 1;

  /** Adds a step from an event on, which is later than all events before. */
  void add(long event, long value) {
    if (count > 0 && values[count - 1] == value) {
      return;
    }
    if (count == events.length) {
      events = Arrays.copyOf(events, 2 * count);
      values = Arrays.copyOf(values, 2 * count);
    }
    events[count] = event;
    values[count] = value;
    count++;
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
      int first = next;
      long most = values[first];
      while (next < all && events[next] / groupEvents == events[first] / groupEvents) {
        most = Math.max(most, values[next]);
        next++;
      }
      long lastEvent = events[next - 1];
      long lastValue = values[next - 1];
      put(events[first], most);
      put(lastEvent, lastValue);
    }
  }

  private void put(long event, long value) {
    if (count == 0 || values[count - 1] != value) {
      events[count] = event;
      values[count] = value;
      count++;
    }
  }

  /** {@return the number of steps} */
  public int stepCount() {
    return count;
  }

  /**
   * {@return the first event of a step, which ends at the next step}
   *
   * @param step the index of the step
   */
  public long event(int step) {
    return events[step];
  }

  /**
   * {@return the value of a step}
   *
   * @param step the index of the step
   */
  public long value(int step) {
    return values[step];
  }

  /** {@return the largest value; 0 if there are no steps} */
  public long largest() {
    return Arrays.stream(values, 0, count).max().orElse(0);
  }

  /** {@return the number of events in a group; 1 if all steps are kept} */
  public long groupEvents() {
    return groupEvents;
  }
}
