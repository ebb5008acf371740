package dev.stowage.memory.tensor;

import dev.stowage.memory.pool.MemoryBlock;
import dev.stowage.memory.synced.SyncedMemory;
import java.lang.foreign.MemorySegment;

/** The memory of a tensor. */
sealed interface TensorMemory {

  /** {@return all bytes, for reading} */
  MemorySegment readable();

  /** {@return a range, for reading and writing} */
  MemorySegment writable(long offset, long bytes);

  /** Frees the memory, unless the caller owns it. */
  void free();

  /** Memory of a pool. */
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

  /** The caller's memory. */
  record Wrapped(MemorySegment segment) implements TensorMemory {

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
