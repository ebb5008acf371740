package dev.stowage.memory.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The open arenas of a pool; not safe for use by many threads. */
final class OpenArenas {

  /*
   * Each arena keeps its index in the list, and the last one moves into a gap. A hash set would take a
   * third of the time of a short arena.
   */

  private final List<PoolArena> arenas = new ArrayList<>();

  void add(PoolArena arena) {
    arena.allocations().setIndex(arenas.size());
    arenas.add(arena);
  }

  void remove(PoolArena arena) {
    PoolArena last = arenas.removeLast();
    int index = arena.allocations().index();
    if (index < arenas.size()) {
      arenas.set(index, last);
      last.allocations().setIndex(index);
    }
  }

  boolean isEmpty() {
    return arenas.isEmpty();
  }

  /** {@return the arenas in the order of their opening} */
  List<PoolArena> list() {
    return arenas.stream()
        .sorted(Comparator.comparingLong(arena -> arena.allocations().id()))
        .toList();
  }
}
