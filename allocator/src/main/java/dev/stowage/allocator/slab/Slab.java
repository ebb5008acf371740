package dev.stowage.allocator.slab;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.RegionChunks;
import dev.stowage.allocator.internal.SlotUse;
import dev.stowage.allocator.stripe.CacheLinePadding;
import dev.stowage.allocator.stripe.CacheStripe;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A chunk that is divided into slots of one size, in cache lines of its own; not safe for use by
 * many threads.
 */
final class Slab extends CacheLinePadding {

  /*
   * A bit for each free slot, and a bit for each word with a free slot: a request takes the first free
   * slot by two instructions that count zeros. The first free slot is often the one freed last, which
   * is in the cache.
   *
   *   S1  a word has a bit in `words` if and only if it has a free slot;
   *   S2  `used` is the number of slots without a bit, and `usedBytes` the sum of their requests.
   */

  /** The most slots of a slab: 64 words, each of 64 slots. */
  static final int MAX_SLOTS = 1 << 12;

  private static final AllocationTag[] NO_TAGS = {};

  /** Unused elements at the end of each array, in bytes: two cache lines. */
  private static final int PADDING_BYTES = 128;

  final int index;
  final int sizeClass;
  final int slots;
  final long address;

  private final int slotBytes;

  private final long[] free;
  private long words;
  private int used;
  private long usedBytes;

  private final int[] requestedBytes;

  /** The tags of the slots; empty if no slot has ever had a tag. */
  private @Nullable AllocationTag[] tags = NO_TAGS;

  /** The neighbours in the list of slabs with a free slot, or of slabs to return. */
  @Nullable Slab previous;

  @Nullable Slab next;

  /**
   * Creates a slab without used slots.
   *
   * @param index its index in its stripe
   */
  Slab(int index, int sizeClass, long address, int slots) {
    this.index = index;
    this.sizeClass = sizeClass;
    this.address = address;
    this.slots = slots;
    slotBytes = SizeClasses.bytes(sizeClass);
    int wordCount = (slots + 63) >>> 6;
    free = new long[wordCount + PADDING_BYTES / Long.BYTES];
    Arrays.fill(free, 0, wordCount, -1);
    free[wordCount - 1] = -1L >>> -slots;
    words = -1L >>> -wordCount;
    requestedBytes = new int[slots + PADDING_BYTES / Integer.BYTES];
  }

  /** {@return the first free slot, now used; there must be one} */
  int take(int bytes, AllocationTag tag) {
    int word = Long.numberOfTrailingZeros(words);
    long bits = free[word];
    int slot = word << 6 | Long.numberOfTrailingZeros(bits);
    bits &= bits - 1;
    free[word] = bits;
    if (bits == 0) {
      words &= words - 1;
    }
    used++;
    usedBytes += bytes;
    requestedBytes[slot] = bytes;
    if (!tag.isNone()) {
      setTag(slot, tag);
    }
    return slot;
  }

  private void setTag(int slot, AllocationTag tag) {
    if (tags.length == 0) {
      tags = new AllocationTag[slots];
    }
    tags[slot] = tag;
  }

  /** Frees a used slot. */
  void free(int slot) {
    if (!isUsed(slot)) {
      throw new AssertionError("S3 a group frees a free slot: slab=" + index + ", slot=" + slot);
    }
    free[slot >>> 6] |= 1L << slot;
    words |= 1L << (slot >>> 6);
    used--;
    usedBytes -= requestedBytes[slot];
    if (tags.length > 0) {
      tags[slot] = null;
    }
  }

  boolean isUsed(int slot) {
    return (free[slot >>> 6] & 1L << slot) == 0;
  }

  boolean isFull() {
    return words == 0;
  }

  boolean isEmpty() {
    return used == 0;
  }

  int used() {
    return used;
  }

  long address(int slot) {
    return address + (long) slot * slotBytes;
  }

  /** {@return the numbers of its slots} */
  RegionChunks.Slots counts() {
    return new RegionChunks.Slots(slotBytes, slots, used, usedBytes);
  }

  /** {@return a used slot} */
  SlotUse.Slot use(int slot) {
    AllocationTag tag = tags.length == 0 ? null : tags[slot];
    String path = tag == null ? "" : tag.toString();
    return new SlotUse.Slot(address(slot), requestedBytes[slot], slotBytes, path);
  }

  /** {@return the used slots} */
  Stream<SlotUse.Slot> uses() {
    return IntStream.range(0, slots).filter(this::isUsed).mapToObj(this::use);
  }

  /** Checks S1 and S2. */
  void checkInvariants() {
    int bits = 0;
    for (int word = 0; word << 6 < slots; word++) {
      bits += Long.bitCount(free[word]);
      boolean hasFree = free[word] != 0;
      CacheStripe.check(hasFree == ((words & 1L << word) != 0), "S1 a bit of `words` is wrong");
    }
    CacheStripe.check(used == slots - bits, "S2 `used` is not the number of used slots");
    long sum = uses().mapToLong(SlotUse.Slot::requestedBytes).sum();
    CacheStripe.check(usedBytes == sum, "S2 `usedBytes` is not the sum of the used slots");
  }
}
