package dev.stowage.memory.pool;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.memory.lifetime.Invariants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The memory of a pool in debug mode that no caller may write: freed memory, and the slack after
 * each allocation. Safe for use by many threads.
 */
final class FreedMemory {

  /*
   * A freed allocation is filled with a pattern, and so is the slack between the end of an allocation
   * and the end of its last 256 bytes. These ranges are kept until the memory, or a part of it, is
   * allocated again or leaves the pool:
   *
   *   allocation 17 is in use     |     17       |ssss|
   *   allocation 17 is freed      |DDDDDDDDDDDDDDDDDDD|
   *   allocation 23 reuses a part |   23   |ss|DDDDDDD|  the rest is a range of allocation 17
   *
   * The slack has at least 16 bytes: a request that leaves fewer takes 16 bytes more.
   *
   * A range is added before its memory is free, and removed before it is used or unmapped, so that it
   * can be read under the lock.
   *
   *   F1  ranges are disjoint and lie in the regions of the pool; freed ones overlap no allocation in
   *       use;
   *   F2  each allocation in use has the slack after it.
   */

  static final byte FREED = (byte) 0xDD;
  static final byte FRESH = (byte) 0xFF;

  private static final MemorySegment FREED_PATTERN = pattern(FREED);
  private static final MemorySegment SLACK_PATTERN = pattern(SlackBytes.PATTERN);

  /**
   * A range that has a pattern.
   *
   * @param block the freed allocation, or the allocation before the range
   * @param blockBytes the bytes of it that the caller requested
   */
  private record Range(long start, long end, boolean isFreed, Allocation block, long blockBytes) {

    private MemorySegment pattern() {
      return isFreed ? FREED_PATTERN : SLACK_PATTERN;
    }

    private byte value() {
      return isFreed ? FREED : SlackBytes.PATTERN;
    }

    private Range part(long from, long to) {
      return new Range(Math.max(start, from), Math.min(end, to), isFreed, block, blockBytes);
    }
  }

  private final Optional<FreedMemory> above;

  /** The freed memory of private pools; their regions have the same source. */
  private final List<FreedMemory> privatePools = new CopyOnWriteArrayList<>();

  private final TreeMap<Long, Range> ranges = new TreeMap<>();
  private final IllegalWrites illegalWrites;

  FreedMemory(String pool) {
    this(pool, Optional.empty());
  }

  private FreedMemory(String pool, Optional<FreedMemory> above) {
    this.above = above;
    this.illegalWrites = new IllegalWrites(pool);
  }

  /** {@return the memory of a private pool that no caller may write} */
  FreedMemory openPrivate(String privatePool) {
    FreedMemory opened = new FreedMemory(privatePool, Optional.of(this));
    privatePools.add(opened);
    return opened;
  }

  /** Ends the watch of a closed pool. */
  void end() {
    above.ifPresent(pool -> pool.privatePools.remove(this));
  }

  private static MemorySegment pattern(byte value) {
    byte[] bytes = new byte[1 << 16];
    Arrays.fill(bytes, value);
    return MemorySegment.ofArray(bytes).asReadOnly();
  }

  /**
   * Checks and removes the ranges in newly allocated memory, and fills its slack.
   *
   * @param allocation an allocation of {@link SlackBytes#addTo} bytes
   * @param bytes the bytes that the caller requested
   */
  void use(Allocation allocation, long bytes) {
    long start = allocation.address() + bytes;
    long end = SlackBytes.end(allocation);
    checkAndRemoveOwn(allocation.address(), end - allocation.address());
    Filling.fill(start, end - start, SlackBytes.PATTERN);
    add(new Range(start, end, false, allocation, bytes));
  }

  /** Checks the slack of an allocation before its free, and fills its memory and slack. */
  void free(Allocation allocation) {
    long bytes = checkAndRemoveSlack(allocation);
    long end = SlackBytes.end(allocation);
    Filling.fill(allocation.address(), end - allocation.address(), FREED);
    add(new Range(allocation.address(), end, true, allocation, bytes));
  }

