package dev.stowage.allocator;

import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.allocator.internal.InternalAccess;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * An allocator for the memory of a device: best fit with coalescing, as in TensorFlow's BFC
 * allocator.
 *
 * <p>A request is rounded up to a multiple of 256 bytes and takes the smallest free chunk that
 * holds it; among equal ones, the one at the lowest address. A freed chunk is merged with its free
 * neighbours. If no chunk is large enough, the allocator gets more memory as {@link RegionGrowth}
 * describes. Addresses depend only on the requests and on the answers of the sub-allocator.
 *
 * <p>Safe for use by many threads. Allocating and freeing cost O(log c) for c chunks. A request
 * with an alignment above 256 tries the 1,024 smallest chunks with enough bytes, and takes the
 * first one that holds it at such an address. Otherwise it takes the smallest chunk that holds it
 * at any address, or more memory. A chunk takes at most 96 bytes of the heap; a region takes none
 * for its bytes.
 *
 * <p>The logger {@code dev.stowage.allocator} gets a message at level {@code DEBUG} if the
 * allocator gets or returns memory, and if a request throws a {@link BfcOutOfMemoryException}. The
 * failures 1, 2, 4, 8 and so on are warnings with the {@linkplain #report() report} at that moment.
 *
 * <p>After xla/tsl/framework/bfc_allocator (2026). With the same options, each request gets the
 * same region and offset as there, unless the sub-allocator refuses memory or garbage is collected.
 * {@code docs/references.md} lists the differences.
 */
@SuppressWarnings("exports") // the internals are only for modules of Stowage
public final class BfcAllocator extends InternalAccess
    implements AllocationSource, MonitoredAllocator, AutoCloseable {

  private final String name;
  private final BfcOptions options;
  private final boolean hasStacks;
  private final AllocatorLog log;
  private final AllocatorEvents events;
  private final GuardedSpace space;

  /** The rule for requests that name no end. */
  private final PlacementRule placement;

  private final Callbacks callbacks;
  private final boolean isRecorded;

  /**
   * Creates an allocator without memory.
   *
   * @param name the name in messages
   * @param subAllocator the source of regions, at multiples of its alignment
   * @param options the options
   * @throws IllegalArgumentException if the sub-allocator's granularity or alignment is not a power
   *     of two from 256
   */
  public BfcAllocator(String name, SubAllocator subAllocator, BfcOptions options) {
    this(name, subAllocator, options, Optional.empty(), true, AllocatorLog.LOGGER);
  }

  /**
   * Creates an allocator without memory that reports to a listener.
   *
   * @param name the name in messages
   * @param subAllocator the source of regions, at multiples of its alignment
   * @param options the options
   * @param listener the listener
   * @throws IllegalArgumentException if the sub-allocator's granularity or alignment is not a power
   *     of two from 256
   */
  public BfcAllocator(
      String name, SubAllocator subAllocator, BfcOptions options, AllocationListener listener) {
    this(name, subAllocator, options, Optional.of(listener), true, AllocatorLog.LOGGER);
  }

  /**
   * {@return an allocator without events of JDK Flight Recorder and without log messages, for
   * memory that a program only simulates or tries out}
   *
   * @param name the name in messages
   * @param subAllocator the source of regions, at multiples of its alignment
   * @param options the options
   * @throws IllegalArgumentException if the sub-allocator's granularity or alignment is not a power
   *     of two from 256
   */
  public static BfcAllocator unrecorded(
      String name, SubAllocator subAllocator, BfcOptions options) {
    return new BfcAllocator(
        name, subAllocator, options, Optional.empty(), false, AllocatorLog.LOGGER);
  }

  /** {@return an allocator with another logger} */
  static BfcAllocator logging(
      String name, SubAllocator subAllocator, BfcOptions options, System.Logger logger) {
    return new BfcAllocator(name, subAllocator, options, Optional.empty(), true, logger);
  }

  private BfcAllocator(
      String name,
      SubAllocator subAllocator,
      BfcOptions options,
      Optional<AllocationListener> listener,
      boolean isRecorded,
      System.Logger logger) {
    this.name = name;
    this.options = options;
    hasStacks = options.hasStacks();
    log = new AllocatorLog(name, logger, isRecorded);
    Callbacks callbacks = new Callbacks(name);
    placement = placement(options);
    events = new AllocatorEvents(name, listener, options, isRecorded, log, callbacks);
    space = new GuardedSpace(name, subAllocator, options, placement, events, callbacks);
    this.callbacks = callbacks;
    this.isRecorded = isRecorded;
  }

  /** A private pool. */
  private BfcAllocator(
      BfcAllocator above,
      String poolName,
      BfcOptions options,
      Optional<AllocationListener> listener) {
    name = above.name + "/" + poolName;
    this.options = options;
    hasStacks = options.hasStacks();
    callbacks = above.callbacks;
    isRecorded = above.isRecorded;
    log = above.log.ofPool(name);
    placement = placement(options);
    events = new AllocatorEvents(name, listener, options, isRecorded, log, callbacks);
    space = new GuardedSpace(name, options, placement, events, above.space);
    above.space.member().add(space.member());
  }

  private static PlacementRule placement(BfcOptions options) {
    return options.hasTwoEnds() ? TwoEnds.FROM_LOW : BestFit.PLACEMENT;
  }

  // Allocating and freeing.

  /**
   * {@return the address of new bytes}
   *
   * @param bytes the number of bytes
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws IllegalStateException if the allocator is closed
   * @throws BfcOutOfMemoryException if there is no room
   */
  public long allocate(long bytes) {
    return allocate(bytes, Quantum.BYTES);
  }

  /**
   * {@return the address of new bytes at a multiple of an alignment}
   *
   * @param bytes the number of bytes
   * @param alignment a power of two; a smaller one than 256 counts as 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   * @throws IllegalStateException if the allocator is closed
   * @throws BfcOutOfMemoryException if there is no room
   */
  @Override
  public long allocate(long bytes, long alignment) {
    return allocate(bytes, alignment, placement, origin());
  }

  long allocate(long bytes, long alignment, PlacementRule placement, Origin origin) {
    long address = space.allocate(bytes, alignment, placement, origin);
    log.writeNotes();
    return address;
  }

  /**
   * {@return the address of new bytes, or empty if there is no room}
   *
   * <p>An empty result costs no report.
   *
   * @param bytes the number of bytes
   * @param alignment a power of two; a smaller one than 256 counts as 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   * @throws IllegalStateException if the allocator is closed
   */
  @Override
  public OptionalLong tryAllocate(long bytes, long alignment) {
    return tryAllocate(bytes, alignment, placement, origin());
  }

  OptionalLong tryAllocate(long bytes, long alignment, PlacementRule placement, Origin origin) {
    OptionalLong address = space.tryAllocate(bytes, alignment, placement, origin, true);
    log.writeNotes();
    return address;
  }

  /**
   * {@return the address of new bytes, waiting for frees if there is no room}
   *
   * <p>Waiting requests are answered in the order of their arrival, so that small requests cannot
   * starve a large one. A request that does not wait, or no longer waits, takes free memory at
   * once. A waiting request holds up later requests only while frees can make room for it. If no
   * region is long enough, the request depends on the device or on a {@link #trim()}, and others
   * are answered before it. A request for more than the limit fails at once.
   *
   * <p>If the thread is interrupted after the request was answered, the method returns the address
   * and the interrupt status stays set.
   *
   * @param bytes the number of bytes
   * @param alignment a power of two; a smaller one than 256 counts as 256
   * @param timeout the longest time to wait; if it is not positive, the method does not wait
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   * @throws IllegalStateException if the allocator is closed, or is closed during the wait
   * @throws BfcOutOfMemoryException if there is no room when the timeout expires
   * @throws InterruptedException if the thread is interrupted while it waits; nothing is allocated
   */
  @Override
  public long allocateOrWait(long bytes, long alignment, Duration timeout)
      throws InterruptedException {
    return allocateOrWait(bytes, alignment, timeout, LockSupport::parkNanos);
  }

  @Override
  public long allocateOrWait(long bytes, long alignment, Duration timeout, LongConsumer pause)
      throws InterruptedException {
    return allocateOrWait(bytes, alignment, placement, timeout, pause);
  }

  long allocateOrWait(
      long bytes, long alignment, PlacementRule placement, Duration timeout, LongConsumer pause)
      throws InterruptedException {
    Origin origin = origin();
    OptionalLong address = space.tryOrWait(bytes, alignment, placement, timeout, origin, pause);
    log.writeNotes();
    return address.isPresent()
        ? address.getAsLong()
        : allocate(bytes, alignment, placement, origin);
  }

  /**
   * {@return the requests from the high end of the region}
   *
   * <p>Only allocators {@linkplain BfcOptions#withTwoEnds() with two ends} have a high end. The
   * methods of the allocator itself take memory from the low end. {@link #free} frees the
   * allocations of both ends.
   *
   * @throws IllegalStateException if the allocator has no high end
   */
  public AllocationSource highEnd() {
    if (!options.hasTwoEnds()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "allocator '%s' has no high end: create it with BfcOptions.oneRegion(limitBytes).withTwoEnds()",
              name));
    }
    return new HighEnd(this);
  }

  Origin origin() {
    return AllocationTag.currentOrigin(hasStacks);
  }

  /**
   * Frees an allocation, then serves requests that wait.
   *
   * <p>If a waiting request fails, its caller gets the exception. If the sub-allocator throws when
   * the end of a region is returned to it, the allocation is freed and the allocator keeps the end.
   *
   * @param address an address that a method of this allocator has returned
   * @throws IllegalStateException if no allocation in use starts at {@code address}; the message
   *     describes the bytes there, and nothing changes
   */
  public void free(long address) {
    space.free(address);
    log.writeNotes();
  }

  /**
   * Frees an allocation and gives its chunk to a new request, in one step, so that no other request
   * can take it.
   *
   * <p>Reports, events and the listener get a free and an allocation. This method is for pools of
   * memory that queued work still uses, because only the pool can tell which request may reuse it.
   * If the listener throws, the chunk is freed.
   *
   * @param address an address that a method of this allocator has returned
   * @param bytes the bytes of the new request
   * @throws IllegalArgumentException if {@code bytes < 1}, or the chunk has fewer; nothing changes
   * @throws IllegalStateException if no allocation in use starts at {@code address}; nothing
   *     changes
   */
  public void reuse(long address, long bytes) {
    space.reuse(address, bytes, origin());
  }

  /**
   * Returns free memory to the sub-allocator: free regions and, if regions are expandable, their
   * free ends.
   *
   * <p>If the sub-allocator throws for a region, the allocator keeps that region, returns the
   * others, and then throws the exception. Another call tries again.
   *
   * @return the number of bytes returned, and the allocations that pin the rest
   * @throws IllegalStateException if the allocator is closed
   */
  @Override
  public TrimResult trim() {
    TrimResult result = space.trim();
    log.writeNotes();
    return result;
  }

  /**
   * Changes the limit.
   *
   * <p>A lower limit takes effect at once. If the allocator holds more, it returns free regions,
   * the largest first, and then free ends of expandable regions, until the rest is within the
   * limit. If allocations in use pin more, the limit becomes the bytes that are still held, so that
   * the allocator does not grow; after some frees, the caller may call this method again. A waiting
   * request for more than the new limit fails.
   *
   * <p>A higher limit serves waiting requests. An allocator with {@linkplain
   * RegionGrowth#ONE_REGION one region} gets the additional bytes as a further region.
   *
   * <p>If the sub-allocator throws for a region, the allocator keeps that region, sets the limit as
   * low as the remaining regions allow, and then throws the exception.
   *
   * @param limitBytes the most bytes that the allocator may hold; {@link Long#MAX_VALUE} for no
   *     limit
   * @return the limit that is now in force
   * @throws IllegalArgumentException as {@link BfcOptions#withLimit}; nothing changes
   * @throws IllegalStateException if the allocator is closed
   */
  public LimitChange setLimit(long limitBytes) {
    LimitChange change = space.setLimit(limitBytes);
    log.writeNotes();
    return change;
  }

  /**
   * Returns all regions, with the allocations in them; has no effect if all regions are returned.
   *
   * <p>Allocations that are still in use are leaks. They are logged as a warning and recorded by
   * JDK Flight Recorder. If the sub-allocator throws for a region, the allocator returns the others
   * and then throws the exception. The next call tries again.
   */
  @Override
  public void close() {
    space.member().close();
    log.writeNotes();
  }

  /**
   * Rejects requests from now on, and returns each region as soon as no allocation uses it.
   *
   * <p>Allocations in use stay valid and can be freed. The method returns free regions at once, and
   * a free returns the rest: regions without allocations and, if regions are expandable, their free
   * ends. Private pools of this allocator end in the same way. Has no effect if the allocator is
   * closed; {@link #close()} still returns everything.
   *
   * <p>If the sub-allocator throws for a region, the allocator keeps that region, returns the
   * others, and then throws the exception. The next call tries again.
   */
  public void closeWhenFree() {
    space.member().closeWhenFree();
    log.writeNotes();
  }

  // Private pools.

  /**
   * {@return a private pool with the options of this allocator and no limit of its own}
   *
   * <p>As {@link #openPrivatePool(String, BfcOptions)}.
   *
   * @param poolName the name in messages, behind the name of this allocator and a slash
   * @throws IllegalArgumentException if this allocator has {@linkplain RegionGrowth#ONE_REGION one
   *     region}, which a pool cannot share
   * @throws IllegalStateException if the allocator is closed
   */
  public BfcAllocator openPrivatePool(String poolName) {
    if (options.growth() == RegionGrowth.ONE_REGION) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a private pool of allocator '%s' needs options of its own, because the one region of the allocator takes the whole limit",
              name));
    }
    return openPrivatePool(poolName, options.withLimit(Long.MAX_VALUE));
  }

  /**
   * {@return a private pool: an allocator with regions and numbers of its own, within the limit of
   * this one}
   *
   * <p>A pool serves a captured graph, which uses the addresses of its memory again, or one of
   * several tenants. Free memory of a pool serves only requests to this pool, until {@link #trim()}
   * or the end of the pool returns it to the sub-allocator. If a request to a pool has no room,
   * free memory of this allocator is returned first.
   *
   * <p>The regions of all pools count for the limit of this allocator; the options can have a lower
   * limit for the pool. Statistics, reports and peaks of this allocator do not include its pools.
   * {@link #close()} of this allocator closes its pools. {@link #closeWhenFree()} of a pool keeps
   * memory in use until it is freed. A pool has the lock of its allocator.
   *
   * @param poolName the name in messages, behind the name of this allocator and a slash
   * @param poolOptions the options of the pool
   * @throws IllegalStateException if the allocator is closed
   */
  public BfcAllocator openPrivatePool(String poolName, BfcOptions poolOptions) {
    return new BfcAllocator(this, poolName, poolOptions, Optional.empty());
  }

  /**
   * {@return a private pool that reports to a listener}
   *
   * <p>As {@link #openPrivatePool(String, BfcOptions)}. The listener of this allocator does not get
   * the events of its pools, because each pool numbers its own allocations.
   *
   * @param poolName the name in messages, behind the name of this allocator and a slash
   * @param poolOptions the options of the pool
   * @param listener the listener
   * @throws IllegalStateException if the allocator is closed
   */
  public BfcAllocator openPrivatePool(
      String poolName, BfcOptions poolOptions, AllocationListener listener) {
    return new BfcAllocator(this, poolName, poolOptions, Optional.of(listener));
  }

  /** {@return the bytes that the private pools of this allocator hold, also during their close} */
  public long privatePoolBytes() {
    return space.locked().read(current -> current.supply().relatives().poolBytes());
  }

  // Budgets.

  @Override
  protected AllocatorInternals internals() {
    return new Internals(space, events, log, hasStacks);
  }

  GuardedSpace space() {
    return space;
  }

  InUseReport inUse(MemoryAccount account) {
    return new InUseReport(name, new SpaceReader(space.locked().copy()).chargedWithin(account));
  }

  // Reading.

  /** {@return the name in messages} */
  @Override
  public String name() {
    return name;
  }

  /**
   * {@return the options with which this allocator was created}
   *
   * <p>{@link #setLimit} does not change them; {@link #statistics()} has the current limit.
   */
  public BfcOptions options() {
    return options;
  }

  /** {@return the number of requests that wait for frees} */
  public int waitingRequests() {
    return space.member().waitingRequests();
  }

  /** {@return the number of requests so far that threw a {@link BfcOutOfMemoryException}} */
  @Override
  public long failedRequests() {
    return log.failedRequests();
  }

  /**
   * {@return the current statistics of the allocator}
   *
   * <p>A {@linkplain BfcOptions#withFrontCache front cache} is emptied first, as before each
   * report, because its chunks are merged with their neighbours to find the largest free one.
   * Requests are not affected, except that the next ones miss the cache.
   */
  @Override
  public AllocatorStatistics statistics() {
    AllocatorStatistics ofChunks = space.locked().read(RegionSpace::statistics);
    return ofChunks.withSlots(events.slots(false));
  }

  /** Sets each peak to its current value, and the largest chunk to 0. */
  public void clearPeaks() {
    space.locked().run(RegionSpace::clearPeaks);
  }

  /** {@return the regions by ascending address} */
  public List<Region> regions() {
    return space
        .locked()
        .read(current ->
            current.regions().stream()
                .map(region -> new Region(region.address(), region.bytes()))
                .toList());
  }

  /**
   * A region of an allocator.
   *
   * @param address its address
   * @param bytes its size
   */
  public record Region(long address, long bytes) {}

  /** {@return the allocations in use by ascending address; costs O(chunks)} */
  public List<Allocation> allocations() {
    return reader(true).allocations();
  }

  private SpaceReader reader(boolean isEachSlot) {
    RegionSpace copy = space.locked().copy();
    return new SpaceReader(copy, events.slots(isEachSlot));
  }

  /**
   * {@return the regions with all their chunks, free ones included, at one moment and by ascending
   * address; costs O(chunks), most of it without the lock}
   */
  @Override
  public List<RegionChunks> chunks() {
    return reader(false).regions();
  }

  /**
   * {@return the allocation in use that starts at an address, or empty}
   *
   * @param address any number
   */
  public Optional<Allocation> allocation(long address) {
    return space
        .locked()
        .read(current -> {
          int slot = current.find(address);
          return slot == RegionSpace.NONE
              ? Optional.empty()
              : Optional.of(current.allocation(slot));
        });
  }

  /**
   * {@return a report of the memory in use and free; costs O(chunks), most of it without the lock}
   */
  @Override
  public AllocatorReport report() {
    return events.report(space.locked().copy());
  }

  /** {@return a report of the allocations in use} */
  public InUseReport inUse() {
    return new InUseReport(name, allocations());
  }

  /** {@return "allocator" and its name} */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "allocator '%s'", name);
  }
}
