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
   * chunk. The others are a search tree by (bytes, address) to the right of the first, through the
   * chunks themselves, which costs no memory: a chunk that is free needs no requested bytes.
   *
   *   first = a        a, b, c, d, e lie in this order
   *             \      c has a higher priority than what is below it, and so on
   *               c
   *             /   \
   *            b     e
   *                 /
   *                d
   *
   * Priorities are numbers drawn from slots (a treap: Seidel and Aragon, Randomized Search Trees,
   * 1996), so that adding and removing costs O(log k) for k chunks of the class, expected, whatever
   * comes and goes. Their places in the tree do not change what is found.
   *
   * Bins, as the reference allocators have them, are ranges of this order: 21 of 256 · 2^n bytes.
   */

  private static final int NONE = ChunkTable.NONE;

  private static final int CLASSES = 4096;
  private static final int LAST_CLASS = CLASSES - 1;

  static final int BIN_COUNT = 21;

  private final ChunkTable chunks;

  private long summary;
  private final long[] bitmap = new long[CLASSES / 64];
  private final int[] firsts = new int[CLASSES];
  private int count;

  FreeChunks(ChunkTable chunks) {
    this.chunks = chunks;
    Arrays.fill(firsts, NONE);
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
    int tree = firsts[sizeClass(chunks.bytes(slot))];
    while (tree != NONE && tree != slot) {
      tree = isBefore(slot, tree) ? chunks.left(tree) : chunks.right(tree);
    }
    return tree == slot;
  }

  void add(int slot) {
    count++;
    chunks.setChildren(slot, NONE, NONE);
    int sizeClass = sizeClass(chunks.bytes(slot));
    int first = firsts[sizeClass];
    if (first == NONE) {
      firsts[sizeClass] = slot;
      bitmap[sizeClass >>> 6] |= 1L << sizeClass;
      summary |= 1L << (sizeClass >>> 6);
    } else if (isBefore(slot, first)) {
      int others = chunks.right(first);
      chunks.setRight(first, NONE);
      chunks.setRight(slot, added(others, first));
      firsts[sizeClass] = slot;
    } else {
      chunks.setRight(first, added(chunks.right(first), slot));
    }
  }

  void remove(int slot) {
    int sizeClass = sizeClass(chunks.bytes(slot));
    int first = firsts[sizeClass];
    if (slot == first) {
      removeFirst(sizeClass, slot);
    } else {
      count--;
      chunks.setRight(first, removed(chunks.right(first), slot));
    }
  }

  private void removeFirst(int sizeClass, int slot) {
    count--;
    int others = chunks.right(slot);
    if (others == NONE) {
      clear(sizeClass);
      return;
    }
    int above = NONE;
    int next = others;
    for (int left = chunks.left(next); left != NONE; left = chunks.left(next)) {
      above = next;
      next = left;
    }
    if (above != NONE) {
      chunks.setLeft(above, chunks.right(next));
      chunks.setRight(next, others);
    }
    firsts[sizeClass] = next;
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
    int tree = firsts[LAST_CLASS];
    while (tree != NONE) {
      if (chunks.bytes(tree) >= bytes) {
        found = tree;
        tree = chunks.left(tree);
      } else {
        tree = chunks.right(tree);
      }
    }
    return found;
  }

  /**
   * {@return the first chunk that holds {@code bytes} at a multiple of {@code alignment}, or {@link
   * ChunkTable#NONE}}
   */
  int first(long bytes, long alignment) {
    int found = NONE;
    for (int c = nextClass(sizeClass(bytes));
        c != NONE && found == NONE;
        c = c == LAST_CLASS ? NONE : nextClass(c + 1)) {
      found = first(firsts[c], bytes, alignment);
    }
    return found;
  }

  /** Removes what {@link #first(long, long)} finds and {@return it, or {@link ChunkTable#NONE}} */
  int takeFirst(long bytes, long alignment) {
    int slot = first(bytes, alignment);
    if (slot != NONE) {
      remove(slot);
    }
    return slot;
  }

  private int first(int tree, long bytes, long alignment) {
    if (tree == NONE) {
      return NONE;
    }
    if (chunks.bytes(tree) < bytes) {
      return first(chunks.right(tree), bytes, alignment);
    }
    int before = first(chunks.left(tree), bytes, alignment);
    if (before != NONE) {
      return before;
    }
    return holds(tree, bytes, alignment) ? tree : first(chunks.right(tree), bytes, alignment);
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

  /** Adds a chunk to a tree and {@return the tree's root} */
  private int added(int tree, int slot) {
    if (tree == NONE) {
      return slot;
    }
    if (priority(slot) > priority(tree)) {
      split(tree, slot);
      return slot;
    }
    if (isBefore(slot, tree)) {
      chunks.setLeft(tree, added(chunks.left(tree), slot));
    } else {
      chunks.setRight(tree, added(chunks.right(tree), slot));
    }
    return tree;
  }

  /** Makes what is before and behind a chunk in a tree the chunk's children. */
  private void split(int tree, int slot) {
    if (tree == NONE) {
      chunks.setChildren(slot, NONE, NONE);
    } else if (isBefore(slot, tree)) {
      split(chunks.left(tree), slot);
      chunks.setLeft(tree, chunks.right(slot));
      chunks.setRight(slot, tree);
    } else {
      split(chunks.right(tree), slot);
      chunks.setRight(tree, chunks.left(slot));
      chunks.setLeft(slot, tree);
    }
  }

  /** Removes a chunk from a tree and {@return the tree's root} */
  private int removed(int tree, int slot) {
    if (tree == slot) {
      return joined(chunks.left(slot), chunks.right(slot));
    }
    if (isBefore(slot, tree)) {
      chunks.setLeft(tree, removed(chunks.left(tree), slot));
    } else {
      chunks.setRight(tree, removed(chunks.right(tree), slot));
    }
    return tree;
  }

  /** {@return the root of a tree of two trees, one wholly before the other} */
  private int joined(int before, int behind) {
    if (before == NONE) {
      return behind;
    }
    if (behind == NONE) {
      return before;
    }
    if (priority(before) > priority(behind)) {
      chunks.setRight(before, joined(chunks.right(before), behind));
      return before;
    }
    chunks.setLeft(behind, joined(before, chunks.left(behind)));
    return behind;
  }

  private boolean isBefore(int slot, int other) {
    long bytes = chunks.bytes(slot);
    long otherBytes = chunks.bytes(other);
    return bytes < otherBytes
        || (bytes == otherBytes && chunks.address(slot) < chunks.address(other));
  }

  /** {@return a number that no other slot has: the finalizer of MurmurHash3} */
  private static int priority(int slot) {
    int hash = slot;
    hash = (hash ^ (hash >>> 16)) * 0x85EBCA6B;
    hash = (hash ^ (hash >>> 13)) * 0xC2B2AE35;
    return hash ^ (hash >>> 16);
  }
}
