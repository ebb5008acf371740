package dev.stowage.memory.pool;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.InUseReport;
import dev.stowage.allocator.LimitChange;
import dev.stowage.allocator.MonitoredAllocator;
import dev.stowage.allocator.RegionChunks;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.allocator.TrimResult;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.lifetime.UnclosedReport;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A pool of host memory with arenas and segments of the JDK, allocated by best fit with coalescing.
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
 * <p>The arenas behave like the JDK's. Segments are aligned and bounded, and end with their arena.
 * They are zeroed, unless the {@linkplain PoolOptions options} disable it. An access to a segment
 * after its end throws an {@link IllegalStateException}. Segments of 0 bytes take no memory of the
 * pool, and all have the same address.
 *
 * <p>Requests of at most 4,096 bytes share chunks. The pool keeps other freed chunks for requests
 * of about their size in a {@linkplain BfcOptions#withFrontCache front cache}: at most 2 MiB for
 * each of two stripes of a processor or a sixteenth of its bytes in use, unless the options decide.
 * They are returned before a request fails or waits, and by {@link #trim()} and all reports. In
 * debug mode, and with a listener or stacks, each request takes a chunk and none is kept. The
 * addresses of small requests are multiples of 16; the addresses of larger requests are multiples
 * of 256. Segments for all threads share no cache lines with others.
 *
 * <p>If the garbage collector finds an arena or block that is not closed, the logger {@code
 * dev.stowage.memory} reports it: one in 128, or each one in {@linkplain
 * PoolOptions#withDebugging() debug mode}. The report has the stack of its opening if the pool
 * keeps {@linkplain BfcOptions#withStacks() stacks}. The memory stays in use, because the program
 * may still use segments of it.
 *
 * <p>Pools are safe for use by many threads. An arena or block for one thread takes about as long
 * as {@link Arena#ofConfined()}. Closing an arena or block for many threads takes tens of
 * microseconds, as with {@link Arena#ofShared()}, because the JVM then checks that no thread uses
 * it.
 */
public final class MemoryPool implements MonitoredAllocator, AutoCloseable {

  private final PoolChunks chunks;
  private final PoolArenas arenas;
  private final PoolClosing closing;
  private final HandleWatch watch;
  private final PoolHandles handles;
  private final Consumer<String> reports;

  private MemoryPool(
      String name,
      SubAllocator regions,
      BfcOptions options,
      PoolOptions pool,
      Consumer<String> reports) {
    this(new PoolClosing(new PoolArenas(new PoolChunks(name, regions, options, pool))), reports);
  }

  private MemoryPool(PoolClosing closing, Consumer<String> reports) {
    this.closing = closing;
    this.arenas = closing.arenas();
    this.chunks = arenas.chunks();
    this.watch = new HandleWatch(chunks.allocator(), chunks.isDebugging(), reports);
    this.handles = new PoolHandles(watch);
    this.reports = reports;
  }

  /**
   * {@return a pool without regions}
   *
   * @param name the name in messages
   * @param device the memory of the regions: a {@code HostMemory}, or another device with memory
   *     that the host can access
   * @param options the options of the allocator
   * @throws IllegalArgumentException if {@code device.isHostAddressable()} is false
   */
  public static MemoryPool open(String name, Device device, BfcOptions options) {
    return open(name, device, options, PoolOptions.standard());
  }

  /**
   * {@return a pool without regions}
   *
   * @param name the name in messages
   * @param device the memory of the regions: a {@code HostMemory}, or another device with memory
   *     that the host can access
   * @param options the options of the allocator
   * @param poolOptions the options for contents and the listener
   * @throws IllegalArgumentException if {@code device.isHostAddressable()} is false
   */
  public static MemoryPool open(
      String name, Device device, BfcOptions options, PoolOptions poolOptions) {
    if (!device.isHostAddressable()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "pool '%s' cannot have segments in the memory of device '%s', which the host cannot access; use a DevicePool, or MemoryPool.openStaging for host memory with fast copies",
              name,
              device.name()));
    }
    return over(name, device.newSubAllocator(options), options, poolOptions);
  }

  /**
   * {@return a pool of host memory with the fastest copies from and to a device, pinned if the
   * device has pinned memory}
   *
   * <p>One call of the driver provides a region. The driver needs time for every page of pinned
   * memory, and other programs cannot use this memory, so that a limit is useful. The pool keeps
   * the regions until it returns them, even if the device is closed. They cannot grow: with {@link
   * BfcOptions#growing()}, each region is twice as large as the previous one.
   *
   * @param name the name in messages
   * @param device the device of the copies
   * @param options the options of the allocator
   */
  public static MemoryPool openStaging(String name, Device device, BfcOptions options) {
    return openStaging(name, device, options, PoolOptions.standard());
  }

  /**
   * {@return a pool of staging memory, as {@link #openStaging(String, Device, BfcOptions)}}
   *
   * @param name the name in messages
   * @param device the device of the copies
   * @param options the options of the allocator
   * @param poolOptions the options for contents and the listener
   */
  public static MemoryPool openStaging(
      String name, Device device, BfcOptions options, PoolOptions poolOptions) {
    return over(name, device.newStagingSubAllocator(), options, poolOptions);
  }

  /** {@return a pool over regions that the JVM can access} */
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
   * <p>Its {@code allocate} throws a {@link BfcOutOfMemoryException} if there is no room; earlier
   * segments stay valid.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public Arena openArena() {
    return handles.watched(arenas.openConfined(ArenaKind.ARENA));
  }

  /**
   * {@return a new arena for all threads, as {@link Arena#ofShared()}}
   *
   * <p>Its {@code allocate} throws a {@link BfcOutOfMemoryException} if there is no room; earlier
   * segments stay valid.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public Arena openSharedArena() {
    return handles.watched(arenas.openShared(ArenaKind.ARENA));
  }

  /**
   * {@return a budget for {@linkplain PoolRequest#chargedTo requests} of this pool, without a
   * parent}
   *
   * @param name the name in messages
   * @param limitBytes the most bytes that may be charged; {@link Long#MAX_VALUE} for no limit
   * @throws IllegalArgumentException if {@code limitBytes < 0}
   */
  public PoolBudget openBudget(String name, long limitBytes) {
    return PoolBudget.root(name, chunks.allocator(), limitBytes, watch);
  }

  /**
   * {@return new memory for the calling thread}
   *
   * @param bytes the size
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the pool is closed
   * @throws BfcOutOfMemoryException if there is no room
   */
  public MemoryBlock allocate(long bytes) {
    return handles.block(arenas.openConfined(ArenaKind.BLOCK), bytes, 1, ChunkRequest.OR_THROW);
  }

  /**
   * {@return new memory for all threads}
   *
   * @param bytes the size
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the pool is closed
   * @throws BfcOutOfMemoryException if there is no room
   */
  public MemoryBlock allocateShared(long bytes) {
    return handles.block(arenas.openShared(ArenaKind.BLOCK), bytes, 1, ChunkRequest.OR_THROW);
  }

  /**
   * {@return new memory with a count of 1, which any thread may release}
   *
   * <p>An access after the last release is not detected, except in debug mode.
   *
   * @param bytes the size
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the pool is closed
   * @throws BfcOutOfMemoryException if there is no room
   */
  public CountedBlock allocateCounted(long bytes) {
    return handles.counted(arenas.openCounted(), arenas.lasting(), bytes);
  }

  /**
   * {@return new memory for the calling thread, or empty if there is no room}
   *
   * <p>The pool creates no report for an empty result.
   *
   * @param bytes the size
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the pool is closed
   */
  public Optional<MemoryBlock> tryAllocate(long bytes) {
    return handles.tryBlock(arenas.openConfined(ArenaKind.BLOCK), bytes, 1);
  }

  /**
   * {@return new memory for the calling thread}
   *
   * @param request the size, the alignment and the budget
   * @throws IllegalArgumentException if the budget belongs to another allocator
   * @throws IllegalStateException if the pool or the budget is closed
   * @throws BfcOutOfMemoryException if the pool or the budget has no room
   */
  public MemoryBlock allocate(PoolRequest request) {
    return handles.block(
        arenas.openConfined(ArenaKind.BLOCK, request.budget()),
        request.bytes(),
        request.alignment(),
        ChunkRequest.OR_THROW);
  }

  /**
   * {@return new memory for all threads}
   *
   * @param request the size, the alignment and the budget
   * @throws IllegalArgumentException if the budget belongs to another allocator
   * @throws IllegalStateException if the pool or the budget is closed
   * @throws BfcOutOfMemoryException if the pool or the budget has no room
   */
  public MemoryBlock allocateShared(PoolRequest request) {
    return handles.block(
        arenas.openShared(ArenaKind.BLOCK, request.budget()),
        request.bytes(),
        request.alignment(),
        ChunkRequest.OR_THROW);
  }

  /**
   * {@return new memory for the calling thread, or empty if the pool or the budget has no room}
   *
   * @param request the size, the alignment and the budget
   * @throws IllegalArgumentException if the budget belongs to another allocator
   * @throws IllegalStateException if the pool or the budget is closed
   */
  public Optional<MemoryBlock> tryAllocate(PoolRequest request) {
    return handles.tryBlock(
        arenas.openConfined(ArenaKind.BLOCK, request.budget()),
        request.bytes(),
        request.alignment());
  }

  /**
   * {@return new memory for the calling thread, waiting for frees if the pool or the budget has no
   * room}
   *
   * <p>The pool serves waiting requests in the order of their arrival, as {@link
   * BfcAllocator#allocateOrWait(long, long, Duration)}. No other thread can close the pool during
   * the wait.
   *
   * @param request the size, the alignment and the budget
   * @param timeout the longest time to wait; if it is not positive, the method does not wait
   * @throws IllegalArgumentException if the budget belongs to another allocator
   * @throws IllegalStateException if the pool or the budget is closed
   * @throws BfcOutOfMemoryException if the pool or the budget has no room when the timeout expires
   * @throws InterruptedException if the thread is interrupted while it waits; nothing is allocated
   */
  public MemoryBlock allocateOrWait(PoolRequest request, Duration timeout)
      throws InterruptedException {
    PoolArena arena = arenas.openConfined(ArenaKind.BLOCK, request.budget());
    chunks.slabs().beginWait();
    try {
      return handles.block(
          arena, request.bytes(), request.alignment(), ChunkRequest.orWait(timeout));
    } finally {
      chunks.slabs().endWait();
    }
  }

  /**
   * {@return a private pool with the options of this pool and no limit of its own}
   *
   * <p>As {@link #openPrivatePool(String, BfcOptions)}.
   *
   * @param poolName the name in messages, behind the name of this pool and a slash
   * @throws IllegalArgumentException if this pool has {@linkplain
   *     dev.stowage.allocator.RegionGrowth#ONE_REGION one region}, which a pool cannot share
   * @throws IllegalStateException if this pool is closed or is being closed
   */
  public MemoryPool openPrivatePool(String poolName) {
    return openPrivatePool(allocator -> allocator.openPrivatePool(poolName));
  }

  /**
   * {@return a private pool, with regions and numbers of its own, within the limit of this pool}
   *
   * <p>A private pool is for a tenant or a captured graph, as in {@link
   * BfcAllocator#openPrivatePool(String, BfcOptions)}. Its memory serves no other requests, even if
   * it is free, until {@link #trim()} of the private pool or its end returns it. If a request to
   * the private pool has no room, this pool first returns its free memory.
   *
   * <p>Private pools zero and check memory like this pool. Statistics and reports of this pool do
   * not include them. If this pool is closed, they are closed with it. If an arena prevents the end
   * of one of them, all stay open.
   *
   * @param poolName the name in messages, behind the name of this pool and a slash
   * @param poolOptions the options of the allocator of the private pool
   * @throws IllegalStateException if this pool is closed or is being closed
   */
  public MemoryPool openPrivatePool(String poolName, BfcOptions poolOptions) {
    return openPrivatePool(allocator -> allocator.openPrivatePool(poolName, poolOptions));
  }

  /**
   * {@return a private pool that reports to a listener}
   *
   * <p>As {@link #openPrivatePool(String, BfcOptions)}. The listener of this pool does not get the
   * events of its private pools.
   *
   * @param poolName the name in messages, behind the name of this pool and a slash
   * @param poolOptions the options of the allocator of the private pool
   * @param listener the listener
   * @throws IllegalStateException if this pool is closed or is being closed
   */
  public MemoryPool openPrivatePool(
      String poolName, BfcOptions poolOptions, AllocationListener listener) {
    return openPrivatePool(allocator -> allocator.openPrivatePool(poolName, poolOptions, listener));
  }

  private MemoryPool openPrivatePool(UnaryOperator<BfcAllocator> opening) {
    return new MemoryPool(closing.openPrivatePool(opening), reports);
  }

  /** {@return the bytes that the private pools of this pool hold, also during their close} */
  public long privatePoolBytes() {
    return chunks.allocator().privatePoolBytes();
  }

  /**
   * {@return an allocator of memory that lives as long as the pool, for all threads}
   *
   * <p>Its {@code allocate} throws a {@link BfcOutOfMemoryException} if there is no room.
   */
  public SegmentAllocator asSegmentAllocator() {
    return (bytes, alignment) -> arenas.lasting().allocate(bytes, alignment);
  }

  /** {@return the name in messages} */
  @Override
  public String name() {
    return chunks.poolName();
  }

  /** {@return the options of this pool} */
  public BfcOptions options() {
    return chunks.allocator().options();
  }

  /** {@return the statistics, which count slots; a front cache is emptied first} */
  @Override
  public AllocatorStatistics statistics() {
    return chunks.allocator().statistics();
  }

  /** Sets each peak of the statistics to its current value, and the largest chunk to 0. */
  public void clearPeaks() {
    chunks.allocator().clearPeaks();
  }

  /**
   * {@return the allocations in use by ascending address; takes O(allocations)}
   *
   * <p>If other threads allocate at the same time, the small and the large allocations are from
   * different moments.
   */
  public List<Allocation> allocations() {
    return chunks.allocator().allocations();
  }

  /** {@return a report of the allocations of open arenas and blocks; takes O(chunks)} */
  public InUseReport inUse() {
    return arenas.inUse();
  }

  /**
   * Changes the limit, as {@link BfcAllocator#setLimit}.
   *
   * <p>Regions of {@link dev.stowage.memory.device.HostMemory} reserve addresses up to the limit in
   * the pool's options. Above that limit, the pool adds further regions.
   *
   * @param limitBytes the most bytes that the pool may hold; {@link Long#MAX_VALUE} for no limit
   * @return the limit that is now in force
   * @throws IllegalArgumentException as {@link BfcOptions#withLimit}; nothing changes
   * @throws IllegalStateException if the pool is closed
   */
  public LimitChange setLimit(long limitBytes) {
    return chunks.allocator().setLimit(limitBytes);
  }

  /** {@return the number of requests that wait for memory} */
  public int waitingRequests() {
    return chunks.allocator().waitingRequests();
  }

  /** {@return the number of requests so far that threw a {@link BfcOutOfMemoryException}} */
  @Override
  public long failedRequests() {
    return chunks.allocator().failedRequests();
  }

  /** {@return a report of the memory in use and free; takes O(chunks)} */
  @Override
  public AllocatorReport report() {
    return chunks.allocator().report();
  }

  /**
   * {@return the regions with all chunks, free ones included, and the slots of chunks for small
   * allocations; takes O(chunks + slots)}
   *
   * <p>The list shows the chunks at one moment. If other threads allocate meanwhile, it shows the
   * numbers of slots at a later moment.
   */
  @Override
  public List<RegionChunks> chunks() {
    return chunks.allocator().chunks();
  }

  /**
   * Returns free memory to the system: free regions, and the free ends of expandable regions.
   *
   * @return the returned bytes, and the chunks that pin the other regions
   * @throws IllegalStateException if the pool is closed; or, in debug mode, freed memory or memory
   *     after the end of an allocation was written to, and the memory is returned
   */
  @Override
  public TrimResult trim() {
    TrimResult result = chunks.allocator().trim();
    chunks.freed().ifPresent(FreedMemory::checkSlack);
    chunks.freed().ifPresent(FreedMemory::throwFindings);
    return result;
  }

  /**
   * Checks all freed memory of a pool in debug mode, and the bytes after each allocation in use;
   * reads every freed byte.
   *
   * @throws IllegalStateException if freed memory or memory after the end of an allocation was
   *     written to, which is reported once; or the pool is not in debug mode
   */
  public void checkFreed() {
    FreedMemory watch =
        chunks
            .freed()
            .orElseThrow(() ->
                new IllegalStateException(
                    String.format(
                        Locale.ROOT,
                        "pool '%s' does not watch freed memory: open it with PoolOptions.withDebugging()",
                        name())));
    watch.checkAll();
    watch.throwFindings();
  }

  /**
   * Ends all memory of the pool and returns its regions; has no effect if the pool is closed.
   *
   * <p>Open arenas and blocks are closed, even if their threads have ended. The logger {@code
   * dev.stowage.memory} names them in a warning.
   *
   * <p>The call does not wait. If a native call or another thread uses memory of the pool, nothing
   * changes, and the caller may call this method again, or {@link #closeWithin}. If another thread
   * starts a native call during the close, segments of other arenas may have ended; the pool then
   * keeps their memory until it is closed.
   *
   * @throws IllegalStateException if arenas or blocks of another thread have memory, a native call
   *     holds a segment, another thread allocates in a shared arena or closes it, this or another
   *     thread is closing the pool, or, in debug mode, freed memory or memory after the end of an
   *     allocation was written to, which is reported once. Nothing changes
   * @throws DeviceException if the system does not take a region back; the pool is closed, and the
   *     caller may try again. Exceptions of listeners and cleanup actions are also thrown after the
   *     pool is closed
   */
  @Override
  public void close() {
    closing.close();
  }

  /**
   * Waits for memory of other threads, and then closes the pool, as {@link #close()}.
   *
   * <p>The call waits for arenas and blocks that other live threads have opened, for all
   * {@linkplain #allocateCounted counted} blocks, and for native calls. During the wait, the pool
   * rejects new arenas and blocks, and open arenas can still allocate. If the time is over, the
   * pool stays open, and the result names the obstacle. The caller may then call {@link #close()},
   * which also ends shared and counted memory of other threads.
   *
   * @param timeout the longest time to wait; if it is not positive, the method does not wait
   * @return an empty obstacle if the pool is closed
   * @throws IllegalStateException if this or another thread is closing the pool, or, in debug mode,
   *     freed memory or memory after the end of an allocation was written to; nothing changes
   * @throws InterruptedException if the thread is interrupted while it waits; the pool is open as
   *     before
   * @throws DeviceException as {@link #close()}
   */
  public CloseResult closeWithin(Duration timeout) throws InterruptedException {
    return closing.closeWithin(timeout);
  }

  /** {@return the warning of {@link #close()} about open arenas} */
  String describeLeaks() {
    return arenas.describeLeaks();
  }

  /** Checks the invariants of the pool and its allocator, while no other thread uses it. */
  void checkInvariants() {
    closing.checkInvariants();
  }
}
