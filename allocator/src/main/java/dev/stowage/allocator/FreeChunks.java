package dev.stowage.allocator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The free chunks in the order of best fit: by bytes, equal ones by address. */
class FreeChunks {

  /*
   * Each multiple of 256 below 1 MiB is a size class of its own, and all sizes from 1 MiB are the last
   * class. A bitmap of two levels says which of the 4,096 classes have chunks:
   *
   *   summary   one bit for 64 classes, 64 of them in one long
   *   bitmap    one bit for each class
   *   firsts    the slot of the first chunk of each class
   *
   * Two shifts find the next size that has a chunk. Few classes have more than one chunk, and most of
   * them have a few. The first chunks of a class, at most MAX_LISTED, are a list through their right
   * children. The right child of the last one is the root of a ChunkTree of all others. So a class is a
   * search tree, and the list is a part of it that is not balanced. It takes no memory of its own: a
   * free chunk needs neither requested bytes nor an allocation id.
   *
   *   first = a        a to f in ascending order; a and b are the list
   *             \
   *               b
   *                 \
   *                   d
   *                 /   \
   *                c     e
   *                       \
   *                        f
   *
   * A list needs fewer steps than a tree for a few chunks, and fewer branches that a processor could
   * mispredict. A chunk that is added before the end of a full list moves the last chunk of the list to
   * the tree. If the list becomes empty, the first chunk of the tree becomes the list.
   *
   * Adding and removing cost O(log k) for the k chunks of a class, in any order of frees. The shape
   * does not affect which chunks are found.
   *
   * An aligned request takes the first chunk in this order that holds it at a multiple of its
   * alignment, as in TensorFlow. After MAX_CANDIDATES chunks that have enough bytes but do not hold
   * it, the search ends. It then takes the first chunk with room for the request and the largest
   * padding, which holds the request at any address.
   *
   *   I7  the bit of a class is set if and only if the class has a first chunk; the bit of a word is
   *       set if and only if the word has a bit;
   *   I8  the list of a class has at least one chunk and at most MAX_LISTED; the chunks of the list
   *       and then the chunks of the tree are in ascending order; all are free and have sizes of
   *       the class;
   *   I9  count is the number of chunks of all classes.
   *
   * The bins of the reference allocators are ranges of this order: 21 of 256 * 2^n bytes.
   */

  private static final int NONE = ChunkTable.NONE;

  private static final int CLASSES = 4096;
  private static final int LAST_CLASS = CLASSES - 1;

  static final int BIN_COUNT = 21;

  /** The most chunks of a class that are a list. */
  private static final int MAX_LISTED = 8;

  /** The most chunks that an aligned request tries before it takes one with room to spare. */
  static final int MAX_CANDIDATES = 1024;

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

  FreeChunks(FreeChunks source, ChunkTable chunks) {
    this.chunks = chunks;
    tree = new ChunkTree(chunks);
    summary = source.summary;
    bitmap = source.bitmap.clone();
    firsts = source.firsts.clone();
    count = source.count;
  }

  /** {@return the same free chunks in a copy of the table, for reading} */
  FreeChunks copy(ChunkTable copiedChunks) {
    return new FreeChunks(this, copiedChunks);
  }

