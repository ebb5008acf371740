package dev.stowage.trace.explain;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The allocations in use after an event, in groups.
 *
 * @param bytes the requested bytes of all groups and of the older allocations
 * @param blocks the number of all these allocations
 * @param older the allocations from before the recording, if the trace does not have their
 *     property; empty if there are none
 * @param groups the other allocations, the largest group first
 */
public record Holders(
    long bytes, long blocks, Optional<HolderGroup> older, List<HolderGroup> groups) {

  /** Creates holders. */
  public Holders {
    groups = List.copyOf(groups);
  }

  /** The sums of a group. */
  private static final class Sum {

    final String key;
    final List<String> frames;
    long bytes;
    long blocks;

    Sum(String key, List<String> frames) {
      this.key = key;
      this.frames = frames;
    }

    void add(long added) {
      bytes += added;
      blocks++;
    }

    HolderGroup group() {
      return new HolderGroup(key, bytes, blocks, frames);
    }
  }

  /**
   * {@return the allocations in use after an event}
   *
   * @param columns the events
   * @param event the number of the event
   * @param grouping the key of a group
   */
  static Holders of(TraceColumns columns, long event, Grouping grouping) {
    Map<String, Sum> byKey = new HashMap<>();
    // A key is computed only once for each number.
    Map<Long, Sum> byNumber = new HashMap<>();
    Sum all = new Sum("", List.of());
    Sum older = new Sum(Grouping.OLDER, List.of());
    columns.forEachLive(
        event,
        allocation -> {
          long bytes = columns.bytes(allocation);
          all.add(bytes);
          if (columns.isOlder(allocation) && !grouping.hasKey(columns, allocation)) {
            older.add(bytes);
            return;
          }
          byNumber
              .computeIfAbsent(
                  grouping.number(columns, allocation),
                  number ->
                      byKey.computeIfAbsent(
                          grouping.key(columns, allocation),
                          key -> new Sum(key, grouping.frames(columns, allocation))))
              .add(bytes);
        });
    return new Holders(
        all.bytes,
        all.blocks,
        older.blocks == 0 ? Optional.empty() : Optional.of(older.group()),
        byKey.values().stream().map(Sum::group).sorted(HolderGroup.LARGEST_FIRST).toList());
  }
}
