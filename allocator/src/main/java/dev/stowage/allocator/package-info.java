/**
 * Allocates and frees memory while a model runs: best fit with coalescing over the regions of a
 * device, as in TensorFlow's BFC allocator.
 *
 * <p>This package never touches memory. A {@link dev.stowage.allocator.SubAllocator} provides
 * regions, which are ranges of addresses. A {@link dev.stowage.allocator.BfcAllocator} returns
 * addresses in them. Their callers access the memory.
 *
 * <h2>For maintainers</h2>
 *
 * <p>Threads share a {@link BfcAllocator}. Each of its parts depends only on parts below it:
 *
 * <ul>
 *   <li>{@link AllocationBudget}: shares of an allocator. {@link BfcAllocator}: the public methods.
 *   <li>{@link GuardedSpace}: the operations: requests, frees and limits. {@link Reassignment}
 *       gives chunks in use to other requests.
 *   <li>{@link FamilyMember}, {@link Waiters}: an allocator or private pool in its family: its
 *       limits, its end, its charges to budgets, and the requests that wait. The thread that frees
 *       serves them in order. A request that another request holds up stands in a line behind it.
 *   <li>{@link Internals}: the part of an allocator that only other modules of Stowage get. {@link
 *       dev.stowage.allocator.internal.InternalAccess} passes it to them.
 *   <li>{@link LockedSpace}, {@link ShortLock}: the space and its front cache behind the lock, and
 *       copies of the space.
 *   <li>{@link FrontCache}, {@link dev.stowage.allocator.stripe.CacheStripe}: freed chunks for the
 *       next request of about their size, with a lock for each stripe of threads. The space lends
 *       the chunks to a stripe, and takes all of them back before it is read or a request fails.
 *   <li>{@link AllocatorEvents}: each event once, to JDK Flight Recorder, the log and the listener.
 *       {@link Callbacks} rejects operations that foreign code starts while an operation calls it.
 *   <li>{@link Shortage}, {@link AllocatorReport}, {@link InUseReport}: explanations.
 *   <li>{@link RegionSpace}: takes, cuts, frees and merges chunks, with the placements of
 *       TensorFlow's allocator, and counts bytes. {@link PlacementRule} is the rule for places:
 *       {@link BestFit}, or {@link TwoEnds} of XLA, the only class that knows the end of a request.
 *   <li>{@link PoolFamily}, {@link Relatives}: an allocator and its private pools: one lock, a
 *       space for each, limits for the sum of their regions, and one set of waiting members.
 *   <li>{@link RegionSupply}: gets regions from the sub-allocator and returns them: growth, limits,
 *       back-off, garbage collection, trimming.
 *   <li>{@link TiledRegions}: the regions and the chunks that tile them.
 *   <li>{@link ChunkTable}, {@link ChunkIndex}, {@link FreeChunks}: the chunks by slot, by address
 *       and by size. They are flat arrays of words and not an object for each chunk. Their memory
 *       grows with the number of chunks, and not with the bytes of the regions.
 *   <li>{@link AllocationTag}, {@link Origin}: the origin of an allocation.
 *   <li>{@link MemoryAccount}: charges to a tree of accounts, by an allocator or by any code.
 *       {@link ChargeQueue}: the charges that wait, in the order of their arrival. {@link TagSums}:
 *       the sums of charges by tag.
 * </ul>
 *
 * <p>Invariants: I1 to I6 and I10 in {@link SpaceCheck}, I7 to I9 in {@link FreeChunks}, T in
 * {@link ChunkTree}, K in {@link dev.stowage.allocator.stripe.CacheStripe} and {@link FrontCache},
 * E in {@link TwoEndedChunks}. One {@code checkInvariants()} checks all of them.
 *
 * <p>Explanations and reports walk all chunks of a copy, without the lock. The large arrays of the
 * copy are allocated before the lock is taken. Other threads wait only while the words are copied.
 */
package dev.stowage.allocator;
