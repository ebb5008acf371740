package dev.stowage.trace.pytorch;

import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a snapshot while its pickle is read. It replaces each entry, segment, block and
 * frame by a compact value when the pickle appends it to a list.
 */
final class SnapshotContents implements Pickle.ListItems {

  /*
   * One key identifies the kind of a dict: no other kind has it. Dicts of other kinds are not kept
   * in lists, since nothing reads them. A list becomes a history when it gets an entry. All its
   * other items become entries with a problem.
   */

  /** The largest number of fields of a dict that is looked at; dicts of PyTorch have about ten. */
  private static final int MAX_FIELDS = 256;

  private final StackReader stacks = new StackReader();
  private final EntryReader entries = new EntryReader(stacks);
  private final SegmentReader segments = new SegmentReader(stacks);

  @Override
  public void append(PickleList list, Object item) {
    if (item instanceof PickleDict dict) {
      appendDict(list, dict);
    } else if (list.reading() instanceof SnapshotEvents.Builder history) {
      history.addInvalid(EntryReader.NOT_AN_ENTRY);
    } else {
      list.add(item);
    }
  }

  private void appendDict(PickleList list, PickleDict dict) {
    Object frame = dict.reading();
    if (frame != null) {
      list.add(frame);
      return;
    }
    switch (kind(dict)) {
      case "action" -> entries.read(dict, history(list));
      case "blocks" -> append(list, segments.segment(dict));
      case "state" -> append(list, segments.block(dict));
      case "real_size" -> append(list, segments.request(dict));
      case "filename" -> append(list, stacks.frame(dict));
      default -> append(list, Pickle.None.NONE);
    }
  }

  /** {@return the key that identifies the kind of a dict; empty for other kinds} */
  private static String kind(PickleDict dict) {
    for (int i = 0; i < dict.count() && dict.count() <= MAX_FIELDS; i++) {
      if (dict.key(i) instanceof String key) {
        switch (key) {
          case "action", "blocks", "state", "real_size" -> {
            return key;
          }
          case "filename", "name" -> {
            return "filename";
          }
          default -> {
            // A field of several kinds, or of another version of PyTorch.
          }
        }
      }
    }
    return "";
  }

  /** {@return the history that a list is, or becomes} */
  private static SnapshotEvents.Builder history(PickleList list) {
    if (list.reading() instanceof SnapshotEvents.Builder history) {
      return history;
    }
    SnapshotEvents.Builder history = SnapshotEvents.builder();
    for (int i = 0; i < list.count(); i++) {
      history.addInvalid(EntryReader.NOT_AN_ENTRY);
    }
    list.setReading(history);
    return history;
  }

  /**
   * {@return the snapshot}
   *
   * @param source the name of the file in messages
   * @param root the value of the pickle
   * @throws MalformedFileException if it is not a snapshot, or a segment is invalid
   */
  MemorySnapshot snapshot(String source, Object root) throws MalformedFileException {
    if (!(root instanceof PickleDict dict
        && dict.get("device_traces") instanceof PickleList traces)) {
      throw new MalformedFileException(
          source, "has no list 'device_traces', expected a memory snapshot of PyTorch");
    }
    Map<Integer, List<SnapshotSegment>> segmentsByDevice = segments(source, dict.get("segments"));
    TreeSet<Integer> devices = new TreeSet<>(segmentsByDevice.keySet());
    List<SnapshotEvents> histories = new ArrayList<>();
    for (int i = 0; i < traces.count(); i++) {
      devices.add(i);
      histories.add(history(source, traces.get(i), i));
    }
    SnapshotEvents noEvents = SnapshotEvents.builder().build();
    SnapshotSettings settings = settings(dict.get("allocator_settings"));
    StackTable table = stacks.table();
    return new MemorySnapshot(
        devices.stream()
            .map(device ->
                new DeviceSnapshot(
                    device,
                    segmentsByDevice.getOrDefault(device, List.of()),
                    device < histories.size() ? histories.get(device) : noEvents,
                    table,
                    settings))
            .toList());
  }

  private static SnapshotEvents history(String source, Object value, int device)
      throws MalformedFileException {
    if (!(value instanceof PickleList list)) {
      throw new MalformedFileException(
          source, String.format(Locale.ROOT, "the history of device %d is not a list", device));
    }
    if (list.reading() instanceof SnapshotEvents known) {
      return known;
    }
    SnapshotEvents events = history(list).build();
    list.setReading(events);
    return events;
  }

  private static Map<Integer, List<SnapshotSegment>> segments(String source, @Nullable Object value)
      throws MalformedFileException {
    Map<Integer, List<SnapshotSegment>> byDevice = new HashMap<>();
    if (value == null) {
      return byDevice;
    }
    if (!(value instanceof PickleList list)) {
      throw new MalformedFileException(source, "'segments' is not a list");
    }
    for (int i = 0; i < list.count(); i++) {
      if (list.get(i) instanceof SegmentReader.Segment segment) {
        byDevice
            .computeIfAbsent(segment.device(), none -> new ArrayList<>())
            .add(segment.segment());
      } else {
        throw new MalformedFileException(
            source,
            "segment " + i,
            list.get(i) instanceof SegmentReader.Invalid invalid
                ? invalid.problem()
                : "is not a dict with 'blocks'");
      }
    }
    for (List<SnapshotSegment> ofDevice : byDevice.values()) {
      checkDisjoint(source, ofDevice);
    }
    return byDevice;
  }

  /** Checks that the segments of a device do not overlap, and that their sum is below 2^63. */
  private static void checkDisjoint(String source, List<SnapshotSegment> segments)
      throws MalformedFileException {
    segments.sort(Comparator.comparing(SnapshotSegment::address, Long::compareUnsigned));
    long sum = 0;
    for (int i = 0; i < segments.size(); i++) {
      long address = segments.get(i).address();
      long bytes = segments.get(i).bytes();
      sum += bytes;
      if (sum < 0) {
        throw new MalformedFileException(source, "the segments have more than 2^63 - 1 bytes");
      }
      boolean isLast = i == segments.size() - 1;
      long space = (isLast ? 0 : segments.get(i + 1).address()) - address;
      boolean fits = (isLast && address == 0) || Long.compareUnsigned(bytes, space) <= 0;
      if (!fits) {
        throw new MalformedFileException(
            source,
            String.format(
                Locale.ROOT,
                "the segment at address %s has %d bytes, expected at most %s up to the next one",
                Long.toUnsignedString(address),
                bytes,
                Long.toUnsignedString(space)));
      }
    }
  }

  private static SnapshotSettings settings(@Nullable Object value) {
    if (!(value instanceof PickleDict dict)) {
      return SnapshotSettings.none();
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    for (int i = 0; i < dict.count(); i++) {
      if (dict.key(i) instanceof String name) {
        switch (dict.value(i)) {
          case String text -> settings.put(name, text);
          case Long number -> settings.put(name, number);
          case Double number -> settings.put(name, number);
          case Boolean flag -> settings.put(name, flag);
          case PickleDict numbers -> settings.put(name, numbers(numbers));
          default -> settings.remove(name);
        }
      }
    }
    return SnapshotSettings.of(settings);
  }

  private static Map<String, Long> numbers(PickleDict dict) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    for (int i = 0; i < dict.count(); i++) {
      if (dict.key(i) instanceof String key && dict.value(i) instanceof Long number) {
        numbers.put(key, number);
      }
    }
    return numbers;
  }
}
