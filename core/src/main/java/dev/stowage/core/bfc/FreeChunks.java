package dev.stowage.core.bfc;

import java.util.Arrays;

/** The free chunks in the order of (bytes, address), as best fit takes them. */
final class FreeChunks {

  /*
   * There are few small sizes. So below 1 MiB every multiple of 256 is a class of its own, and all
   * from 1 MiB on are the last class. A bitmap of two levels says which of the 4,096 have any:
   *
   *   summary   one bit for 64 classes, 64 of them in one long
   *   bitmap    one bit a class
   *   firsts    the slot of the first chunk of each class
   *
   * so that the next size that has a chunk is found by two shifts. Few classes have more than one
   * chunk. The others are a ChunkTree to the right of the first, through the chunks themselves,
   * which costs no memory: a free chunk needs neither requested bytes nor an allocation id.
   *
   *   first = a        a, b, c, d, e come in this order
   *             \
   *               c
   *             /   \
   *            b     d
   *                   \
   *                    e
   *
   * Adding and removing cost O(log k) for the k chunks of a class, in whatever order callers free.
   * The shape of a tree changes nothing about the chunks that are found.
   *
   * An aligned request takes the first chunk in this order that holds it at a multiple of its
   * alignment, as the reference does. After MOST_CANDIDATES chunks that are long enough and do not
   * hold it, the search gives up on a best fit: it takes the first chunk with room for the request
   * and the largest padding, which holds it wherever it starts.
   *
   * Bins, as the reference allocators have them, are ranges of this order: 21 of 256 · 2^n bytes.
   */

  private static final int NONE = ChunkTable.NONE;

  private static final int CLASSES = 4096;
  private static final int LAST_CLASS = CLASSES - 1;

  static final int BIN_COUNT = 21;

  /** How many chunks an aligned request looks at before it takes one with room to spare. */
  static final int MOST_CANDIDATES = 1024;

  private final ChunkTable chunks;
  private final ChunkTree tree;

  private long summary;
  private final long[] bitmap;
  private final int[] firsts;
  private int count;

  FreeChunks(ChunkTable chunks) {
    this.chunks = chunks;
    tree = new ChunkTree(chunks);
    bitmap = new long[CLASSES / 64];
    firsts = new int[CLASSES];
    Arrays.fill(firsts, NONE);
  }

  private FreeChunks(FreeChunks source, ChunkTable chunks) {
    this.chunks = chunks;
    tree = new ChunkTree(chunks);
    summary = source.summary;
    bitmap = source.bitmap.clone();
    firsts = source.firsts.clone();
    count = source.count;
  }

  /** {@return the same free chunks in a copy of the table, to read} */
  FreeChunks copy(ChunkTable copiedChunks) {
    return new FreeChunks(this, copiedChunks);
  }

