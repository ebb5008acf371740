package dev.stowage.trace.pytorch;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The action of an entry in the history of a device. */
public enum SnapshotAction {
  /** The allocator answered a request. */
  ALLOC("alloc"),
  /** The program freed a block. Queued work may still use it. */
  FREE_REQUESTED("free_requested"),
  /** A block became free. */
  FREE_COMPLETED("free_completed"),
  /** The allocator obtained a segment from the device. */
  SEGMENT_ALLOC("segment_alloc"),
  /** The allocator returned a segment to the device. */
  SEGMENT_FREE("segment_free"),
  /** The allocator mapped memory into an expandable segment. */
  SEGMENT_MAP("segment_map"),
  /** The allocator unmapped memory of an expandable segment. */
  SEGMENT_UNMAP("segment_unmap"),
  /** The program took a snapshot. */
  SNAPSHOT("snapshot"),
  /** A request failed. */
  OOM("oom"),
  /** An action of another version of PyTorch, or an entry without a valid action. */
  OTHER("");

  private static final List<SnapshotAction> ALL = List.of(values());
  private static final Map<String, SnapshotAction> BY_KEY =
      ALL.stream().collect(Collectors.toUnmodifiableMap(SnapshotAction::key, action -> action));

  private final String key;

  SnapshotAction(String key) {
    this.key = key;
  }

  /** {@return the name in a snapshot; empty for {@link #OTHER}} */
  public String key() {
    return key;
  }

  /**
   * {@return the action with a name; {@link #OTHER} if there is none}
   *
   * @param key the name in a snapshot
   */
  public static SnapshotAction of(String key) {
    return BY_KEY.getOrDefault(key, OTHER);
  }

  /** {@return a small number for columns in memory} */
  @SuppressWarnings("EnumOrdinal") // The number does not outlive the process.
  byte code() {
    return (byte) ordinal();
  }

  /** {@return the action with a {@link #code()}} */
  static SnapshotAction at(int code) {
    return ALL.get(code);
  }
}
