package dev.stowage.core.trace;

import dev.stowage.core.MalformedFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The events of a trace that names an allocation by a key and reuses the key, such as an address.
 * The id of an allocation is its number, from 0.
 *
 * @param <K> the type of the keys; {@code toString()} is the key in messages
 */
public final class KeyedEvents<K> {

  private final CheckedEvents events;

  /** The ids of live allocations. */
  private final Map<K, String> ids = new HashMap<>();

  private long allocationCount;

  /**
   * Creates a sequence without events.
   *
   * @param events the consumer of the events
   */
  public KeyedEvents(CheckedEvents events) {
    this.events = events;
  }

  /**
   * {@return true if an allocation with the key is live}
   *
   * @param key the key
   */
  public boolean isLive(K key) {
    return ids.containsKey(key);
  }

  /**
   * Passes an allocation on.
   *
   * @param key its key
   * @param bytes the requested bytes, not negative
   * @param stream the queue of the device
   * @param time the time of the event
   * @param frames the frames of the caller, the innermost first; empty if they are not known
   * @param place the place in the file
   * @throws MalformedFileException if the key is live and reading is not lenient
   */
  public void allocate(K key, long bytes, long stream, long time, List<String> frames, String place)
      throws MalformedFileException {
    if (ids.containsKey(key)) {
      events.refuse(
          place, String.format(Locale.ROOT, "allocates '%s', which is live", excerpt(key)));
      return;
    }
    ids.put(key, Long.toString(allocationCount));
    allocateUnnamed(bytes, stream, time, frames, place);
  }

  /**
   * Passes an allocation on that has no key and is never freed.
   *
   * @param bytes the requested bytes, not negative
   * @param stream the queue of the device
   * @param time the time of the event
   * @param frames the frames of the caller, the innermost first; empty if they are not known
   * @param place the place in the file
   * @throws MalformedFileException never, because its id is new
   */
  public void allocateUnnamed(long bytes, long stream, long time, List<String> frames, String place)
      throws MalformedFileException {
    String id = Long.toString(allocationCount++);
    events.pass(new AllocationEvent.Allocate(id, bytes, stream, time, frames), place);
  }

  /**
   * Passes a free on.
   *
   * @param key the key of the allocation
   * @param stream the queue of the device
   * @param time the time of the event
   * @param place the place in the file
   * @throws MalformedFileException if the key is not live and reading is not lenient
   */
  public void free(K key, long stream, long time, String place) throws MalformedFileException {
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
