package dev.stowage.trace.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The difference between the memory of two traces, each at one moment.
 *
 * @param grouping the key of a group
 * @param eventA the number of an event of the first trace; its memory after this event is compared
 * @param eventB the number of the event of the second trace
 * @param groups the groups of both; the largest difference of bytes first
 */
public record TraceDiff(Grouping grouping, long eventA, long eventB, List<Group> groups) {

  /** Creates a difference. */
  public TraceDiff {
    groups = List.copyOf(groups);
  }

  /**
   * Allocations in use with the same key.
   *
   * @param key the key
   * @param bytesA their requested bytes in the first trace
   * @param bytesB their requested bytes in the second trace
   * @param blocksA their number in the first trace
   * @param blocksB their number in the second trace
   * @param frames the frames of a stack, the innermost first; empty for other keys
   */
  public record Group(
      String key, long bytesA, long bytesB, long blocksA, long blocksB, List<String> frames) {

    /** Creates a group. */
    public Group {
      frames = List.copyOf(frames);
    }

    /** {@return the bytes that the second trace has more; negative if it has fewer} */
    public long growthBytes() {
      return bytesB - bytesA;
    }
  }

  private static final Comparator<Group> LARGEST_FIRST =
      Comparator.comparingLong((Group group) -> Math.abs(group.growthBytes()))
          .thenComparingLong(Group::bytesB)
          .reversed()
          .thenComparing(Group::key);

  /**
   * {@return the difference}
   *
   * <p>Blocks that are older than a recording are grouped like the others if the snapshot has their
   * stacks, and otherwise form the group {@link Grouping#OLDER}.
   *
   * @param a the events of the first trace
   * @param eventA the number of the event after which its memory is compared
   * @param b the events of the second trace
   * @param eventB the number of the event after which its memory is compared
   * @param grouping the key of a group
   */
  public static TraceDiff of(
      TraceColumns a, long eventA, TraceColumns b, long eventB, Grouping grouping) {
    Map<String, HolderGroup> before = groups(a, eventA, grouping);
    Map<String, HolderGroup> after = groups(b, eventB, grouping);
    List<Group> groups = new ArrayList<>();
    before.forEach((key, group) -> groups.add(group(key, group, after.getOrDefault(key, NONE))));
    after.forEach((key, group) -> {
      if (!before.containsKey(key)) {
        groups.add(group(key, NONE, group));
      }
    });
    groups.sort(LARGEST_FIRST);
    return new TraceDiff(grouping, eventA, eventB, groups);
  }

  private static final HolderGroup NONE = new HolderGroup("", 0, 0, List.of());

  private static Group group(String key, HolderGroup a, HolderGroup b) {
    List<String> frames = a.frames().isEmpty() ? b.frames() : a.frames();
    return new Group(key, a.bytes(), b.bytes(), a.blocks(), b.blocks(), frames);
  }

  private static Map<String, HolderGroup> groups(
      TraceColumns columns, long event, Grouping grouping) {
    Map<String, HolderGroup> groups = new HashMap<>();
    Holders holders = Holders.of(columns, event, grouping);
    holders.groups().forEach(group -> groups.put(group.key(), group));
    // A tag or line of the trace with the same text joins this group.
    holders.older().ifPresent(group -> groups.merge(group.key(), group, HolderGroup::plus));
    return groups;
  }

  /** {@return the requested bytes in use in the first trace} */
  public long bytesA() {
    return groups.stream().mapToLong(Group::bytesA).sum();
  }

  /** {@return the requested bytes in use in the second trace} */
  public long bytesB() {
    return groups.stream().mapToLong(Group::bytesB).sum();
  }

  /** {@return the bytes that the second trace has more; negative if it has fewer} */
  public long growthBytes() {
    return bytesB() - bytesA();
  }
}
