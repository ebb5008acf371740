package dev.stowage.core.trace;

import dev.stowage.core.MalformedFileException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The history of one device in a memory snapshot of PyTorch ({@code torch.cuda.memory._snapshot}).
 *
 * <p>The entries {@code alloc} and {@code free_completed} are events. A free of an address that the
 * recording does not allocate is that of an allocation before the recording. Such allocations are
 * added at the start of the history, at time 0, in the order of their frees. An allocation at a
 * live address first frees the older one. The id of an allocation is its number, from 0. Times
 * count from the first entry. Recorded allocations have the frames of {@link SnapshotFrames}.
 */
final class PytorchSnapshot {

  static final String FORMAT = "pytorch";

  /** An entry of the history. */
  private sealed interface Entry {}

  private record Event(
      boolean isAllocation, long address, long bytes, long stream, long micros, List<String> frames)
      implements Entry {}

  private record Wrong(String problem) implements Entry {}

  private record Ignored() implements Entry {}

  private final String source;
  private final int deviceIndex;
  private final CheckedEvents events;

  private final SnapshotFrames frames = new SnapshotFrames();
  private final Map<Long, String> liveIds = new HashMap<>();
  private long allocationCount;

  private PytorchSnapshot(String source, int deviceIndex, CheckedEvents events) {
    this.source = source;
    this.deviceIndex = deviceIndex;
    this.events = events;
  }

  static TraceSummary read(String source, InputStream in, int deviceIndex, CheckedEvents events)
      throws IOException {
    byte[] bytes;
    try {
      bytes = in.readAllBytes();
    } catch (OutOfMemoryError e) {
      throw new MalformedFileException(
          source, "is a snapshot that does not fit into memory: increase the heap with -Xmx");
    }
    Object root = Pickle.read(source, bytes);
    PytorchSnapshot snapshot = new PytorchSnapshot(source, deviceIndex, events);
    snapshot.passAll(snapshot.history(root));
    return events.summary(FORMAT);
  }

  private List<?> history(Object root) throws MalformedFileException {
    if (!(root instanceof Map<?, ?> map && map.get("device_traces") instanceof List<?> devices)) {
      throw new MalformedFileException(
          source, "has no list 'device_traces', expected a memory snapshot of PyTorch");
    }
    if (deviceIndex >= devices.size()) {
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT,
              "has histories of %d %s, expected one of device %d",
              devices.size(),
              devices.size() == 1 ? "device" : "devices",
              deviceIndex));
    }
    if (!(devices.get(deviceIndex) instanceof List<?> history)) {
      throw new MalformedFileException(
          source,
          String.format(Locale.ROOT, "the history of device %d is not a list", deviceIndex));
    }
    return history;
  }

  private void passAll(List<?> history) throws MalformedFileException {
    List<Entry> entries = new ArrayList<>();
    history.forEach(value -> entries.add(entry(value)));
    passOlder(entries);
    long startMicros = startMicros(entries);
    for (int i = 0; i < entries.size(); i++) {
      switch (entries.get(i)) {
        case Event event -> pass(event, startMicros, place(i));
        case Wrong wrong -> events.refuse(place(i), wrong.problem());
        case Ignored ignored -> {}
      }
    }
  }

  private static long startMicros(List<Entry> entries) {
    for (Entry entry : entries) {
      if (entry instanceof Event event) {
        return event.micros();
      }
    }
    return 0;
  }

  private static String place(int index) {
    return "entry " + index;
  }

  /** Allocates memory that the history frees but does not allocate. */
  private void passOlder(List<Entry> entries) throws MalformedFileException {
    Set<Long> known = new HashSet<>();
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof Event event
          && known.add(event.address())
          && !event.isAllocation()) {
        allocate(event, 0, place(i));
      }
    }
  }

  private void pass(Event entry, long startMicros, String place) throws MalformedFileException {
    long time = entry.micros() - startMicros;
    String live = liveIds.remove(entry.address());
    if (live != null) {
      events.pass(new AllocationEvent.Free(live, entry.stream(), time), place);
    }
    if (entry.isAllocation()) {
      allocate(entry, time, place);
    } else if (live == null) {
      events.refuse(
          place,
          String.format(
              Locale.ROOT,
              "frees address %s, which was freed before",
              Long.toUnsignedString(entry.address())));
    }
  }

  private void allocate(Event entry, long time, String place) throws MalformedFileException {
    String id = Long.toString(allocationCount++);
    liveIds.put(entry.address(), id);
    events.pass(
        new AllocationEvent.Allocate(id, entry.bytes(), entry.stream(), time, entry.frames()),
        place);
  }

  private Entry entry(Object value) {
    if (!(value instanceof Map<?, ?> map && map.get("action") instanceof String action)) {
      return new Wrong("is not a dict with an 'action'");
    }
    boolean isAllocation = action.equals("alloc");
    if (!isAllocation && !action.equals("free_completed")) {
      return new Ignored();
    }
    Optional<Long> address = number(map, "addr");
    Optional<Long> bytes = number(map, "size");
    if (address.isEmpty()) {
      return new Wrong("has no number 'addr'");
    }
    if (bytes.isEmpty() || bytes.get() < 0) {
      return new Wrong("has no number 'size' of bytes from 0 to 2^63 - 1");
    }
    long stream = number(map, "stream").orElse(0L);
    long micros = number(map, "time_us").orElse(0L);
    // The frames of a free belong to the caller of the free; they are not used.
    List<String> callers = isAllocation ? frames.of(map.get("frames")) : List.of();
    return new Event(isAllocation, address.get(), bytes.get(), stream, micros, callers);
  }

  /** {@return a number of 64 bits, of which an address may use all; empty if there is none} */
  private static Optional<Long> number(Map<?, ?> map, String key) {
    return switch (map.get(key)) {
      case Long number -> Optional.of(number);
      case BigInteger number when number.signum() > 0 && number.bitLength() <= Long.SIZE ->
          Optional.of(number.longValue());
      case null, default -> Optional.empty();
    };
  }
}
