package dev.stowage.core.bfc;

import java.util.Arrays;

/** The free chunks in the order of (bytes, address), as best fit takes them. */
final class FreeChunks {

  /*
   * Most free chunks are small, and there are few small sizes. So below 1 MiB every multiple of 256
   * has a heap of its own by address, and a bitmap of two levels says which of the 4,096 have any:
   *
   *   summary   one bit for 64 heaps, 64 of them in one long
   *   bitmap    one bit a heap
   *
   * The next size that has a chunk is found by two shifts. From 1 MiB on, chunks are few, and lie in
   * one sorted array. Adding and removing costs O(log k) for k chunks of one size, below 1 MiB, and
   * O(log k) comparisons and a move of k slots for k chunks above.
   *
   * Bins, as the reference allocators have them, are ranges of this order: 21 of 256 · 2^n bytes.
   */

  private static final int SMALL_SIZES = 4096;
  private static final long SMALL_BYTES = SMALL_SIZES * ChunkTable.QUANTUM_BYTES;

  static final int BIN_COUNT = 21;

  private final ChunkTable chunks;

  private long summary;
  private final long[] bitmap = new long[64];

  /** For each small size the slots of its chunks, a heap by address; and how many there are. */
  private final int[][] heaps = new int[SMALL_SIZES][];

  private final int[] heapCounts = new int[SMALL_SIZES];

  /** The slots of all others by (bytes, address). */
  private int[] large = new int[16];

  private int largeCount;

  FreeChunks(ChunkTable chunks) {
    this.chunks = chunks;
    Arrays.fill(heaps, new int[0]);
  }