  /** {@return the bin that chunks of a size belong to} */
  static int bin(long bytes) {
    int log2 = Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes / ChunkTable.QUANTUM_BYTES);
    return Math.min(BIN_COUNT - 1, log2);
  }

  /** {@return the class of a size: 0 for 256 bytes, 1 for 512} */
  private static int sizeClass(long bytes) {
    return (int) Math.min(LAST_CLASS, (bytes - 1) >>> ChunkTable.QUANTUM_SHIFT);
  }

  /** {@return how many chunks are free} */
  int count() {
    return count;
  }

  /** {@return whether a chunk is here, at the place of its size and address} */
  boolean contains(int slot) {
    int first = firsts[sizeClass(chunks.bytes(slot))];
    return slot == first || (first != NONE && tree.contains(chunks.right(first), slot));
  }

  /** {@return true if a chunk that is here is in order with its children, and balanced} */
  boolean isSound(int slot) {
    int first = firsts[sizeClass(chunks.bytes(slot))];
    int others = chunks.right(first);
    return slot == first
        ? others == NONE || chunks.isBefore(slot, tree.first(others))
        : tree.isSound(slot);
  }

  /** {@return the number of levels of the tree of the chunks of a size} */
  int levels(long bytes) {
    int first = firsts[sizeClass(bytes)];
    return first == NONE ? 0 : tree.levels(chunks.right(first));
  }

  void add(int slot) {
    count++;
    chunks.setLeaf(slot);
    int sizeClass = sizeClass(chunks.bytes(slot));
    int first = firsts[sizeClass];
    if (first == NONE) {
      firsts[sizeClass] = slot;
      bitmap[sizeClass >>> 6] |= 1L << sizeClass;
      summary |= 1L << (sizeClass >>> 6);
    } else if (chunks.isBefore(slot, first)) {
      int others = chunks.right(first);
      chunks.setLeaf(first);
      chunks.setRight(slot, others == NONE ? first : tree.added(others, first));
      firsts[sizeClass] = slot;
    } else {
      int others = chunks.right(first);
      chunks.setRight(first, others == NONE ? slot : tree.added(others, slot));
    }
  }

  void remove(int slot) {
    int sizeClass = sizeClass(chunks.bytes(slot));
    int first = firsts[sizeClass];
    if (slot == first) {
      removeFirst(sizeClass, slot);
    } else {
      count--;
      chunks.setRight(first, tree.removed(chunks.right(first), slot));
    }
  }

  private void removeFirst(int sizeClass, int slot) {
    count--;
    int others = chunks.right(slot);
    if (others == NONE) {
      clear(sizeClass);
      return;
    }
    int next = tree.first(others);
    if (next == others) {
      firsts[sizeClass] = next; // all others are behind it already
    } else {
      int rest = tree.removedFirst(others);
      chunks.setRight(next, rest);
      firsts[sizeClass] = next;
    }
  }

  private void clear(int sizeClass) {
    firsts[sizeClass] = NONE;
    int word = sizeClass >>> 6;
    long bits = bitmap[word] & ~(1L << sizeClass);
    bitmap[word] = bits;
    summary = (summary & ~(1L << word)) | (oneIfAny(bits) << word);
  }

  /**
   * Removes the first chunk of at least {@code bytes} and {@return it, or {@link ChunkTable#NONE}}
   */
  int takeFirst(long bytes) {
    int sizeClass = sizeClass(bytes);
    if (sizeClass == LAST_CLASS) {
      return takeFirstLarge(bytes);
    }
    int found = nextClass(sizeClass);
    if (found == NONE) {
      return NONE;
    }
    int slot = firsts[found];
    removeFirst(found, slot);
    return slot;
  }

  private int takeFirstLarge(long bytes) {
    int slot = firstLarge(bytes);
    if (slot != NONE) {
      remove(slot);
    }
    return slot;
  }

  private int firstLarge(long bytes) {
    int found = NONE;
    int at = firsts[LAST_CLASS];
    while (at != NONE) {
      if (chunks.bytes(at) >= bytes) {
        found = at;
        at = chunks.left(at);
      } else {
        at = chunks.right(at);
      }
    }
    return found;
  }

  /**
   * {@return a chunk that holds {@code bytes} at a multiple of {@code alignment}, or {@link
   * ChunkTable#NONE}: the first, if it is among the first {@link #MOST_CANDIDATES} of at least so
   * many bytes}
   */
  int first(long bytes, long alignment) {
    tree.setCandidates(MOST_CANDIDATES);
    int found = NONE;
    int c = nextClass(sizeClass(bytes));
    while (c != NONE && found == NONE && tree.hasCandidates()) {
      int first = firsts[c];
      boolean isLongEnough = chunks.bytes(first) >= bytes;
      found =
          isLongEnough && tree.isHeld(first, bytes, alignment)
              ? first
              : tree.search(chunks.right(first), bytes, alignment);
      c = c == LAST_CLASS ? NONE : nextClass(c + 1);
    }
    return tree.hasCandidates() ? found : firstWithPadding(bytes, alignment);
  }

  /** {@return the first chunk that holds a request wherever it starts} */
  private int firstWithPadding(long bytes, long alignment) {
    long padding = alignment - ChunkTable.QUANTUM_BYTES;
    if (bytes > Long.MAX_VALUE - padding) {
      return NONE;
    }
    int sizeClass = sizeClass(bytes + padding);
    int found = sizeClass == LAST_CLASS ? LAST_CLASS : nextClass(sizeClass);
    return found == NONE || found == LAST_CLASS ? firstLarge(bytes + padding) : firsts[found];
  }

  /** Removes what {@link #first(long, long)} finds and {@return it, or {@link ChunkTable#NONE}} */
  int takeFirst(long bytes, long alignment) {
    int slot = first(bytes, alignment);
    if (slot != NONE) {
      remove(slot);
    }
    return slot;
  }

  /** {@return how far an address is from the next multiple of a power of two} */
  static long paddingBytes(long address, long alignment) {
    return -address & (alignment - 1);
  }

  /** {@return the largest free chunk, or {@link ChunkTable#NONE}} */
  int largest() {
    if (summary == 0) {
      return NONE;
    }
    int word = 63 - Long.numberOfLeadingZeros(summary);
    int slot = firsts[word * 64 + 63 - Long.numberOfLeadingZeros(bitmap[word])];
    while (chunks.right(slot) != NONE) {
      slot = chunks.right(slot);
    }
    return slot;
  }

  /** {@return the first class from one on that has a chunk, or {@link ChunkTable#NONE}} */
  private int nextClass(int sizeClass) {
    int start = sizeClass >>> 6;
    long bits = bitmap[start] & (-1L << sizeClass);
    long words = (summary & (-2L << start)) | (oneIfAny(bits) << start);
    if (words == 0) {
      return NONE;
    }
    int word = Long.numberOfTrailingZeros(words);
    // In the first word only what is not below the class: there the mask has all bits set.
    int isStart = (word - start - 1) >> 31;
    return (word << 6) + Long.numberOfTrailingZeros(bitmap[word] & (-1L << (sizeClass & isStart)));
  }

  /** {@return 1 for any bits, 0 for none, without a branch} */
  private static long oneIfAny(long bits) {
    return (bits | -bits) >>> 63;
  }
}
