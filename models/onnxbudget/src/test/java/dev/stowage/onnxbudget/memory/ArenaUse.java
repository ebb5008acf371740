package dev.stowage.onnxbudget.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * The memory of the allocator of a session at the highest point so far.
 *
 * @param maxInUseBytes the most bytes in use, with the rounding of the arena: {@code MaxInUse}
 * @param totalAllocatedBytes the bytes taken from the system: {@code TotalAllocated}
 */
record ArenaUse(long maxInUseBytes, long totalAllocatedBytes) {

  /** {@return the use of an arena that has served requests} */
  static ArenaUse of(EngineArena arena) {
    return new ArenaUse(arena.maxInUseBytes(), arena.totalAllocatedBytes());
  }

  /** {@return the use after the creation of a session and its first runs} */
  static ArenaUse after(List<Request> load, RunPrediction runs, int count, boolean hasArena) {
    List<Request> all = new ArrayList<>(load);
    for (int number = 1; number <= count; number++) {
      all.addAll(runs.requests(number));
    }
    if (!hasArena) {
      return withoutArena(all);
    }
    EngineArena arena = new EngineArena();
    arena.handle(all);
    return of(arena);
  }

  /** {@return the use after requests to the system, without an arena} */
  private static ArenaUse withoutArena(List<Request> requests) {
    long most = RunPrediction.peakBytes(requests);
    return new ArenaUse(most, most);
  }
}
