package dev.stowage.bench;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.CountedBlock;
import dev.stowage.memory.pool.MemoryBlock;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.pool.PoolOptions;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.foreign.Arena;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** The ways to pass memory to another thread, which releases it. */
public enum PoolHandover {
  /** No memory, only the exchange of an object. */
  NOTHING("an object without memory"),
  /** A counted block of a pool. */
  COUNTED("`allocateCounted`"),
  /** A counted block of a pool without zeroing. */
  RAW_COUNTED("`allocateCounted`, not zeroed"),
  /** A checked block of a pool. */
  SHARED_BLOCK("`allocateShared`"),
  /** A shared arena of the JDK. */
  SHARED_ARENA("`Arena.ofShared`"),
  /** Netty's adaptive allocator. */
  NETTY_ADAPTIVE("Netty, adaptive"),
  /** Netty's pooled allocator. */
  NETTY_POOLED("Netty, pooled"),
  /** Arrow's root allocator over Unsafe. */
  ARROW("Arrow, Unsafe");

  private final String title;

  PoolHandover(String title) {
    this.title = title;
  }

  /** {@return the title in tables} */
  String title() {
    return title;
  }

  /** Allocates and releases memory. */
  interface Memory {

    /** {@return new memory} */
    Object allocate(long bytes);

    /** Releases memory, in any thread. */
    void release(Object memory);
  }

  /** {@return the memory, of a pool or an allocator of its own} */
  Memory open() {
    return switch (this) {
      case NOTHING -> new Nothing();
      case COUNTED -> new Counted(pool(PoolOptions.standard()));
      case RAW_COUNTED -> new Counted(pool(PoolOptions.standard().withoutZeroing()));
      case SHARED_BLOCK -> new Shared(pool(PoolOptions.standard()));
      case SHARED_ARENA -> new Arenas();
      case NETTY_ADAPTIVE -> new Netty(new AdaptiveByteBufAllocator(true));
      case NETTY_POOLED -> new Netty(PooledByteBufAllocator.DEFAULT);
      case ARROW -> new Arrow(new RootAllocator());
    };
  }

  private static MemoryPool pool(PoolOptions options) {
    return MemoryPool.open("bench", HostMemory.open(), BfcOptions.expandable(), options);
  }

  /** Objects. */
  private record Nothing() implements Memory {
    @Override
    public Object allocate(long bytes) {
      return new Object();
    }

    @Override
    public void release(Object memory) {}
  }

  /** Counted blocks. */
  private record Counted(MemoryPool pool) implements Memory {
    @Override
    public Object allocate(long bytes) {
      return pool.allocateCounted(bytes);
    }

    @Override
    public void release(Object memory) {
      ((CountedBlock) memory).release();
    }
  }

  /** Checked blocks. */
  private record Shared(MemoryPool pool) implements Memory {
    @Override
    public Object allocate(long bytes) {
      return pool.allocateShared(bytes);
    }

    @Override
    public void release(Object memory) {
      ((MemoryBlock) memory).close();
    }
  }

  /** Shared arenas of the JDK. */
  private record Arenas() implements Memory {
    @Override
    public Object allocate(long bytes) {
      Arena arena = Arena.ofShared();
      arena.allocate(bytes, 1);
      return arena;
    }

    @Override
    public void release(Object memory) {
      ((Arena) memory).close();
    }
  }

  /** Buffers of Netty. */
  private record Netty(ByteBufAllocator allocator) implements Memory {
    @Override
    public Object allocate(long bytes) {
      return allocator.directBuffer((int) bytes, (int) bytes);
    }

    @Override
    public void release(Object memory) {
      ((ByteBuf) memory).release();
    }
  }

  /** Buffers of Arrow. */
  private record Arrow(BufferAllocator allocator) implements Memory {
    @Override
    public Object allocate(long bytes) {
      return allocator.buffer(bytes);
    }

    @Override
    public void release(Object memory) {
      ((ArrowBuf) memory).close();
    }
  }
}
