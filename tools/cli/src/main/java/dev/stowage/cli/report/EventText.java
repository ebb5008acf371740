package dev.stowage.cli.report;

import dev.stowage.pages.text.Numbers;

/** The numbers of events in sentences. */
public final class EventText {

  private EventText() {}

  /** {@return an event, such as {@code event 1,042}; 0 is before the first one} */
  public static String text(long event) {
    return event == 0 ? "before the first event" : "event " + Numbers.grouped(event);
  }
}
