package dev.stowage.pages.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * Values over the events. Each holds from its event until the next step. In a long history, a step
 * is a group of events and has the largest of their values.
 *
 * @param <T> the values
 */
public final class Steps<T> {

  /*
   * If there are too many steps, they are merged in groups of 2 events, then of 4, 8 and so on.
   * Adding a step therefore takes amortized O(1).
   */

  private final int mostSteps;
  private final BinaryOperator<T> larger;
  private List<Step<T>> steps = new ArrayList<>(2); // most regions have two steps
  private long groupEvents = 1;

  /** A value from an event on. */
  public record Step<T>(long event, T value) {}

  /**
   * Creates a history without steps.
   *
   * @param larger returns the larger one of two values, or the first one of equal values
   */
  Steps(int mostSteps, BinaryOperator<T> larger) {
    this.mostSteps = mostSteps;
    this.larger = larger;
  }

  /** Adds the value after an event, which is not earlier than the last one. */
  void add(long event, T value) {
    if (!steps.isEmpty() && steps.getLast().event == event) {
      steps.set(steps.size() - 1, new Step<>(event, value));
      return;
    }
    if (groupEvents == 1 && !steps.isEmpty() && steps.getLast().value.equals(value)) {
      return;
    }
    put(new Step<>(event, value), steps);
    while (steps.size() > mostSteps) {
      groupEvents *= 2;
      List<Step<T>> merged = new ArrayList<>();
      steps.forEach(step -> put(step, merged));
      steps = merged;
    }
  }

  private void put(Step<T> next, List<Step<T>> to) {
    if (!to.isEmpty() && to.getLast().event / groupEvents == next.event / groupEvents) {
      Step<T> last = to.getLast();
      to.set(to.size() - 1, new Step<>(last.event, larger.apply(last.value, next.value)));
    } else {
      to.add(next);
    }
  }

  /** {@return the steps by ascending event} */
  public List<Step<T>> steps() {
    return List.copyOf(steps);
  }

  /** {@return the number of events in a group; 1 if there is a step for each change} */
  public long groupEvents() {
    return groupEvents;
  }
}