  /** {@return the bin that chunks of a size belong to} */
  static int bin(long bytes) {
    int log2 = Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes / Quantum.BYTES);
    return Math.min(BIN_COUNT - 1, log2);
  }

  /** {@return the class of a size: 0 for 256 bytes, 1 for 512} */
  private static int sizeClass(long bytes) {
    return (int) Math.min(LAST_CLASS, (bytes - 1) >>> Quantum.SHIFT);
  }

  /** {@return the number of free chunks} */
  int count() {
    return count;
  }

  /** {@return true if a chunk is free and found by its size and address} */
  boolean contains(int slot) {
    return tree.contains(firsts[sizeClass(chunks.bytes(slot))], slot);
  }

  /**
   * {@return the height of the tree of a size class; the chunks in the list before it do not count}
   */
  int levels(long bytes) {
    int at = firsts[sizeClass(bytes)];
    while (chunks.isListed(at)) {
      at = chunks.right(at);
    }
    return tree.levels(at);
  }

  /**
   * Checks I7 to I9, and the invariants of the trees; costs O(chunks).
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  void checkInvariants() {
    int found = 0;
    for (int c = 0; c < CLASSES; c++) {
      int first = firsts[c];
      check((bitmap[c >>> 6] >>> c & 1) == (first == NONE ? 0 : 1), "I7", c);
      if (first != NONE) {
        found += checkClass(c, first);
      }
    }
    for (int word = 0; word < bitmap.length; word++) {
      check((summary >>> word & 1) == (bitmap[word] == 0 ? 0 : 1), "I7", 64 * word);
    }
    check(found == count, "I9", 0);
  }

  /** Checks the chunks of a class and {@return their number} */
  private int checkClass(int sizeClass, int first) {
    List<Integer> inOrder = new ArrayList<>();
    int at = first;
    for (; chunks.isListed(at) && inOrder.size() <= MAX_LISTED; at = chunks.right(at)) {
      check(chunks.left(at) == NONE, "I8", sizeClass);
      inOrder.add(at);
    }
    check(!inOrder.isEmpty() && inOrder.size() <= MAX_LISTED, "I8", sizeClass);
    inOrder.addAll(tree.checkInvariants(at));
    for (int i = 0; i < inOrder.size(); i++) {
      int slot = inOrder.get(i);
      check(isOfClass(sizeClass, slot), "I8", sizeClass);
      check(i == 0 || chunks.isBefore(inOrder.get(i - 1), slot), "I8", sizeClass);
    }
    return inOrder.size();
  }

  private boolean isOfClass(int sizeClass, int slot) {
    return chunks.isFree(slot) && sizeClass(chunks.bytes(slot)) == sizeClass;
  }

  private static void check(boolean holds, String invariant, int sizeClass) {
    if (!holds) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "invariant %s of the free chunks does not hold: size class from %d bytes",
              invariant,
              (sizeClass + 1) * Quantum.BYTES));
    }
  }

  void add(int slot) {
    count++;
    int sizeClass = sizeClass(chunks.bytes(slot));
    int first = firsts[sizeClass];
    if (first == NONE) {
      firsts[sizeClass] = slot;
      chunks.setListed(slot, NONE);
      bitmap[sizeClass >>> 6] |= 1L << sizeClass;
      summary |= 1L << (sizeClass >>> 6);
    } else {
      addToOthers(sizeClass, first, slot);
    }
  }

  private void addToOthers(int sizeClass, int first, int slot) {
    int before = NONE; // the last chunk of the list before the added one
    int lastButOne = NONE;
    int last = NONE;
    int listed = 0;
    int at = first;
    for (; chunks.isListed(at); at = chunks.right(at)) {
      if (chunks.isBefore(at, slot)) {
        before = at;
      }
      lastButOne = last;
      last = at;
      listed++;
    }
    if (before == last && (at != NONE || listed == MAX_LISTED)) {
      chunks.setListed(last, addToTree(at, slot));
      return;
    }
    if (listed == MAX_LISTED) {
      chunks.setListed(lastButOne, addToTree(at, last));
    }
    if (before == NONE) {
      chunks.setListed(slot, first);
      firsts[sizeClass] = slot;
    } else {
      chunks.setListed(slot, chunks.right(before));
      chunks.setListed(before, slot);
    }
  }

  private int addToTree(int root, int slot) {
    chunks.setLeaf(slot);
    return root == NONE ? slot : tree.add(root, slot);
  }

  void remove(int slot) {
    int sizeClass = sizeClass(chunks.bytes(slot));
    int before = firsts[sizeClass];
    if (slot == before) {
      removeFirst(sizeClass, slot);
      return;
    }
    count--;
    int at = chunks.right(before);
    while (at != slot && chunks.isListed(at)) {
      before = at;
      at = chunks.right(at);
    }
    boolean isListed = chunks.isListed(slot);
    chunks.setListed(before, isListed ? chunks.right(slot) : tree.remove(at, slot));
  }

  private void removeFirst(int sizeClass, int slot) {
    count--;
    int next = chunks.right(slot);
    if (next == NONE) {
      clear(sizeClass);
    } else if (chunks.isListed(next)) {
      firsts[sizeClass] = next;
    } else {
      int first = tree.first(next);
      chunks.setListed(first, tree.removeFirst(next));
      firsts[sizeClass] = first;
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
   * ChunkTable#NONE}: the first such chunk, if it is among the first {@link #MAX_CANDIDATES} of at
   * least {@code bytes}}
   */
  int first(long bytes, long alignment) {
    tree.setCandidates(MAX_CANDIDATES);
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

  /** {@return the first chunk that holds a request at any address} */
  private int firstWithPadding(long bytes, long alignment) {
    long padding = alignment - Quantum.BYTES;
    if (bytes > Long.MAX_VALUE - padding) {
      return NONE;
    }
    int sizeClass = sizeClass(bytes + padding);
    int found = sizeClass == LAST_CLASS ? LAST_CLASS : nextClass(sizeClass);
    return found == NONE || found == LAST_CLASS ? firstLarge(bytes + padding) : firsts[found];
  }

  /**
   * Removes the chunk of {@link #first(long, long)} and {@return it, or {@link ChunkTable#NONE}}
   */
  int takeFirst(long bytes, long alignment) {
    int slot = first(bytes, alignment);
    if (slot != NONE) {
      remove(slot);
    }
    return slot;
  }

  /** {@return the last of the chunks with the size of a free one} */
  int lastOfSize(int slot) {
    long bytes = chunks.bytes(slot);
    int found = slot;
    int at = firsts[sizeClass(bytes)];
    while (at != NONE) {
      if (chunks.bytes(at) <= bytes) {
        found = at;
        at = chunks.right(at);
      } else {
        at = chunks.left(at);
      }
    }
    return found;
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

  /** {@return the first class from this one that has a chunk, or {@link ChunkTable#NONE}} */
  private int nextClass(int sizeClass) {
    int start = sizeClass >>> 6;
    long bits = bitmap[start] & (-1L << sizeClass);
    long words = (summary & (-2L << start)) | (oneIfAny(bits) << start);
    if (words == 0) {
      return NONE;
    }
    int word = Long.numberOfTrailingZeros(words);
    // In the first word, only classes that are not smaller; in others, the mask has all bits set.
    int isStart = (word - start - 1) >> 31;
    return (word << 6) + Long.numberOfTrailingZeros(bitmap[word] & (-1L << (sizeClass & isStart)));
  }

  /** {@return 1 for any bits, 0 for none, without a branch} */
  private static long oneIfAny(long bits) {
    return (bits | -bits) >>> 63;
  }
}
