package dev.stowage.cli.replay;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.util.OptionalLong;

/** The number of an event on the command line. */
final class EventNumber {

  private EventNumber() {}

  /**
   * Checks that a trace has the event.
   *
   * @throws MalformedFileException if it does not
   */
  static void check(String input, OptionalLong event, long eventCount)
      throws MalformedFileException {
    if (event.orElse(0) > eventCount) {
      throw new MalformedFileException(
          input,
          Text.of(
              "has %d %s, expected a number of at most %d for --at: %d",
              eventCount, eventCount == 1 ? "event" : "events", eventCount, event.getAsLong()));
    }
  }
}
