package dev.stowage.core.trace;

/** A consumer of events, in the order in which they happened. */
@FunctionalInterface
public interface EventConsumer {

  /**
   * Accepts an event: an allocation with an id that is not live, or a free of one that is.
   *
   * @param event the event
   */
  void accept(AllocationEvent event);
}
