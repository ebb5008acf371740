package dev.stowage.allocator.slab;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A list of groups that costs short-lived ones little; not safe for use by many threads. */
final class GroupList {

  /*
   * G1 needs a fence of 10 ns for each reference from an old object to a young one. Most groups are
   * young when they are removed. Two young anchors therefore enclose the latest groups, so that
   * adding and removing them writes only to young objects:
   *
   *   list (old) -> first anchor <-> latest groups <-> second anchor <-> groups from before, perhaps old
   *
   * After some groups, new anchors take the place of the old ones, which the collector has aged.
   */

  private static final int GROUPS_PER_ANCHOR = 1024;

  /** An end of the latest groups. */
  private static final class Anchor extends AllocationGroup {

    /**
     * The number of groups added after this anchor. As a field of the list, it could share a cache
     * line with the lists of other threads.
     */
    int added;
  }

  private Anchor first = new Anchor();
  private Anchor second = new Anchor();

  GroupList() {
    link(first, second);
  }

  private static void link(AllocationGroup before, @Nullable AllocationGroup after) {
    before.next = after;
    if (after != null) {
      after.previous = before;
    }
  }

  void add(AllocationGroup group) {
    if (++first.added == GROUPS_PER_ANCHOR) {
      renewAnchors();
    }
    AllocationGroup after = first.next;
    link(first, group);
    link(group, after);
  }

  private void renewAnchors() {
    remove(second);
    AllocationGroup groups = first.next;
    first = new Anchor();
    second = new Anchor();
    link(first, second);
    link(second, groups);
  }

  void remove(AllocationGroup group) {
    AllocationGroup before = group.previous;
    if (before == null) {
      throw new AssertionError("S3 a group is not in the list of its stripe: group=" + group.id());
    }
    link(before, group.next);
    group.previous = null;
    group.next = null;
  }

  /** Calls an action with each group, the latest first. */
  void forEach(Consumer<AllocationGroup> action) {
    for (AllocationGroup group = first.next; group != null; group = group.next) {
      if (!(group instanceof Anchor)) {
        action.accept(group);
      }
    }
  }
}
