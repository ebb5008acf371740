package dev.stowage.core.trace;

/** A consumer of events in the order of their occurrence. */
@FunctionalInterface
public interface EventConsumer {

  /**
   * Accepts an event: an allocation whose id is not live, or a free of a live one.
   *
   * @param event the event
   */
  void accept(AllocationEvent event);
}
