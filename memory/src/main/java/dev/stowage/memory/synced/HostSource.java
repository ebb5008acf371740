package dev.stowage.memory.synced;

import dev.stowage.memory.device.Device;
import dev.stowage.memory.lifetime.UnclosedReport;
import dev.stowage.memory.pool.MemoryPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A source of host memory. */
sealed interface HostSource {

  /** {@return a shared arena, for memory or for segments of it} */
  Arena openArena();

  /** {@return memory that lives as long as a result of {@link #openArena()}} */
  MemorySegment allocate(long bytes, Arena arena);

  /** {@return true if the source keeps the stacks of allocations} */
  boolean keepsStacks();

  /** Staging memory of a device. */
  record Staging(Device device) implements HostSource {

    @Override
    public boolean keepsStacks() {
      return false;
    }

    @Override
    public Arena openArena() {
      return Arena.ofShared();
    }

    @Override
    public MemorySegment allocate(long bytes, Arena arena) {
      // Drivers reject 0 bytes of pinned memory.
      return device.allocateStaging(Math.max(1, bytes), arena).asSlice(0, bytes);
    }
  }

  /** Memory of a pool. */
  record Pool(MemoryPool pool) implements HostSource {

    private static final long CACHE_LINE_BYTES = 64;

    @Override
    public boolean keepsStacks() {
      return pool.options().hasStacks();
    }

    @Override
    public Arena openArena() {
      return UnclosedReport.suppressedFor(pool::openSharedArena);
    }

    @Override
    public MemorySegment allocate(long bytes, Arena arena) {
      return arena.allocate(bytes, CACHE_LINE_BYTES);
    }
  }
}
