package dev.stowage.onnxbudget.memory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The memory of the allocator of a session at the highest point so far.
 *
 * @param maxInUseBytes the most bytes in use, with the rounding of the arena: {@code MaxInUse}
 * @param totalAllocatedBytes the bytes taken from the system: {@code TotalAllocated}
 */
public record ArenaUse(long maxInUseBytes, long totalAllocatedBytes) {

  /** {@return the use of an arena that has served requests} */
  static ArenaUse of(EngineArena arena) {
    return new ArenaUse(arena.maxInUseBytes(), arena.totalAllocatedBytes());
  }

  /** {@return the use after requests to the system, without an arena} */
  static ArenaUse withoutArena(List<Request> requests) {
    Map<Integer, Long> live = new HashMap<>();
    long bytes = 0;
    long most = 0;
    for (Request request : requests) {
      switch (request) {
        case Request.Reserve(int id, long size) -> {
          live.put(id, size);
          bytes += size;
        }
        case Request.Allocate(int id, long size) -> {
          live.put(id, size);
          bytes += size;
        }
        case Request.Free(int id) -> bytes -= live.getOrDefault(id, 0L);
      }
      most = Math.max(most, bytes);
    }
    return new ArenaUse(most, most);
  }
}
