package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.pytorch.DeviceSnapshot;
import dev.stowage.trace.pytorch.MemorySnapshot;
import dev.stowage.trace.pytorch.OlderBlock;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.pytorch.StackTable;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The history of one device in a memory snapshot of PyTorch, as events.
 *
 * <p>The {@linkplain SnapshotHistory#older() older blocks} are allocations at time 0, in front. The
 * entries {@code alloc}, {@code oom} and {@code free_completed} are events. An allocation at a live
 * address first frees the older one. The id of an allocation is its number in the {@link
 * SnapshotHistory}. Times count from the first event.
 */
public final class PytorchSnapshot {

  private final SnapshotHistory history;
  private final SnapshotEvents events;
  private final StackTable stacks;
  private final CheckedEvents consumer;
  private final long startMicros;

  private PytorchSnapshot(SnapshotHistory history, CheckedEvents consumer) {
    this.history = history;
    this.events = history.device().events();
    this.stacks = history.device().stacks();
    this.consumer = consumer;
    this.startMicros = startMicros(events);
  }

  /**
   * Passes the history of the chosen device to a consumer and {@return a summary}
   *
   * @param content the file
   * @param snapshot its snapshot
   * @param consumer the consumer
   * @throws MalformedFileException if the file has no such history, or an impossible event
   */
  public static TraceSummary pass(
      TraceContent content, MemorySnapshot snapshot, CheckedEvents consumer)
      throws MalformedFileException {
    String source = content.source();
    int deviceIndex = content.deviceIndex();
    DeviceSnapshot device =
        snapshot
            .device(deviceIndex)
            .orElseThrow(() -> noDevice(source, deviceIndex, snapshot.devices().size()));
    checkHistory(source, device, snapshot);
    SnapshotHistory history = SnapshotHistory.of(device);
    consumer.snapshot(history);
    new PytorchSnapshot(history, consumer).passAll();
    return consumer.summary(TraceSummary.PYTORCH, Optional.of(recording(history, snapshot)));
  }

  /** Rejects a device without a history if another one has a history. */
  private static void checkHistory(String source, DeviceSnapshot device, MemorySnapshot snapshot)
      throws MalformedFileException {
    for (DeviceSnapshot other : snapshot.devices()) {
      if (device.events().count() == 0 && other.events().count() > 0) {
        throw new MalformedFileException(
            source,
            String.format(
                Locale.ROOT,
                "has no history of device %d, expected --device %d, which has one with %,d entries",
                device.index(),
                other.index(),
                other.events().count()));
      }
    }
  }

  private static MalformedFileException noDevice(String source, int deviceIndex, int count) {
    return new MalformedFileException(source, TraceContent.missing("device", deviceIndex, count));
  }

  private static RecordedState recording(SnapshotHistory history, MemorySnapshot snapshot) {
    SortedMap<Integer, Integer> otherEvents = new TreeMap<>();
    for (DeviceSnapshot other : snapshot.devices()) {
      boolean isState = history.device().events().count() == 0 && !other.segments().isEmpty();
      if (other.index() != history.device().index() && (isState || other.events().count() > 0)) {
        otherEvents.put(other.index(), other.events().count());
      }
    }
    return new RecordedState(
        history.older().size(),
        history.olderBytes(),
        history.device().reservedBytes(),
        otherEvents);
  }

  private static long startMicros(SnapshotEvents events) {
    for (int i = 0; i < events.count(); i++) {
      if (isEvent(events.action(i))) {
        return events.micros(i);
      }
    }
    return 0;
  }

  private static boolean isEvent(SnapshotAction action) {
    return action == SnapshotAction.ALLOC
        || action == SnapshotAction.OOM
        || action == SnapshotAction.FREE_COMPLETED;
  }

  private void passAll() throws MalformedFileException {
    if (!events.unknownActions().isEmpty()) {
      consumer.note(
          "entries of these kinds are not known and have no effect: "
              + events.unknownActions().entrySet().stream()
                  .map(kind ->
                      String.format(
                          Locale.ROOT,
                          "%s (%,d)",
                          MalformedFileException.excerpt(kind.getKey()),
                          kind.getValue()))
                  .collect(Collectors.joining(", ")));
    }
    for (int i = 0; i < history.older().size(); i++) {
      OlderBlock block = history.older().get(i);
      allocate(i, block.requestedBytes(), block.stream(), 0, block.stack(), "older block " + i);
    }
    for (int i = 0; i < events.count(); i++) {
      switch (events.action(i)) {
        case ALLOC -> allocate(i);
        case FREE_COMPLETED -> free(i);
        case OOM -> fail(i);
        case OTHER -> refuse(i);
        default -> {
          // The other actions neither allocate nor free.
        }
      }
    }
  }

  private void allocate(int event) throws MalformedFileException {
    long time = events.micros(event) - startMicros;
    String place = place(event);
    int ended = history.ended(event);
    if (ended != SnapshotHistory.NONE) {
      free(ended, events.stream(event), time, place);
    }
    allocate(
        history.allocation(event),
        events.bytes(event),
        events.stream(event),
        time,
        events.stack(event),
        place);
  }

  private void fail(int event) throws MalformedFileException {
    consumer.pass(
        new AllocationEvent.Fail(
            request(
                history.allocation(event),
                events.bytes(event),
                events.stream(event),
                events.micros(event) - startMicros,
                events.stack(event))),
        place(event));
  }

  private void free(int event) throws MalformedFileException {
    int allocation = history.allocation(event);
    if (allocation == SnapshotHistory.NONE) {
      consumer.refuse(
          place(event),
          String.format(
              Locale.ROOT,
              "frees address %s, which was freed before",
              Long.toUnsignedString(events.address(event))));
      return;
    }
    free(allocation, events.stream(event), events.micros(event) - startMicros, place(event));
  }

  private void refuse(int event) throws MalformedFileException {
    Optional<String> problem = events.problem(event);
    if (problem.isPresent()) {
      consumer.refuse(place(event), problem.get());
    }
  }

  private void allocate(int allocation, long bytes, long stream, long time, int stack, String place)
      throws MalformedFileException {
    consumer.pass(request(allocation, bytes, stream, time, stack), place);
  }

  private AllocationEvent.Allocate request(
      int allocation, long bytes, long stream, long time, int stack) {
    return new AllocationEvent.Allocate(
        Integer.toString(allocation), bytes, stream, time, stacks.texts(stack));
  }

  private void free(int allocation, long stream, long time, String place)
      throws MalformedFileException {
    consumer.pass(new AllocationEvent.Free(Integer.toString(allocation), stream, time), place);
  }

  private static String place(int event) {
    return "entry " + event;
  }
}
