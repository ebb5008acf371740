package dev.stowage.trace.pytorch;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** A reader of the entries of histories into events. */
final class EntryReader {

  static final String NOT_AN_ENTRY = "is not a dict with an 'action'";

  private final StackReader stacks;

  private @Nullable Object action;
  private @Nullable Object address;
  private @Nullable Object freeBytes;
  private @Nullable Object bytes;
  private @Nullable Object stream;
  private @Nullable Object micros;
  private @Nullable Object pool;
  private @Nullable Object frames;

  EntryReader(StackReader stacks) {
    this.stacks = stacks;
  }

  /** Adds the event of an entry, or the problem of the entry. */
  void read(PickleDict entry, SnapshotEvents.Builder events) {
    clear();
    for (int i = 0; i < entry.count(); i++) {
      if (entry.key(i) instanceof String key) {
        take(key, entry.value(i));
      }
    }
    if (action instanceof String name) {
      if (SnapshotAction.of(name) == SnapshotAction.OTHER) {
        events.noteUnknown(name);
      }
      add(SnapshotAction.of(name), events);
    } else {
      events.addInvalid(NOT_AN_ENTRY);
    }
  }

  private void clear() {
    action = null;
    address = null;
    freeBytes = null;
    bytes = null;
    stream = null;
    micros = null;
    pool = null;
    frames = null;
  }

  private void take(String key, Object value) {
    switch (key) {
      case "action" -> action = value;
      case "addr" -> address = value;
      case "device_free" -> freeBytes = value;
      case "size" -> bytes = value;
      case "stream" -> stream = value;
      case "time_us" -> micros = value;
      case "pool_id", "segment_pool_id" -> pool = value;
      case "frames" -> frames = value;
      default -> {
        // A field of another version of PyTorch.
      }
    }
  }

  private void add(SnapshotAction named, SnapshotEvents.Builder events) {
    boolean isOfBlock = named == SnapshotAction.ALLOC || named == SnapshotAction.FREE_COMPLETED;
    Object place = named == SnapshotAction.OOM && address == null ? freeBytes : address;
    boolean hasBytes = isNumber(bytes) && number(bytes) >= 0;
    if (isOfBlock && !isNumber(place)) {
      events.addInvalid("has no number 'addr'");
    } else if (isOfBlock && !hasBytes) {
      events.addInvalid("has no number 'size' of bytes from 0 to 2^63 - 1");
    } else {
      boolean isComplete = hasBytes && (isNumber(place) || named == SnapshotAction.OOM);
      events.add(
          isComplete ? named : SnapshotAction.OTHER,
          named == SnapshotAction.OOM && !isNumber(place) ? SnapshotEvents.UNKNOWN : number(place),
          hasBytes ? number(bytes) : 0,
          number(stream),
          pool(pool),
          number(micros),
          stacks.stack(frames));
    }
  }

  /** {@return true if a value is a number of 64 bits; an address may use all of them} */
  static boolean isNumber(@Nullable Object value) {
    return value instanceof Long
        || (value instanceof BigInteger number
            && number.signum() > 0
            && number.bitLength() <= Long.SIZE);
  }

  /** {@return a number of 64 bits, 0 if the value is not a number} */
  static long number(@Nullable Object value) {
    return isNumber(value) && value instanceof Number number ? number.longValue() : 0;
  }

  /** {@return the id of a pool; the shared one if the value is not an id} */
  static PoolId pool(@Nullable Object value) {
    return switch (value) {
      case Pickle.Tuple tuple when tuple.values().size() == 2 ->
          pool(tuple.values().getFirst(), tuple.values().getLast());
      case PickleList list when list.count() == 2 -> pool(list.get(0), list.get(1)); // JSON
      case null, default -> PoolId.SHARED;
    };
  }

  private static PoolId pool(Object first, Object second) {
    return first instanceof Long graph && second instanceof Long user && (graph != 0 || user != 0)
        ? new PoolId(graph, user)
        : PoolId.SHARED;
  }
}
