package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The events of a trace that names an allocation by a key and reuses the key, such as an address.
 * The id of an allocation is its number, from 0.
 *
 * @param <K> the type of the keys; {@code toString()} is the key in messages
 */
final class KeyedEvents<K> {

  private final CheckedEvents events;

  /** The ids of live allocations. */
  private final Map<K, String> ids = new HashMap<>();

  private long allocationCount;

  /**
   * Creates a sequence without events.
   *
   * @param events the consumer of the events
   */
  KeyedEvents(CheckedEvents events) {
    this.events = events;
  }

  /** {@return true if an allocation with the key is live} */
  boolean isLive(K key) {
    return ids.containsKey(key);
  }

  /**
   * Passes an allocation on.
   *
   * @param key its key
   * @param place the place in the file
   * @param newEvent creates the event with the given id
   * @throws MalformedFileException if the key is live
   */
  void allocate(K key, String place, Function<String, AllocationEvent.Allocate> newEvent)
      throws MalformedFileException {
    if (ids.containsKey(key)) {
      events.refuse(
          place, String.format(Locale.ROOT, "allocates '%s', which is live", excerpt(key)));
      return;
    }
    ids.put(key, Long.toString(allocationCount));
    allocateUnnamed(place, newEvent);
  }

  /**
   * Passes an allocation on that has no key and is never freed.
   *
   * @param place the place in the file
   * @param newEvent creates the event with the given id
   * @throws MalformedFileException never, because its id is new
   */
  void allocateUnnamed(String place, Function<String, AllocationEvent.Allocate> newEvent)
      throws MalformedFileException {
    events.pass(newEvent.apply(Long.toString(allocationCount++)), place);
  }

  /**
   * Passes a request on that failed in the recorded program.
   *
   * @param place the place in the file
   * @param newRequest creates the request with the given id
   * @throws MalformedFileException never, because its id is new
   */
  void fail(String place, Function<String, AllocationEvent.Allocate> newRequest)
      throws MalformedFileException {
    fail(place, false, newRequest);
  }

  /** Passes a request on that failed, whether or not the device refused a permitted region. */
  void fail(
      String place,
      boolean isRefusedByDevice,
      Function<String, AllocationEvent.Allocate> newRequest)
      throws MalformedFileException {
    String id = Long.toString(allocationCount++);
    events.pass(new AllocationEvent.Fail(newRequest.apply(id), isRefusedByDevice), place);
  }

  /**
   * Passes a free on.
   *
   * @param key the key of the allocation
   * @param stream the queue of the device
   * @param time the time of the event
   * @param place the place in the file
   * @throws MalformedFileException if the key is not live
   */
  void free(K key, long stream, long time, String place) throws MalformedFileException {
    String id = ids.remove(key);
    if (id == null) {
      events.refuse(
          place,
          String.format(
              Locale.ROOT,
              "frees '%s', which is not live: never allocated, or freed before",
              excerpt(key)));
    } else {
      events.pass(new AllocationEvent.Free(id, stream, time), place);
    }
  }

  private String excerpt(K key) {
    return MalformedFileException.excerpt(key.toString());
  }
}
