package dev.stowage.cli.replay;

import java.util.Arrays;

/**
 * A value over the events, as the events from which on it is another one. Of a long history it has
 * fewer steps than there were, and is the largest value of each few events.
 */
public final class StepCurve {

  /*
   * Up to MOST_STEPS all are kept. Above, events are taken in groups of 2, then of 4, 8 and so on.
   * What remains of a group is its largest value, from its first step on, and its last value, from
   * its last step on: peaks stay, and what holds for long is right; valleys within a group are lost.
   * Groups grow only where a quarter of the room is not won without: so adding costs O(1), amortized.
   */

  static final int MOST_STEPS = 8192;

  private long[] events = new long[16];
  private long[] values = new long[16];
  private int count;
  private long groupEvents = 1;

  /** Lets the value be another one from an event on, which is later than all before. */
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
    if (count > MOST_STEPS) {
      thinOut();
      while (count > MOST_STEPS / 4 * 3) {
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

  /** {@return how many steps there are} */
  public int stepCount() {
    return count;
  }

  /**
   * {@return the first event of a step, which reaches to the next one}
   *
   * @param step which step
   */
  public long event(int step) {
    return events[step];
  }

  /**
   * {@return the value throughout a step}
   *
   * @param step which step
   */
  public long value(int step) {
    return values[step];
  }

  /** {@return the largest value; 0 where there is none} */
  public long largest() {
    return Arrays.stream(values, 0, count).max().orElse(0);
  }

  /** {@return of how many events each value is the largest; 1 where all are there} */
  public long groupEvents() {
    return groupEvents;
  }
}
