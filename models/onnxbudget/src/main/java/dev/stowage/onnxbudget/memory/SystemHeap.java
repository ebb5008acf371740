package dev.stowage.onnxbudget.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A simulation of the C library's allocator (glibc, an arena other than the main one), which counts
 * resident pages.
 *
 * <p>An arena has heaps of 64 MiB. A request takes the smallest free block that is large enough,
 * else the unused end of the last heap. A request that fits nowhere gets a mapping of its own if it
 * is large: at least as large as the largest mapping that was freed before, and at most 32 MiB.
 * Free blocks stay resident, apart from mappings, heaps without blocks, and the end of the last
 * heap. Follows {@code malloc.c} and {@code arena.c} of glibc 2.36.
 */
final class SystemHeap {

  private static final long PAGE_BYTES = 4096;
  private static final long HEAP_BYTES = 64L << 20;
  private static final long HEADER_BYTES = 32;
  private static final long LEAST_BLOCK_BYTES = 32;
  private static final long GRANULARITY_BYTES = 16;
  private static final long PADDING_BYTES = 128L << 10;
  private static final long LARGEST_THRESHOLD_BYTES = 32L << 20;
  private static final long LEAST_TRIMMED_BYTES = 64L << 10;
  private static final long ALIGNMENT_BYTES = 64;

  /** The largest free block that serves small requests only and never joins its neighbours. */
  private static final long LARGEST_SMALL_BYTES = 128;

  private static final long BLOCK_HEADER_BYTES = 16;

  private record Block(long start, long bytes, boolean isMapped) {

    long end() {
      return start + bytes;
    }
  }

  private record Hole(long bytes, long start) implements Comparable<Hole> {

    @Override
    public int compareTo(Hole other) {
      return bytes != other.bytes
          ? Long.compare(bytes, other.bytes)
          : Long.compare(start, other.start);
    }
  }

  private final Map<Integer, Block> blocks = new HashMap<>();

  /** The resident bytes of mappings by the numbers of their blocks. */
  private final Map<Integer, Long> written = new HashMap<>();

  /** The sizes of free blocks by their starts. */
  private final TreeMap<Long, Long> holes = new TreeMap<>();

  private final TreeSet<Hole> holesBySize = new TreeSet<>();
  private final TouchedRanges resident = new TouchedRanges();

  /** The start of the unused end of the last heap. */
  private long top = HEADER_BYTES;

  /** The end of the last heap, of which the rest is only reserved. */
  private long end = HEADER_BYTES;

  private long mapThresholdBytes = 128L << 10;
  private long trimThresholdBytes = 128L << 10;
  private long mappedBytes;
  private long highestBytes;

  /** Creates an allocator without blocks. */
  SystemHeap() {}

  /**
   * Takes pages for small blocks, which do not count as resident, at the end of the last heap.
   *
   * @param bytes the sum of their sizes, less than that of a heap
   */
  void reserve(long bytes) {
    growTo(pages(bytes));
    top += pages(bytes);
  }

  /** Allocates a block, which is written in full. */
  void allocate(int id, long bytes, boolean isAligned) {
    allocate(id, bytes, bytes, isAligned);
  }

  /**
   * Allocates a block of which only the first bytes are written.
   *
   * @param id the number of the block
   * @param bytes the size of the block
   * @param writtenBytes the bytes that are written
   * @param isAligned true if the block is aligned to 64 bytes
   */
  void allocate(int id, long bytes, long writtenBytes, boolean isAligned) {
    long size =
        Math.max(
            LEAST_BLOCK_BYTES,
            Math.ceilDiv(bytes + Long.BYTES, GRANULARITY_BYTES) * GRANULARITY_BYTES);
    long searched = isAligned ? size + ALIGNMENT_BYTES + LEAST_BLOCK_BYTES : size;
    Hole hole = holesBySize.ceiling(new Hole(searched, 0));
    Block block;
    if (hole != null) {
      remove(hole.start());
      block = cut(hole.start(), hole.start() + hole.bytes(), size, isAligned);
    } else if ((end - top < searched + LEAST_BLOCK_BYTES && searched >= mapThresholdBytes)
        || searched + HEADER_BYTES + LEAST_BLOCK_BYTES > HEAP_BYTES) {
      block = new Block(0, pages(searched + BLOCK_HEADER_BYTES), true);
      mappedBytes += Math.min(block.bytes(), pages(writtenBytes));
      written.put(id, Math.min(block.bytes(), pages(writtenBytes)));
    } else {
      growTo(searched);
      long start = top;
      top += searched;
      block = cut(start, top, size, isAligned);
    }
    blocks.put(id, block);
    if (!block.isMapped()) {
      long last = Math.min(block.end(), block.start() + BLOCK_HEADER_BYTES + writtenBytes) - 1;
      resident.add(page(block.start()), page(last) + PAGE_BYTES);
    }
    highestBytes = Math.max(highestBytes, residentBytes());
  }

