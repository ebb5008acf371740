package dev.stowage.bench;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryBlock;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.pool.PoolOptions;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.openjdk.jmh.infra.Blackhole;

/** The ways to use short-lived memory: an allocation, or some, and their end in the same thread. */
public enum PoolUse {
  /** A confined arena of the JDK with one allocation. */
  CONFINED("`Arena.ofConfined`"),
  /** An arena of a pool with one allocation. */
  OPEN_ARENA("`openArena`"),
  /** A block of a pool. */
  ALLOCATE("`allocate`"),
  /** A block of a pool, if there is room. */
  TRY_ALLOCATE("`tryAllocate`"),
  /** A block of a pool, under a tag. */
  TAGGED("`allocate`, with a tag"),
  /** A confined arena of the JDK with ten allocations. */
  CONFINED_10("`Arena.ofConfined`, 10"),
  /** An arena of a pool with ten allocations. */
  OPEN_ARENA_10("`openArena`, 10"),
  /** A shared arena of the JDK. */
  SHARED("`Arena.ofShared`"),
  /** A block for all threads. */
  ALLOCATE_SHARED("`allocateShared`"),
  /** A block of a pool without zeroing. */
  RAW("`allocate`, not zeroed"),
  /** A block of a pool with a front cache, without zeroing. */
  CACHED("`allocate`, not zeroed, with a front cache"),
  /** An arena of a pool without zeroing. */
  RAW_ARENA("`openArena`, not zeroed"),
  /** Netty's adaptive allocator. */
  NETTY_ADAPTIVE("Netty, adaptive"),
  /** Netty's adaptive allocator, which watches one of 128 buffers, as a pool does. */
  NETTY_ADAPTIVE_WATCHED("Netty, adaptive, with its default leak detection"),
  /** Netty's pooled allocator. */
  NETTY_POOLED("Netty, pooled"),
  /** Arrow's root allocator over Unsafe. */
  ARROW("Arrow, Unsafe");

  private static final int TEN = 10;
  private static final long CACHE_BYTES = 64L << 20;

  private final String title;

  PoolUse(String title) {
    this.title = title;
  }

  /** {@return the title in tables} */
  String title() {
    return title;
  }

  /** One use of memory. */
  interface Use {
    void run(long bytes, Blackhole blackhole);
  }

  /** {@return the use, with a pool or an allocator of its own} */
  Use open() {
    MemoryPool zeroed = pool(BfcOptions.expandable(), PoolOptions.standard());
    MemoryPool raw = pool(BfcOptions.expandable(), PoolOptions.standard().withoutZeroing());
    return switch (this) {
      case CONFINED -> (bytes, blackhole) -> allocate(Arena.ofConfined(), bytes, blackhole);
      case OPEN_ARENA -> (bytes, blackhole) -> allocate(zeroed.openArena(), bytes, blackhole);
      case RAW_ARENA -> (bytes, blackhole) -> allocate(raw.openArena(), bytes, blackhole);
      case SHARED -> (bytes, blackhole) -> allocate(Arena.ofShared(), bytes, blackhole);
      case CONFINED_10 -> (bytes, blackhole) -> allocateTen(Arena.ofConfined(), bytes, blackhole);
      case OPEN_ARENA_10 -> (bytes, blackhole) -> allocateTen(zeroed.openArena(), bytes, blackhole);
      case ALLOCATE -> (bytes, blackhole) -> allocate(zeroed, bytes, blackhole);
      case TRY_ALLOCATE -> (bytes, blackhole) -> tryAllocate(zeroed, bytes, blackhole);
      case RAW -> (bytes, blackhole) -> allocate(raw, bytes, blackhole);
      case CACHED -> {
        MemoryPool cached =
            pool(
                BfcOptions.expandable().withFrontCache(CACHE_BYTES),
                PoolOptions.standard().withoutZeroing());
        yield (bytes, blackhole) -> allocate(cached, bytes, blackhole);
      }
      case TAGGED -> tagged(zeroed);
      case ALLOCATE_SHARED ->
          (bytes, blackhole) -> {
            try (MemoryBlock block = zeroed.allocateShared(bytes)) {
              blackhole.consume(block.segment());
            }
          };
      case NETTY_ADAPTIVE -> netty(new AdaptiveByteBufAllocator(true));
      case NETTY_ADAPTIVE_WATCHED -> {
        // Each use has a process of its own.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        yield netty(new AdaptiveByteBufAllocator(true));
      }
      case NETTY_POOLED -> netty(PooledByteBufAllocator.DEFAULT);
      case ARROW -> arrow(new RootAllocator());
    };
  }

  private static MemoryPool pool(BfcOptions options, PoolOptions poolOptions) {
    return MemoryPool.open("bench", HostMemory.open(), options, poolOptions);
  }

  private static void allocate(Arena opened, long bytes, Blackhole blackhole) {
    try (Arena arena = opened) {
      blackhole.consume(arena.allocate(bytes, 1));
    }
  }

  private static void allocateTen(Arena opened, long bytes, Blackhole blackhole) {
    try (Arena arena = opened) {
      SegmentAllocator allocator = arena;
      for (int i = 0; i < TEN; i++) {
        blackhole.consume(allocator.allocate(bytes, 1));
      }
    }
  }

  private static void allocate(MemoryPool pool, long bytes, Blackhole blackhole) {
    try (MemoryBlock block = pool.allocate(bytes)) {
      blackhole.consume(block.segment());
    }
  }

  private static void tryAllocate(MemoryPool pool, long bytes, Blackhole blackhole) {
    try (MemoryBlock block = pool.tryAllocate(bytes).orElseThrow()) {
      blackhole.consume(block.segment());
    }
  }

  private static Use tagged(MemoryPool pool) {
    AllocationTag tag = AllocationTag.of("bench");
    return (bytes, blackhole) -> tag.run(() -> allocate(pool, bytes, blackhole));
  }

  private static Use netty(ByteBufAllocator allocator) {
    return (bytes, blackhole) -> {
      ByteBuf buffer = allocator.directBuffer((int) bytes, (int) bytes);
      blackhole.consume(buffer);
      buffer.release();
    };
  }

  private static Use arrow(BufferAllocator allocator) {
    return (bytes, blackhole) -> {
      try (ArrowBuf buffer = allocator.buffer(bytes)) {
        blackhole.consume(buffer);
      }
    };
  }
}
