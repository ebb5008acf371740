package dev.stowage.memory.pool;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.AllocatorReport;
import dev.stowage.core.bfc.AllocatorStatistics;
import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.core.bfc.CallerStack;
import dev.stowage.core.bfc.LeakReport;
import dev.stowage.core.bfc.SubAllocator;
import dev.stowage.core.bfc.TrimResult;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.lifetime.Forgotten;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /*
   *   P1  a chunk in use belongs to exactly one arena, and is freed once, after the JDK has ended
   *       that arena's segments;
   *   P2  an arena is in `open` from before its first chunk until after its last;
   *   P3  regions are given back when `open` is empty and nothing can come into it;
   *   P4  when the pool closes, all segments end before the first chunk is freed: if one cannot end,
   *       no memory of another changes.
   *
   * A thread may wait for an arena's lock while it holds `closing`, and for the locks of `open`, the
   * allocator and the freed memory while it holds an arena's; never the other way round.
   */

  private static final System.Logger LOGGER = System.getLogger("dev.stowage.memory");
  private static final int MOST_NAMED = 5;

  /** 2^64 by the golden ratio. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final String name;
  private final BfcAllocator allocator;
  private final boolean zeroing;
  private final Optional<FreedMemory> freed;
  private final Consumer<String> forgotten;

  /** Guards nothing but the order of closings. */
  private final Object closing = new Object();

  /** Of what lives as long as the pool. */
  private final SharedArena lasting = new SharedArena(this, PoolArena.Kind.LASTING, 0);

  private final OpenArenas open = new OpenArenas();
  private long arenas;
  private boolean closed;

  /** Whether all arenas have ended; they have not while the pool is closing. */
  private boolean emptied;

  private MemoryPool(
      String name,
      SubAllocator regions,
      BfcOptions options,
      PoolOptions pool,
      Consumer<String> forgotten) {
    this.name = name;
    this.forgotten = forgotten;
    this.zeroing = pool.zeroing();
    this.freed = pool.debugging() ? Optional.of(new FreedMemory(name)) : Optional.empty();
    SubAllocator checked =
        freed.<SubAllocator>map(watch -> new CheckedRegions(regions, watch)).orElse(regions);
    this.allocator =
        pool.listener()
            .map(listener -> new BfcAllocator(name, checked, options, listener))
            .orElseGet(() -> new BfcAllocator(name, checked, options));
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
    return over(name, regions, options, poolOptions, Forgotten::warn);
  }

  /** {@return a pool that reports arenas that are forgotten} */
  static MemoryPool over(
      String name,
      SubAllocator regions,
      BfcOptions options,
      PoolOptions poolOptions,
      Consumer<String> forgotten) {
    return new MemoryPool(name, regions, options, poolOptions, forgotten);
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
    return watched(openConfined(PoolArena.Kind.ARENA));
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
    return watched(openShared(PoolArena.Kind.ARENA));
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
    return block(openConfined(PoolArena.Kind.BLOCK), bytes);
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
    return block(openShared(PoolArena.Kind.BLOCK), bytes);
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

  /** {@return the arena for a caller: one of 128, or each one, is reported if it is forgotten} */
  private Arena watched(PoolArena arena) {
    // Neighbouring numbers are spread, so that loops of any length have all their steps watched.
    boolean isSample = ((arena.allocations().id() * SPREAD) >>> 57) == 0;
    if (!(isSample || freed.isPresent()) || Forgotten.isCovered()) {
      return arena;
    }
    Optional<CallerStack> stack =
        allocator.options().hasStacks() ? Optional.of(new CallerStack()) : Optional.empty();
    return new WatchedArena(arena, stack, forgotten);
  }

  private synchronized PoolArena openConfined(PoolArena.Kind kind) {
    checkOpen();
    PoolArena arena = new ConfinedArena(this, kind, ++arenas);
    open.add(arena);
    return arena;
  }

  private synchronized PoolArena openShared(PoolArena.Kind kind) {
    checkOpen();
    PoolArena arena = new SharedArena(this, kind, ++arenas);
    open.add(arena);
    return arena;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException(String.format(Locale.ROOT, "pool '%s' is closed", name));
    }
  }

  /**
   * {@return what allocates for as long as the pool is open, for all threads}
   *
   * <p>Its {@code allocate} throws {@link BfcOutOfMemoryException} where there is no room.
   */
  public SegmentAllocator asSegmentAllocator() {
    return (bytes, alignment) -> lasting.allocate(bytes, alignment); // and nothing to close
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
    watch.leave(address, bytes);
    try {
      watch.tellFindings();
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

  synchronized void forget(PoolArena arena) {
    if (arena.allocations().id() > 0) {
      open.remove(arena);
    }
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
    freed.ifPresent(FreedMemory::tellFindings);
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
    watch.tellFindings();
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
    if (!Thread.holdsLock(closing)) {
      checkNotEndingHere();
    }
    synchronized (closing) {
      if (isEmptied()) {
        allocator.close(); // which may have regions that the system did not take back
      } else {
        closeAll(refuseNewArenas());
      }
    }
  }

  /**
   * A thread that closes an arena must not wait for one that closes the pool, and so waits for it.
   */
  private void checkNotEndingHere() {
    List<PoolArena> ending;
    synchronized (this) {
      ending = open.list().stream().filter(PoolArena::isEndingHere).toList();
    }
    if (!ending.isEmpty()) {
      throw inUse(ending);
    }
  }

  private synchronized boolean isEmptied() {
    return emptied;
  }

  /** Lets no more arenas be opened, and {@return those that are open, none of which is in use} */
  private List<PoolArena> refuseNewArenas() {
    Set<PoolArena> checked = new HashSet<>();
    List<PoolArena> left;
    do {
      left = openArenas();
      List<PoolArena> inUse =
          left.stream().filter(checked::add).filter(PoolArena::isInUse).toList();
      if (!inUse.isEmpty()) {
        throw inUse(inUse);
      }
    } while (!refuseNewArenas(checked)); // some may have been opened meanwhile
    return left;
  }

  private synchronized List<PoolArena> openArenas() {
    if (closed) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' cannot be closed: this thread is closing it already; return from that first",
              name));
    }
    checkNotOfOthers();
    return lasting.isUsed()
        ? Stream.concat(Stream.of(lasting), open.list().stream()).toList()
        : open.list();
  }

  private synchronized boolean refuseNewArenas(Set<PoolArena> checked) {
    checkNotOfOthers();
    closed = checked.containsAll(open.list());
    if (closed && !open.isEmpty()) {
      LOGGER.log(System.Logger.Level.WARNING, this::describeLeaks);
    }
    return closed;
  }

  private void checkNotOfOthers() {
    List<PoolArena> others = open.list().stream().filter(PoolArena::isOfAnotherThread).toList();
    if (!others.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s' cannot be closed by thread '%s': %s; close it there first",
              name,
              Thread.currentThread().getName(),
              describe(others)));
    }
  }

  /** {@return what is open, as the warning of {@link #close()} tells it} */
  synchronized String describeLeaks() {
    Set<Long> kept = lasting.addresses();
    List<Allocation> leaks =
        allocator.allocations().stream()
            .filter(allocation -> !kept.contains(allocation.address()))
            .toList();
    return String.format(
        Locale.ROOT,
        "pool '%s' is closed, and with it %s%n%s",
        name,
        describe(open.list()),
        new LeakReport(name, leaks));
  }

  private static String describe(List<PoolArena> arenas) {
    String named =
        arenas.stream()
            .limit(MOST_NAMED)
            .map(PoolArena::describe)
            .collect(Collectors.joining(", "));
    int more = arenas.size() - MOST_NAMED;
    return more > 0 ? String.format(Locale.ROOT, "%s and %d more", named, more) : named;
  }

  private void closeAll(List<PoolArena> left) {
    List<RuntimeException> failures = new ArrayList<>();
    left.forEach(arena -> attempt(arena::end, failures));
    attempt(lasting::end, failures);
    List<PoolArena> held =
        Stream.concat(left.stream(), Stream.of(lasting))
            .filter(arena -> !arena.hasEnded())
            .toList();
    if (!held.isEmpty()) {
      throw reopened(held, failures);
    }
    left.forEach(arena -> attempt(arena::giveBack, failures));
    attempt(lasting::giveBack, failures);
    empty();
    attempt(allocator::close, failures);
    freed.ifPresent(watch -> attempt(watch::tellFindings, failures));
    if (!failures.isEmpty()) {
      RuntimeException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }

  private synchronized void empty() {
    emptied = true;
  }

  private synchronized IllegalStateException reopened(
      List<PoolArena> held, List<RuntimeException> failures) {
    closed = false;
    IllegalStateException failure = inUse(held);
    failures.forEach(failure::addSuppressed);
    return failure;
  }

  private IllegalStateException inUse(List<PoolArena> arenas) {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "pool '%s' cannot be closed: %s is in use by a native call or its own closing",
            name,
            describe(arenas)));
  }

  private static void attempt(Runnable closing, List<RuntimeException> failures) {
    try {
      closing.run();
    } catch (RuntimeException failure) {
      failures.add(failure);
    }
  }
}
