package dev.stowage.memory.tensor;

import dev.stowage.memory.pool.MemoryBlock;
import dev.stowage.memory.synced.SyncedMemory;
import java.lang.foreign.MemorySegment;

/** What a tensor's bytes are in. */
sealed interface TensorMemory {

  /** {@return all of it, to be read} */
  MemorySegment readable();

  /** {@return a part of it, to be read and written} */
  MemorySegment writable(long offset, long bytes);

  /** Gives it back to whom it is from. */
  void free();

  /** A pool's. */
  record Pooled(MemoryBlock block) implements TensorMemory {

    @Override
    public MemorySegment readable() {
      return block.segment().asReadOnly();
    }

    @Override
    public MemorySegment writable(long offset, long bytes) {
      return block.segment().asSlice(offset, bytes);
    }

    @Override
    public void free() {
      block.close();
    }
  }

  /** A buffer with copies on devices. */
  record Synced(SyncedMemory buffer) implements TensorMemory {

    @Override
    public MemorySegment readable() {
      return buffer.cpuData();
    }

    @Override
    public MemorySegment writable(long offset, long bytes) {
      return buffer.mutableCpuData(offset, bytes);
    }

    @Override
    public void free() {
      buffer.close();
    }
  }

  /** The caller's. */
  record Adopted(MemorySegment segment) implements TensorMemory {

    @Override
    public MemorySegment readable() {
      return segment.asReadOnly();
    }

    @Override
    public MemorySegment writable(long offset, long bytes) {
      return segment.asSlice(offset, bytes);
    }

    @Override
    public void free() {}
  }
}