  /** {@return the bin that chunks of a size belong to} */
  static int bin(long bytes) {
    int log2 = Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes / ChunkTable.QUANTUM_BYTES);
    return Math.min(BIN_COUNT - 1, log2);
  }

  /** {@return how many chunks are free} */
  int count() {
    return Arrays.stream(heapCounts).sum() + largeCount;
  }

  /** {@return whether a chunk is here, at the place of its size and address} */
  boolean contains(int slot) {
    long bytes = chunks.bytes(slot);
    int position = chunks.binPosition(slot);
    if (bytes >= SMALL_BYTES) {
      int sorted = largePosition(bytes, chunks.address(slot));
      return sorted < largeCount && large[sorted] == slot;
    }
    int size = (int) (bytes / ChunkTable.QUANTUM_BYTES);
    return position != ChunkTable.NONE
        && position < heapCounts[size]
        && heaps[size][position] == slot;
  }

  void add(int slot) {
    long bytes = chunks.bytes(slot);
    if (bytes < SMALL_BYTES) {
      addSmall(slot, (int) (bytes / ChunkTable.QUANTUM_BYTES));
    } else {
      addLarge(slot);
    }
  }

  void remove(int slot) {
    long bytes = chunks.bytes(slot);
    if (bytes < SMALL_BYTES) {
      removeSmall(slot, (int) (bytes / ChunkTable.QUANTUM_BYTES));
    } else {
      removeLarge(slot);
    }
  }

  /** {@return the first chunk of at least {@code bytes}, or {@link ChunkTable#NONE}} */
  int first(long bytes) {
    if (bytes < SMALL_BYTES) {
      int size = nextSize((int) (bytes / ChunkTable.QUANTUM_BYTES));
      if (size >= 0) {
        return heaps[size][0];
      }
    }
    int position = largePosition(bytes, 0);
    return position < largeCount ? large[position] : ChunkTable.NONE;
  }

  /**
   * {@return the first chunk that holds {@code bytes} at a multiple of {@code alignment}, or {@link
   * ChunkTable#NONE}}
   */
  int first(long bytes, long alignment) {
    int size = bytes < SMALL_BYTES ? (int) (bytes / ChunkTable.QUANTUM_BYTES) : SMALL_SIZES;
    for (size = nextSize(size); size >= 0; size = nextSize(size + 1)) {
      int found = ChunkTable.NONE;
      int[] heap = heaps[size];
      for (int k = 0; k < heapCounts[size]; k++) {
        boolean isLower =
            found == ChunkTable.NONE || chunks.address(heap[k]) < chunks.address(found);
        if (isLower && holds(heap[k], bytes, alignment)) {
          found = heap[k];
        }
      }
      if (found != ChunkTable.NONE) {
        return found;
      }
    }
    for (int k = largePosition(bytes, 0); k < largeCount; k++) {
      if (holds(large[k], bytes, alignment)) {
        return large[k];
      }
    }
    return ChunkTable.NONE;
  }

  private boolean holds(int slot, long bytes, long alignment) {
    return paddingBytes(chunks.address(slot), alignment) <= chunks.bytes(slot) - bytes;
  }

  /** {@return how far an address is from the next multiple of a power of two} */
  static long paddingBytes(long address, long alignment) {
    return -address & (alignment - 1);
  }

  /** {@return the largest free chunk, or {@link ChunkTable#NONE}} */
  int largest() {
    if (largeCount > 0) {
      return large[largeCount - 1];
    }
    if (summary == 0) {
      return ChunkTable.NONE;
    }
    int word = 63 - Long.numberOfLeadingZeros(summary);
    return heaps[word * 64 + 63 - Long.numberOfLeadingZeros(bitmap[word])][0];
  }

  /** {@return the first size from {@code size} on that has a chunk, -1 for none} */
  private int nextSize(int size) {
    if (size >= SMALL_SIZES) {
      return -1;
    }
    int word = size >>> 6;
    long bits = bitmap[word] & (-1L << size);
    if (bits == 0) {
      // A shift by 64 would be a shift by 0.
      long words = word == 63 ? 0 : summary & (-1L << (word + 1));
      if (words == 0) {
        return -1;
      }
      word = Long.numberOfTrailingZeros(words);
      bits = bitmap[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  private void addSmall(int slot, int size) {
    int count = heapCounts[size]++;
    int[] heap = heaps[size];
    if (count == heap.length) {
      heap = Arrays.copyOf(heap, Math.max(4, 2 * count));
      heaps[size] = heap;
    }
    siftUp(heap, count, slot);
    bitmap[size >>> 6] |= 1L << size;
    summary |= 1L << (size >>> 6);
  }

  private void removeSmall(int slot, int size) {
    int[] heap = heaps[size];
    int position = chunks.binPosition(slot);
    int last = --heapCounts[size];
    int moved = heap[last];
    chunks.setBinPosition(slot, ChunkTable.NONE);
    if (last == 0) {
      bitmap[size >>> 6] &= ~(1L << size);
      if (bitmap[size >>> 6] == 0) {
        summary &= ~(1L << (size >>> 6));
      }
    } else if (position < last) {
      siftDown(heap, last, position, moved);
      if (heap[position] == moved) {
        siftUp(heap, position, moved);
      }
    }
  }

  private void siftUp(int[] heap, int start, int slot) {
    int position = start;
    long address = chunks.address(slot);
    while (position > 0) {
      int parent = (position - 1) >>> 1;
      if (chunks.address(heap[parent]) <= address) {
        break;
      }
      place(heap, position, heap[parent]);
      position = parent;
    }
    place(heap, position, slot);
  }

  private void siftDown(int[] heap, int count, int start, int slot) {
    int position = start;
    long address = chunks.address(slot);
    for (int child = 2 * position + 1; child < count; child = 2 * position + 1) {
      if (child + 1 < count && chunks.address(heap[child + 1]) < chunks.address(heap[child])) {
        child++;
      }
      if (address <= chunks.address(heap[child])) {
        break;
      }
      place(heap, position, heap[child]);
      position = child;
    }
    place(heap, position, slot);
  }

  private void place(int[] heap, int position, int slot) {
    heap[position] = slot;
    chunks.setBinPosition(slot, position);
  }

  private void addLarge(int slot) {
    if (largeCount == large.length) {
      large = Arrays.copyOf(large, 2 * largeCount);
    }
    int position = largePosition(chunks.bytes(slot), chunks.address(slot));
    System.arraycopy(large, position, large, position + 1, largeCount - position);
    large[position] = slot;
    largeCount++;
    // Positions above change with every neighbour that comes or goes: only that there is one
    // counts.
    chunks.setBinPosition(slot, 0);
  }

  private void removeLarge(int slot) {
    int position = largePosition(chunks.bytes(slot), chunks.address(slot));
    System.arraycopy(large, position + 1, large, position, largeCount - position - 1);
    largeCount--;
    chunks.setBinPosition(slot, ChunkTable.NONE);
  }

  /** {@return where the first large chunk is that is not before (bytes, address)} */
  private int largePosition(long bytes, long address) {
    int low = 0;
    int high = largeCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int slot = large[middle];
      long slotBytes = chunks.bytes(slot);
      if (slotBytes < bytes || (slotBytes == bytes && chunks.address(slot) < address)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
