package dev.stowage.memory.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The arenas of a pool that are open; not safe for use by many threads. */
final class OpenArenas {

  /*
   * Each arena knows its own place here, and the last one moves into a gap: a hash set would cost a
   * third of a short arena's life.
   */

  private final List<PoolArena> arenas = new ArrayList<>();

  void add(PoolArena arena) {
    arena.allocations().setPlace(arenas.size());
    arenas.add(arena);
  }

  void remove(PoolArena arena) {
    PoolArena last = arenas.removeLast();
    int place = arena.allocations().place();
    if (place < arenas.size()) {
      arenas.set(place, last);
      last.allocations().setPlace(place);
    }
  }

  boolean isEmpty() {
    return arenas.isEmpty();
  }

  /** {@return the arenas, in the order in which they were opened} */
  List<PoolArena> list() {
    return arenas.stream()
        .sorted(Comparator.comparingLong(arena -> arena.allocations().id()))
        .toList();
  }
}
