package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many equal free chunks, added and removed in the worst orders for search trees. */
class FreeChunksOrderTest {

  private static final int COUNT = 16_000;

  /** The place of the i-th chunk among the addresses. */
  enum Order {
    ASCENDING,
    DESCENDING,
    OUTSIDE_IN,
    INSIDE_OUT,
    BITS_REVERSED,
    BLOCKS_BACKWARDS;

    long place(int i) {
      return switch (this) {
        case ASCENDING -> i;
        case DESCENDING -> COUNT - i;
        case OUTSIDE_IN -> i % 2 == 0 ? i : 2L * COUNT - i;
        case INSIDE_OUT -> i % 2 == 0 ? COUNT + i : COUNT - i;
        case BITS_REVERSED -> Integer.reverse(i) >>> 8;
        case BLOCKS_BACKWARDS -> COUNT - i / 100 * 100L + i % 100;
      };
    }
  }

  private final ChunkTable chunks = new ChunkTable();
  private final FreeChunks free = new FreeChunks(chunks);

  @ParameterizedTest
  @EnumSource
  void addAndRemove_anyOrder_treesStayFlat(Order order) {
    List<Integer> slots = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      slots.add(chunks.add(256 * order.place(i), 256));
    }
    // Half of the chunks are removed, once in the same order and once in another one.
    slots.forEach(this::add);
    assertSound(slots);
    removeAll(slots.subList(0, COUNT / 2));
    assertSound(slots.subList(COUNT / 2, COUNT));
    slots.subList(0, COUNT / 2).forEach(this::add);
    removeAll(slots.subList(COUNT / 4, COUNT));
    assertSound(slots.subList(0, COUNT / 4));
    assertTakenInOrder(slots.subList(0, COUNT / 4));
  }

  /** Trees whose shape follows from a hash of the slots would be lists for such addresses. */
  @Test
  void add_addressesInTheOrderOfAHashOfSlots_treesStayFlat() {
    List<Integer> slots =
        IntStream.range(0, COUNT)
            .boxed()
            .sorted(Comparator.comparingInt(FreeChunksOrderTest::murmur))
            .toList();
    List<Integer> added = new ArrayList<>();
    long[] addressOfSlot = new long[COUNT];
    for (int i = 0; i < COUNT; i++) {
      addressOfSlot[slots.get(i)] = 256L * i;
    }
    for (int slot = 0; slot < COUNT; slot++) {
      added.add(chunks.add(addressOfSlot[slot], 256));
    }
    slots.forEach(this::add);
    assertSound(added);
    removeAll(added.subList(0, COUNT - 100));
    assertTakenInOrder(added.subList(COUNT - 100, COUNT));
  }

  @Test
  void addAndRemove_atRandom_agreesWithATreeSet() {
    Random random = new Random(7);
    TreeSet<Integer> model = new TreeSet<>(Comparator.comparingLong(chunks::address));
    List<Integer> slots = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      slots.add(chunks.add(256L * i, 256));
    }
    for (int step = 0; step < 20_000; step++) {
      int slot = slots.get(random.nextInt(slots.size()));
      if (model.add(slot)) {
        free.add(slot);
      } else if (random.nextInt(4) == 0) {
        assertThat(free.takeFirst(256)).isEqualTo(model.pollFirst());
      } else {
        model.remove(slot);
        free.remove(slot);
      }
      if (step % 1000 == 0) {
        assertSound(List.copyOf(model));
      }
    }
    assertTakenInOrder(List.copyOf(model));
  }

  // checkInvariants finds damage.

  @Test
  void checkInvariants_sizeChangedInATree_namesI8() {
    List<Integer> slots = added(5);
    chunks.setBytes(slots.getLast(), 512);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(free::checkInvariants)
        .withMessage("invariant I8 of the free chunks does not hold: size class from 256 bytes");
  }

  @Test
  void checkInvariants_childrenSwapped_namesT1() {
    List<Integer> slots = added(11);
    int root = slots.get(9);
    chunks.setChildren(root, chunks.right(root), chunks.left(root));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(free::checkInvariants)
        .withMessageStartingWith("invariant T1 of a tree of free chunks does not hold: chunk [");
  }

  @Test
  void checkInvariants_wrongLean_namesT2() {
    List<Integer> slots = added(11);
    chunks.setBalance(slots.get(9), 1);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(free::checkInvariants)
        .withMessage("invariant T2 of a tree of free chunks does not hold: chunk [2304, 2560)");
  }

  @Test
  void checkInvariants_listNotInOrder_namesI8() {
    List<Integer> slots = added(3);
    chunks.setListed(slots.get(0), slots.get(2));
    chunks.setListed(slots.get(2), slots.get(1));
    chunks.setListed(slots.get(1), ChunkTable.NONE);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(free::checkInvariants)
        .withMessage("invariant I8 of the free chunks does not hold: size class from 256 bytes");
  }

  @Test
  void checkInvariants_listTooLong_namesI8() {
    List<Integer> slots = added(9);
    chunks.setListed(slots.getLast(), ChunkTable.NONE);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(free::checkInvariants)
        .withMessage("invariant I8 of the free chunks does not hold: size class from 256 bytes");
  }

  /** {@return the slots of chunks of 256 bytes, added in ascending order} */
  private List<Integer> added(int count) {
    List<Integer> slots = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      slots.add(chunks.add(256L * i, 256));
      free.add(slots.getLast());
    }
    free.checkInvariants();
    return slots;
  }

  private void add(int slot) {
    free.add(slot);
  }

  private void removeAll(List<Integer> slots) {
    for (int slot : slots) {
      free.remove(slot);
    }
  }

  /** Checks the invariants, and that the tree of a class is as flat as an AVL tree. */
  private void assertSound(List<Integer> slots) {
    assertThat(free.count()).isEqualTo(slots.size());
    int mostLevels = (int) (1.4405 * Math.log(slots.size() + 2) / Math.log(2));
    free.checkInvariants();
    assertThat(slots.stream().allMatch(free::contains)).isTrue();
    assertThat(free.levels(256)).isLessThanOrEqualTo(mostLevels);
  }

  private void assertTakenInOrder(List<Integer> slots) {
    List<Integer> expected = new ArrayList<>(slots);
    expected.sort(Comparator.comparingLong(chunks::address));
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < expected.size(); i++) {
      taken.add(free.takeFirst(256));
    }
    assertThat(taken.equals(expected)).isTrue();
    assertThat(free.takeFirst(256)).isEqualTo(ChunkTable.NONE);
  }

  /** The finalizer of MurmurHash3. */
  private static int murmur(int slot) {
    int hash = slot;
    hash = (hash ^ (hash >>> 16)) * 0x85EBCA6B;
    hash = (hash ^ (hash >>> 13)) * 0xC2B2AE35;
    return hash ^ (hash >>> 16);
  }
}
