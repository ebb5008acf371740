package dev.stowage.trace.pytorch;

import java.util.Comparator;
import java.util.List;

/** The part of a snapshot that concerns one device. */
public final class DeviceSnapshot {

  private final int index;
  private final List<SnapshotSegment> segments;
  private final SnapshotEvents events;
  private final StackTable stacks;
  private final SnapshotSettings settings;

  /**
   * Creates the snapshot of a device.
   *
   * @param index the index of the device
   * @param segments the segments at the end of the recording, in any order
   * @param events the recorded events
   * @param stacks the stacks of the segments, their blocks and the events
   * @param settings the settings of the allocator
   */
  public DeviceSnapshot(
      int index,
      List<SnapshotSegment> segments,
      SnapshotEvents events,
      StackTable stacks,
      SnapshotSettings settings) {
    this.index = index;
    this.segments =
        segments.stream()
            .sorted(Comparator.comparing(SnapshotSegment::address, Long::compareUnsigned))
            .toList();
    this.events = events;
    this.stacks = stacks;
    this.settings = settings;
  }

  /** {@return the index of the device} */
  public int index() {
    return index;
  }

  /** {@return the segments at the end of the recording, by ascending address} */
  public List<SnapshotSegment> segments() {
    return segments;
  }

  /** {@return the bytes of all segments at the end of the recording} */
  public long reservedBytes() {
    return segments.stream().mapToLong(SnapshotSegment::bytes).sum();
  }

  /** {@return the recorded events} */
  public SnapshotEvents events() {
    return events;
  }

  /** {@return the stacks of the segments, their blocks and the events} */
  public StackTable stacks() {
    return stacks;
  }

  /** {@return the settings of the allocator} */
  public SnapshotSettings settings() {
    return settings;
  }
}
