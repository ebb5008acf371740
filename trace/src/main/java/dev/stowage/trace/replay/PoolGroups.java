package dev.stowage.trace.replay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Groups of extents that are in the same private pool. */
final class PoolGroups {

  /** Extents in the same pool. */
  private static final class Group {

    final List<Extent> members = new ArrayList<>();
    int lastCreatedAt = -1;
    int releasedAt = Integer.MAX_VALUE;
    OptionalLong pool = OptionalLong.empty();

    Group(Extent first) {
      members.add(first);
      lastCreatedAt = first.createdAt;
      releasedAt = first.releasedAt;
      if (first.isPrivateAtEnd()) {
        pool = OptionalLong.of(first.pool);
      }
    }

    /** Once the memory of a pool was released, no graph uses the pool any more. */
    boolean mayJoin(Group other) {
      return lastCreatedAt < other.releasedAt
          && other.lastCreatedAt < releasedAt
          && (pool.isEmpty() || other.pool.isEmpty() || pool.equals(other.pool))
          && members.stream()
              .noneMatch(member -> other.members.stream().anyMatch(member.others::contains));
    }

    void addAll(Group other) {
      members.addAll(other.members);
      lastCreatedAt = Math.max(lastCreatedAt, other.lastCreatedAt);
      releasedAt = Math.min(releasedAt, other.releasedAt);
      pool = pool.isPresent() ? pool : other.pool;
    }
  }

  private final Map<Extent, Group> groups = new HashMap<>();

  private Group of(Extent extent) {
    return groups.computeIfAbsent(extent, Group::new);
  }

  /** Joins the groups of two extents, unless something speaks against it. */
  void join(Extent first, Extent second) {
    Group group = of(first);
    Group other = of(second);
    if (group != other && group.mayJoin(other)) {
      group.addAll(other);
      other.members.forEach(member -> groups.put(member, group));
    }
  }

  /**
   * Sets the pools of all extents of the groups.
   *
   * @param firstDerived the first of the numbers for pools that the snapshot does not name
   */
  void setPools(long firstDerived, List<Extent> extents) {
    Map<Group, Long> derived = new HashMap<>();
    for (Extent extent : extents) {
      Group group = of(extent);
      extent.pool =
          group.pool.isPresent()
              ? group.pool.getAsLong()
              : derived.computeIfAbsent(group, none -> firstDerived + derived.size());
    }
  }
}