  /** Checks and removes the slack of an allocation and {@return the requested bytes} */
  private synchronized long checkAndRemoveSlack(Allocation allocation) {
    Map.Entry<Long, Range> entry = ranges.lowerEntry(SlackBytes.end(allocation));
    if (entry == null || entry.getValue().block().id() != allocation.id()) {
      return allocation.requestedBytes(); // the allocation failed before it was used
    }
    ranges.remove(entry.getKey());
    check(entry.getValue());
    return entry.getValue().blockBytes();
  }

  private synchronized void add(Range range) {
    if (range.start() < range.end()) {
      ranges.put(range.start(), range);
    }
  }

  /** Checks and removes the ranges of memory that is about to be unmapped. */
  void checkAndRemove(long address, long bytes) {
    checkAndRemoveOwn(address, bytes);
    privatePools.forEach(each -> each.checkAndRemove(address, bytes));
  }

  /** Checks and removes the ranges of this pool in memory that is about to be used or unmapped. */
  private synchronized void checkAndRemoveOwn(long address, long bytes) {
    long end = address + bytes;
    Map.Entry<Long, Range> entry = ranges.lowerEntry(end);
    while (entry != null && entry.getValue().end() > address) {
      Range range = entry.getValue();
      ranges.remove(range.start());
      check(range.part(address, end));
      add(range.part(Long.MIN_VALUE, address));
      add(range.part(end, Long.MAX_VALUE));
      entry = ranges.lowerEntry(end);
    }
  }

  /** Checks all freed memory, and the slack of all allocations in use. */
  synchronized void checkAll() {
    ranges.values().forEach(this::check);
  }

  /** Checks the slack of all allocations in use. */
  synchronized void checkSlack() {
    ranges.values().stream().filter(range -> !range.isFreed()).forEach(this::check);
  }

  private void check(Range range) {
    MemorySegment bytes = segment(range.start(), range.end() - range.start());
    MemorySegment pattern = range.pattern();
    for (long from = 0; from < bytes.byteSize(); from += pattern.byteSize()) {
      long length = Math.min(pattern.byteSize(), bytes.byteSize() - from);
      long mismatch = MemorySegment.mismatch(bytes, from, from + length, pattern, 0, length);
      if (mismatch >= 0) {
        find(range, bytes.asSlice(from + mismatch));
        bytes.fill(range.value()); // is reported once
        return;
      }
    }
  }

  private void find(Range range, MemorySegment written) {
    Allocation block = range.block();
    long offset = written.address() - block.address();
    illegalWrites.add(range.isFreed(), block, range.blockBytes(), offset, written, range.value());
  }

  /**
   * Throws the illegal writes since the last call, if there are any.
   *
   * @throws IllegalStateException if freed memory or slack was written to
   */
  synchronized void throwFindings() {
    illegalWrites.throwAll();
  }

  /** Checks F1 and F2, while no other thread uses the pool. */
  synchronized void checkInvariants(BfcAllocator allocator) {
    long end = Long.MIN_VALUE;
    for (Range range : ranges.values()) {
      Invariants.check(range.start() >= end, "F1 ranges overlap", () -> range);
      end = range.end();
      boolean isInRegion =
          allocator.regions().stream()
              .anyMatch(region ->
                  region.address() <= range.start()
                      && range.end() <= region.address() + region.bytes());
      Invariants.check(isInRegion, "F1 a range is in no region", () -> range);
    }
    for (Allocation allocation : allocator.allocations()) {
      Map.Entry<Long, Range> slack = ranges.lowerEntry(SlackBytes.end(allocation));
      boolean isAfter =
          slack != null
              && slack.getValue().end() == SlackBytes.end(allocation)
              && slack.getValue().block().id() == allocation.id();
      Invariants.check(isAfter, "F2 an allocation has no slack", () -> allocation);
      Map.Entry<Long, Range> below = ranges.lowerEntry(slack == null ? 0 : slack.getKey());
      boolean isApart = below == null || below.getValue().end() <= allocation.address();
      Invariants.check(isApart, "F1 freed memory is in use", () -> allocation);
    }
  }

  /** {@return memory that no caller has} */
  private static MemorySegment segment(long address, long bytes) {
    return RawMemory.segment(address, bytes, Arena.global());
  }
}