  private void growTo(long searched) {
    long needed = searched + LEAST_BLOCK_BYTES;
    if (end - top >= needed) {
      return;
    }
    long heapEnd = heap(end - 1) + HEAP_BYTES;
    if (top + needed > heapEnd) {
      if (end > top) {
        addHole(top, end);
      }
      top = heapEnd + HEADER_BYTES;
      heapEnd += HEAP_BYTES;
      end = top;
    }
    end = Math.min(heapEnd, pages(top + needed + PADDING_BYTES));
  }

  /** {@return a block in a range, of which the rest becomes free} */
  private Block cut(long start, long limit, long size, boolean isAligned) {
    long from = start;
    if (isAligned) {
      long user = Math.ceilDiv(start + BLOCK_HEADER_BYTES, ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
      from = user - BLOCK_HEADER_BYTES;
      if (from != start && from - start < LEAST_BLOCK_BYTES) {
        from += ALIGNMENT_BYTES;
      }
      if (from - start > LARGEST_SMALL_BYTES) {
        addHole(start, from);
      }
    }
    long to = from + size;
    if (limit - to >= LEAST_BLOCK_BYTES) {
      if (limit - to <= LARGEST_SMALL_BYTES && limit != top) {
        return new Block(from, size, false);
      }
      if (limit == top) {
        top = to;
      } else {
        addHole(to, limit);
      }
    } else {
      to = limit;
    }
    return new Block(from, to - from, false);
  }

  /** Frees a block. */
  void free(int id) {
    Block block = blocks.remove(id);
    if (block == null) {
      return;
    }
    if (block.isMapped()) {
      mappedBytes -= Objects.requireNonNull(written.remove(id));
      if (block.bytes() > mapThresholdBytes && block.bytes() <= LARGEST_THRESHOLD_BYTES) {
        mapThresholdBytes = block.bytes();
        trimThresholdBytes = 2 * block.bytes();
      }
      return;
    }
    long merged = addHole(block.start(), block.end());
    if (merged >= LEAST_TRIMMED_BYTES) {
      trim();
    }
  }

  /** {@return the size of the free block with its free neighbours} */
  private long addHole(long start, long limit) {
    long from = start;
    long to = limit;
    Map.Entry<Long, Long> before = holes.floorEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      from = before.getKey();
      remove(from);
    }
    Long after = holes.get(limit);
    if (after != null) {
      remove(limit);
      to = limit + after;
    }
    if (to == top) {
      top = from;
      return end - top;
    }
    holes.put(from, to - from);
    holesBySize.add(new Hole(to - from, from));
    return to - from;
  }

  private void remove(long start) {
    long bytes = Objects.requireNonNull(holes.remove(start));
    holesBySize.remove(new Hole(bytes, start));
  }

  /** Returns empty heaps and the unused end of the last heap to the system. */
  private void trim() {
    while (top == heap(top) + HEADER_BYTES && heap(top) > 0) {
      long heap = heap(top);
      Map.Entry<Long, Long> last = holes.lowerEntry(heap);
      boolean isFree = last != null && last.getKey() + last.getValue() == heap;
      if (last == null || !isFree || last.getValue() < PADDING_BYTES + PAGE_BYTES) {
        break;
      }
      resident.remove(heap, heap + HEAP_BYTES);
      remove(last.getKey());
      top = last.getKey();
      end = heap;
    }
    if (end - top >= trimThresholdBytes) {
      long least = pages(top + PADDING_BYTES);
      if (least < end) {
        resident.remove(least, heap(end - 1) + HEAP_BYTES);
        end = least;
      }
    }
  }

  private static long heap(long address) {
    return address / HEAP_BYTES * HEAP_BYTES;
  }

  private static long page(long address) {
    return address / PAGE_BYTES * PAGE_BYTES;
  }

  private static long pages(long bytes) {
    return Math.ceilDiv(bytes, PAGE_BYTES) * PAGE_BYTES;
  }

  /** {@return the resident bytes} */
  long residentBytes() {
    return resident.bytes() + mappedBytes;
  }

  /** {@return the most resident bytes so far} */
  long highestBytes() {
    return highestBytes;
  }
}
