package dev.stowage.memory.pool;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocatorReport;
import dev.stowage.core.bfc.AllocatorStatistics;
import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.core.bfc.CallerStack;
import dev.stowage.core.bfc.SubAllocator;
import dev.stowage.core.bfc.TrimResult;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.lifetime.UnclosedReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Host memory that is allocated and freed by best fit with coalescing, in the JDK's own shape.
 *
 * <pre>{@code
 * try (HostMemory host = HostMemory.open();
 *     MemoryPool pool = MemoryPool.open("activations", host, BfcOptions.expandable())) {
 *   try (Arena arena = pool.openArena()) {
 *     MemorySegment x = arena.allocate(ValueLayout.JAVA_FLOAT, 1000);
 *   }
 *   try (MemoryBlock block = pool.allocate(1 << 20)) {
 *     block.segment().fill((byte) 1);
 *   }
 * }
 * }</pre>
 *
 * <p>Its arenas are the JDK's arenas to all who use them: what they give is zeroed unless the
 * {@linkplain PoolOptions options} say otherwise, aligned as asked for, bounded, and ends with its
 * arena. Touching memory that has ended is an {@link IllegalStateException}, never a crash, and
 * never another's memory. Segments without bytes take no memory of the pool; all have one address.
 *
 * <p>An arena or block that is found unreachable and was not closed is reported as a warning of the
 * logger {@code dev.stowage.memory}: one of 128, or each in {@linkplain PoolOptions#withDebugging()
 * debug mode}, with the stack that opened it if the pool keeps {@linkplain BfcOptions#withStacks()
 * stacks}. Its memory is not given back, since its segments may still be in use.
 *
 * <p>Safe for use by many threads. An arena or block for one thread costs some 30 ns more than its
 * allocations, and zeroing what it takes to write the bytes. To close one for many threads costs
 * tens of microseconds, as with {@link Arena#ofShared()}: the JVM has to ask all threads whether
 * they are using it.
 */
public final class MemoryPool implements AutoCloseable {

  /** 2^64 by the golden ratio. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final String name;
  private final BfcAllocator allocator;
  private final boolean zeroing;
  private final Optional<FreedMemory> freed;
  private final Consumer<String> reports;

  private final PoolArenas arenas;

  private MemoryPool(
      String name,
      SubAllocator regions,
      BfcOptions options,
      PoolOptions pool,
      Consumer<String> reports) {
    this.name = name;
    this.reports = reports;
    this.zeroing = pool.isZeroing();
    this.freed = pool.isDebugging() ? Optional.of(new FreedMemory(name)) : Optional.empty();
    SubAllocator checked =
        freed.<SubAllocator>map(watch -> new CheckedRegions(regions, watch)).orElse(regions);
    this.allocator =
        pool.listener()
            .map(listener -> new BfcAllocator(name, checked, options, listener))
            .orElseGet(() -> new BfcAllocator(name, checked, options));
    this.arenas = new PoolArenas(this, allocator, freed);
  }

  /**
   * {@return a pool that holds nothing yet}
   *
   * @param name how messages call it
   * @param host what gives regions
   * @param options how the pool grows, splits and gives up
   */
  public static MemoryPool open(String name, HostMemory host, BfcOptions options) {
    return open(name, host, options, PoolOptions.standard());
  }

  /**
   * {@return a pool that holds nothing yet}
   *
   * @param name how messages call it
   * @param host what gives regions
   * @param options how the pool grows, splits and gives up
   * @param poolOptions what it does to bytes
   */
  public static MemoryPool open(
      String name, HostMemory host, BfcOptions options, PoolOptions poolOptions) {
    return over(name, host.newSubAllocator(options), options, poolOptions);
  }

  /** {@return a pool over regions that the JVM can touch} */
  static MemoryPool over(
      String name, SubAllocator regions, BfcOptions options, PoolOptions poolOptions) {
    return over(name, regions, options, poolOptions, UnclosedReport::warn);
  }

  /** {@return a pool with an output for reports of unclosed arenas} */
  static MemoryPool over(
      String name,
      SubAllocator regions,
      BfcOptions options,
      PoolOptions poolOptions,
      Consumer<String> reports) {
    return new MemoryPool(name, regions, options, poolOptions, reports);
  }

  /**
   * {@return a new arena for the calling thread, as {@link Arena#ofConfined()}}
   *
   * <p>Its {@code allocate} throws {@link BfcOutOfMemoryException} where there is no room; what it
   * gave before stays valid.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public Arena openArena() {
    return watched(arenas.openConfined(PoolArena.Kind.ARENA));
  }

  /**
   * {@return a new arena for all threads, as {@link Arena#ofShared()}}
   *
   * <p>Its {@code allocate} throws {@link BfcOutOfMemoryException} where there is no room; what it
   * gave before stays valid.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public Arena openSharedArena() {
    return watched(arenas.openShared(PoolArena.Kind.ARENA));
  }

  /**
   * {@return fresh memory for the calling thread}
   *
   * @param bytes how many bytes
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the pool is closed
   * @throws BfcOutOfMemoryException if there is no room
   */
  public MemoryBlock allocate(long bytes) {
    return block(arenas.openConfined(PoolArena.Kind.BLOCK), bytes);
  }

  /**
   * {@return fresh memory for all threads}
   *
   * @param bytes how many bytes
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the pool is closed
   * @throws BfcOutOfMemoryException if there is no room
   */
  public MemoryBlock allocateShared(long bytes) {
    return block(arenas.openShared(PoolArena.Kind.BLOCK), bytes);
  }

  private MemoryBlock block(PoolArena arena, long bytes) {
    try {
      MemorySegment segment = arena.allocate(bytes, 1);
      return new MemoryBlock(watched(arena), segment);
    } catch (RuntimeException | Error failed) {
      arena.close();
      throw failed;
    }
  }

  /** {@return the handle of an arena for the caller; one of 128, or each one, is watched} */
  private Arena watched(PoolArena arena) {
    // Neighbouring numbers are spread, so that loops of any length have all their steps watched.
    boolean isSample = ((arena.allocations().id() * SPREAD) >>> 57) == 0;
    if (!(isSample || freed.isPresent()) || UnclosedReport.isSuppressed()) {
      return arena;
    }
    Optional<CallerStack> stack =
        allocator.options().hasStacks() ? Optional.of(new CallerStack()) : Optional.empty();
    return new WatchedArena(arena, stack, reports);
  }

  /**
   * {@return what allocates for as long as the pool is open, for all threads}
   *
   * <p>Its {@code allocate} throws {@link BfcOutOfMemoryException} where there is no room.
   */
  public SegmentAllocator asSegmentAllocator() {
    return (bytes, alignment) -> arenas.lasting().allocate(bytes, alignment);
  }

  /** {@return the address of fresh bytes, at least one, which the caller has to give back} */
  long take(long bytes, long alignment) {
    long address = allocator.allocate(bytes, alignment);
    if (freed.isPresent()) {
      handOut(freed.get(), address, bytes);
    }
    if (zeroing || freed.isPresent()) {
      Filling.fill(address, bytes, zeroing ? 0 : FreedMemory.FRESH);
    }
    return address;
  }

  private void handOut(FreedMemory watch, long address, long bytes) {
    watch.checkAndRemove(address, bytes);
    try {
      watch.throwFindings();
    } catch (IllegalStateException written) {
      give(address);
      throw written;
    }
  }

  /** Takes bytes back. */
  void give(long address) {
    if (freed.isPresent()) {
      freed.get().free(allocator.allocation(address).orElseThrow());
    }
    allocator.free(address);
  }

  /** {@return the path of tags of what is at an address, empty for none} */
  String tag(long address) {
    return allocator.allocation(address).map(Allocation::tag).orElse("");
  }

  /** Removes an arena that has freed its chunks. */
  void remove(PoolArena arena) {
    arenas.remove(arena);
  }

  /** {@return how messages call the pool} */
  public String name() {
    return name;
  }

  /** {@return the options of the pool's allocator} */
  public BfcOptions options() {
    return allocator.options();
  }

  /** {@return what the pool holds and has done} */
  public AllocatorStatistics statistics() {
    return allocator.statistics();
  }

  /** {@return a report of the memory in use and free; costs O(chunks)} */
  public AllocatorReport report() {
    return allocator.report();
  }

  /**
   * Gives what it can back to the system: wholly free regions and the free ends of expandable ones.
   *
   * @return how many bytes, and what pins the rest
   * @throws IllegalStateException if the pool is closed, or, in debug mode, memory was written to
   *     after it was freed; what can be is given back even so
   */
  public TrimResult trim() {
    TrimResult result = allocator.trim();
    freed.ifPresent(FreedMemory::throwFindings);
    return result;
  }

  /**
   * Looks at all freed memory of a pool in debug mode; costs a read of every byte of it.
   *
   * @throws IllegalStateException if it was written to after it was freed, which is told once; or
   *     the pool is not in debug mode
   */
  public void checkFreed() {
    FreedMemory watch =
        freed.orElseThrow(() ->
            new IllegalStateException(
                String.format(
                    Locale.ROOT,
                    "pool '%s' does not watch freed memory: open it with PoolOptions.withDebugging()",
                    name)));
    watch.checkAll();
    watch.throwFindings();
  }

  /**
   * Ends all memory of the pool and gives its regions back; does nothing if that is done.
   *
   * <p>Arenas and blocks that are open are closed, and named in a warning of the logger {@code
   * dev.stowage.memory}. Those of a thread that has ended are given back, too.
   *
   * <p>Waits for no native call, and changes nothing if one holds memory of the pool: to close
   * again after it has returned is to try again. Only if another thread begins such a call while
   * this runs, segments of other arenas may have ended when this throws; their memory is kept until
   * the pool is closed.
   *
   * @throws IllegalStateException if arenas or blocks of another thread are open, or a native call
   *     holds a segment, or this is called while this thread closes an arena or the pool, and
   *     nothing changes; or, in debug mode, freed memory was written to; all is closed then
   * @throws DeviceException if the system does not take a region back; all is closed even so, and
   *     to close again is to try again
   */
  @Override
  public void close() {
    arenas.close();
  }

  /** {@return the warning of {@link #close()} about open arenas} */
  String describeLeaks() {
    return arenas.describeLeaks();
  }

  /** Checks the invariants of the pool and its allocator, while no other thread uses it. */
  void checkInvariants() {
    allocator.checkInvariants();
    arenas.checkInvariants();
    freed.ifPresent(watch -> watch.checkInvariants(allocator));
  }
}
