package dev.stowage.memory.pool;

import dev.stowage.core.bfc.Allocation;
import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.memory.lifetime.Invariants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The freed memory of a pool in debug mode, which is checked for writes. Safe for use by many
 * threads.
 */
final class FreedMemory {

  /*
   * A freed allocation is filled with a pattern. Its range is kept until the memory, or a part of it,
   * is allocated again or leaves the pool:
   *
   *   allocation 17 is freed      |DDDDDDDDDDDDDDDDDDDDDDDD|
   *   allocation 23 reuses a part |   23   |DDDDDDDDDDDDDDD|  the rest is a range of allocation 17
   *
   * A range is added before its memory is free, and removed before it is used or unmapped, so that it
   * can be read under the lock.
   *
   *   F1  ranges are disjoint, lie in the regions of the pool, and overlap no allocation in use.
   */

  static final byte FREED = (byte) 0xDD;
  static final byte FRESH = (byte) 0xFF;

  private static final int MAX_FINDINGS = 3;
  private static final int SHOWN_BYTES = 8;

  private static final MemorySegment PATTERN = pattern();

  private record Range(long start, long end, Allocation freed) {}

  private final String pool;
  private final TreeMap<Long, Range> ranges = new TreeMap<>();
  private final List<String> findings = new ArrayList<>();
  private long findingCount;

  FreedMemory(String pool) {
    this.pool = pool;
  }

  private static MemorySegment pattern() {
    byte[] bytes = new byte[1 << 16];
    Arrays.fill(bytes, FREED);
    return MemorySegment.ofArray(bytes).asReadOnly();
  }

  /** Fills memory that is about to be freed. */
  void free(Allocation allocation) {
    long end = allocation.address() + allocation.requestedBytes();
    Filling.fill(allocation.address(), allocation.requestedBytes(), FREED);
    add(new Range(allocation.address(), end, allocation));
  }

  private synchronized void add(Range range) {
    if (range.start() < range.end()) {
      ranges.put(range.start(), range);
    }
  }

  /** Checks and removes the ranges of memory that is about to be used or unmapped. */
  synchronized void checkAndRemove(long address, long bytes) {
    long end = address + bytes;
    Map.Entry<Long, Range> entry = ranges.lowerEntry(end);
    while (entry != null && entry.getValue().end() > address) {
      Range range = entry.getValue();
      ranges.remove(range.start());
      check(new Range(Math.max(address, range.start()), Math.min(end, range.end()), range.freed()));
      add(new Range(range.start(), Math.min(address, range.end()), range.freed()));
      add(new Range(Math.max(end, range.start()), range.end(), range.freed()));
      entry = ranges.lowerEntry(end);
    }
  }

  /** Checks all freed memory. */
  synchronized void checkAll() {
    ranges.values().forEach(this::check);
  }

  private void check(Range range) {
    MemorySegment bytes = segment(range.start(), range.end() - range.start());
    for (long from = 0; from < bytes.byteSize(); from += PATTERN.byteSize()) {
      long length = Math.min(PATTERN.byteSize(), bytes.byteSize() - from);
      long mismatch = MemorySegment.mismatch(bytes, from, from + length, PATTERN, 0, length);
      if (mismatch >= 0) {
        find(range, bytes.asSlice(from + mismatch));
        bytes.fill(FREED); // is reported once
        return;
      }
    }
  }

  private void find(Range range, MemorySegment written) {
    findingCount++;
    if (findings.size() == MAX_FINDINGS) {
      return;
    }
    StringBuilder found = new StringBuilder();
    for (long i = 0; i < Math.min(SHOWN_BYTES, written.byteSize()); i++) {
      found.append(String.format(Locale.ROOT, " %02X", written.get(ValueLayout.JAVA_BYTE, i)));
    }
    Allocation freed = range.freed();
    findings.add(
        String.format(
            Locale.ROOT,
            "at 0x%x, offset %d of freed allocation %d%s of %d bytes, is%s instead of %02X",
            written.address(),
            written.address() - freed.address(),
            freed.id(),
            freed.tag().isEmpty() ? "" : String.format(Locale.ROOT, " '%s'", freed.tag()),
            freed.requestedBytes(),
            found,
            FREED));
  }

  /**
   * Throws the findings since the last call, if there are any.
   *
   * @throws IllegalStateException if freed memory was written to
   */
  synchronized void throwFindings() {
    if (findingCount > 0) {
      long more = findingCount - findings.size();
      String message =
          String.format(
              Locale.ROOT,
              "pool '%s': freed memory was written to: %s%s",
              pool,
              String.join("; ", findings),
              more == 0 ? "" : String.format(Locale.ROOT, "; and %d more", more));
      findings.clear();
      findingCount = 0;
      throw new IllegalStateException(message);
    }
  }

  /** Checks F1, while no other thread uses the pool. */
  synchronized void checkInvariants(BfcAllocator allocator) {
    long end = Long.MIN_VALUE;
    for (Range range : ranges.values()) {
      Invariants.check(range.start() >= end, "F1 ranges of freed memory overlap", () -> range);
      end = range.end();
      boolean isInRegion =
          allocator.regions().stream()
              .anyMatch(region ->
                  region.address() <= range.start()
                      && range.end() <= region.address() + region.bytes());
      Invariants.check(isInRegion, "F1 freed memory is in no region", () -> range);
    }
    for (Allocation allocation : allocator.allocations()) {
      Map.Entry<Long, Range> below =
          ranges.lowerEntry(allocation.address() + allocation.requestedBytes());
      boolean isApart = below == null || below.getValue().end() <= allocation.address();
      Invariants.check(isApart, "F1 freed memory is in use", () -> allocation);
    }
  }

  /** {@return memory that no caller has} */
  private static MemorySegment segment(long address, long bytes) {
    return RawMemory.segment(address, bytes, Arena.global());
  }
}
