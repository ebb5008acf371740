package dev.stowage.core.trace;

/** What takes events, in the order in which they happened. */
@FunctionalInterface
public interface EventConsumer {

  /**
   * Takes an event: an allocation of an id that is not live, or a free of one that is.
   *
   * @param event the event
   */
  void accept(AllocationEvent event);
}
