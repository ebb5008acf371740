package dev.stowage.plan.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.time.LiveRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The data structures of the strategies, compared with naive models. */
class StructuresRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void byteRanges_anyRanges_agreeWithABitSet(long seed) {
    Random random = new Random(seed);
    int capacity = 1 + random.nextInt(300);
    int longest = 1 + random.nextInt(random.nextBoolean() ? 4 : capacity);
    OffsetRanges ranges = new OffsetRanges();
    BitSet bytes = new BitSet();
    for (int step = random.nextInt(60); step > 0; step--) {
      int start = random.nextInt(capacity);
      int end = start + 1 + random.nextInt(longest);
      ranges.add(start, end);
      bytes.set(start, end);
      assertSameRanges(ranges, bytes);
    }
    for (int offset = 0; offset <= capacity + longest; offset++) {
      int expected = 0;
      while (expected < ranges.count() && ranges.end(expected) <= offset) {
        expected++;
      }
      for (int from = 0; from <= expected; from++) {
        assertThat(ranges.firstEndingAfter(offset, from)).isEqualTo(expected);
      }
    }
  }

  private static void assertSameRanges(OffsetRanges ranges, BitSet bytes) {
    int range = 0;
    for (int start = bytes.nextSetBit(0); start >= 0; range++) {
      int end = bytes.nextClearBit(start);
      assertThat(range).isLessThan(ranges.count());
      assertThat(ranges.start(range)).isEqualTo(start);
      assertThat(ranges.end(range)).isEqualTo(end);
      start = bytes.nextSetBit(end);
    }
    assertThat(ranges.count()).isEqualTo(range);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void byteRangesUnion_anySets_isTheirUnion(long seed) {
    Random random = new Random(seed);
    OffsetRangesUnion taken = new OffsetRangesUnion();
    // The object is reused, as a strategy does, and has to grow.
    for (int round = 0; round < 3; round++) {
      BitSet union = new BitSet();
      taken.clear();
      taken.add(null);
      int capacity = 1 + random.nextInt(400);
      for (int set = random.nextInt(random.nextBoolean() ? 5 : 150); set > 0; set--) {
        OffsetRanges ranges = new OffsetRanges();
        for (int k = 1 + random.nextInt(6); k > 0; k--) {
          int start = random.nextInt(capacity);
          int end = start + 1 + random.nextInt(5);
          ranges.add(start, end);
          union.set(start, end);
        }
        taken.add(ranges);
      }
      assertThat(taken.lowest()).isEqualTo(union.isEmpty() ? Long.MAX_VALUE : union.nextSetBit(0));
      RangeRuns ranges = taken.merge();
      BitSet merged = new BitSet();
      for (int k = 0; k < ranges.count(); k++) {
        assertThat(ranges.start(k)).isGreaterThanOrEqualTo(k == 0 ? 0 : ranges.start(k - 1));
        merged.set((int) ranges.start(k), (int) ranges.end(k));
      }
      assertThat(merged).isEqualTo(union);
    }
  }

  /** Bytes from {@code start} to {@code end} at the ranks from first to last. */
  private record Rectangle(int firstRank, int lastRank, long start, long end) {

    boolean meets(int first, int last) {
      return firstRank <= last && first <= lastRank;
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void placedBytes_anyRectangles_agreeWithAList(long seed) {
    Random random = new Random(seed);
    int ranks = 1 + random.nextInt(random.nextBoolean() ? 9 : 700);
    int longest = 1 + random.nextInt(ranks);
    int capacity = 1 + random.nextInt(400);
    // Random limits: the index may change its structure at any time.
    OccupancyIndex.SwitchLimits limits =
        new OccupancyIndex.SwitchLimits(
            random.nextInt(2_000) - 1_000,
            random.nextInt(60),
            1 + random.nextInt(4),
            1 + random.nextInt(4));
    int shift = random.nextInt(11);
    // The index compares lists with the tree after a random number of records.
    Optional<ListEstimate> lists =
        Optional.of(new ListEstimate(100, shift, 1 + random.nextInt(40_000)))
            .filter(_ -> random.nextBoolean());
    OccupancyIndex index = new OccupancyIndex(ranks, limits, lists);
    FreeRectangles rectangles = new FreeRectangles(ranks);
    List<PlacedBytes> structures =
        List.of(new OffsetRangesTree(ranks), new PlacedLists(ranks, shift), rectangles);
    List<Rectangle> taken = new ArrayList<>();
    for (int step = random.nextInt(4) == 0 ? 250 : 60; step > 0; step--) {
      int first = random.nextInt(ranks);
      int last = Math.min(ranks - 1, first + random.nextInt(longest));
      long bytes = 1 + random.nextLong(40);
      long alignment = 1 + random.nextLong(9);
      BitSet met = bytesMet(taken, first, last);
      long lowestOccupied = met.isEmpty() ? Long.MAX_VALUE : met.nextSetBit(0);
      long tightest = tightestGap(met, bytes, alignment);
      assertThat(index.lowestOccupied(first, last)).isEqualTo(lowestOccupied);
      assertThat(index.tightestGap(first, last, bytes, alignment))
          .as("%d bytes at multiples of %d among %s", bytes, alignment, met)
          .isEqualTo(tightest);
      List<LiveRange> needs = needs(random, first, last, bytes);
      assertThat(index.lowestGap(needs, alignment))
          .as("%s at multiples of %d among %s", needs, alignment, taken)
          .isEqualTo(lowestGap(taken, needs, alignment, 0));
      LiveRange need = needs.getLast();
      long from = random.nextLong(20) * alignment;
      long lowest = lowestGap(taken, List.of(need), alignment, from);
      long start = random.nextBoolean() ? tightest : random.nextInt(capacity);
      for (PlacedBytes structure : structures) {
        assertThat(structure.lowestOccupied(first, last)).isEqualTo(lowestOccupied);
        assertThat(structure.tightestGap(first, last, bytes, alignment)).isEqualTo(tightest);
        assertThat(structure.lowestGap(need, from, alignment)).isEqualTo(lowest);
        structure.occupy(first, last, start, start + bytes);
      }
      rectangles.checkInvariants();
      index.occupy(first, last, start, start + bytes);
      taken.add(new Rectangle(first, last, start, start + bytes));
    }
  }

  private static BitSet bytesMet(List<Rectangle> taken, int first, int last) {
    BitSet met = new BitSet();
    taken.stream()
        .filter(rectangle -> rectangle.meets(first, last))
        .forEach(rectangle -> met.set((int) rectangle.start, (int) rectangle.end));
    return met;
  }

  /** A gap starts at the first multiple of the alignment after the bytes below it. */
  private static long tightestGap(BitSet met, long bytes, long alignment) {
    long best = -1;
    long bestGap = Long.MAX_VALUE;
    long free = 0;
    for (int byteTaken = met.nextSetBit(0); byteTaken >= 0; ) {
      long gap = byteTaken - free;
      if (gap >= bytes && gap < bestGap) {
        best = free;
        bestGap = gap;
      }
      int end = met.nextClearBit(byteTaken);
      free = (end + alignment - 1) / alignment * alignment;
      byteTaken = met.nextSetBit(end);
    }
    return best >= 0 ? best : free;
  }

  /** R1 of FreeRectangles. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void freeRectangles_anyRectangles_areTheMaximalOnes(long seed) {
    Random random = new Random(seed);
    int ranks = 1 + random.nextInt(8);
    int capacity = 1 + random.nextInt(random.nextBoolean() ? 8 : 90);
    FreeRectangles free = new FreeRectangles(ranks);
    List<Rectangle> taken = new ArrayList<>();
    for (int step = 0; step < 25; step++) {
      int first = random.nextInt(ranks);
      int last = first + random.nextInt(ranks - first);
      long start = random.nextLong(capacity);
      long end = start + 1 + random.nextLong(capacity);
      free.occupy(first, last, start, end);
      free.checkInvariants();
      taken.add(new Rectangle(first, last, start, end));
      RectangleList found = free.rectangles();
      assertThat(IntStream.range(0, found.count()).boxed())
          .extracting(
              k -> new Rectangle(found.first(k), found.last(k), found.start(k), found.end(k)))
          .as("%s", taken)
          .containsExactlyInAnyOrderElementsOf(maximalFreeRectangles(taken, ranks));
    }
  }

  private static List<Rectangle> maximalFreeRectangles(List<Rectangle> taken, int ranks) {
    List<Rectangle> maximal = new ArrayList<>();
    for (int first = 0; first < ranks; first++) {
      for (int last = first; last < ranks; last++) {
        BitSet met = bytesMet(taken, first, last);
        for (int start = met.nextClearBit(0); start >= 0; ) {
          int end = met.nextSetBit(start);
          Rectangle gap = new Rectangle(first, last, start, end < 0 ? Long.MAX_VALUE : end);
          if ((first == 0 || isOverlapped(gap, bytesMet(taken, first - 1, first - 1)))
              && (last == ranks - 1 || isOverlapped(gap, bytesMet(taken, last + 1, last + 1)))) {
            maximal.add(gap);
          }
          start = end < 0 ? -1 : met.nextClearBit(end);
        }
      }
    }
    return maximal;
  }

  private static boolean isOverlapped(Rectangle gap, BitSet bytes) {
    int next = bytes.nextSetBit((int) gap.start);
    return next >= 0 && next < gap.end;
  }

  private static List<LiveRange> needs(Random random, int first, int last, long bytes) {
    List<LiveRange> needs = new ArrayList<>();
    for (int from = first; from <= last; ) {
      int to = random.nextBoolean() ? last : from + random.nextInt(last - from + 1);
      long start = random.nextLong(bytes);
      needs.add(new LiveRange(from, to, start, start + 1 + random.nextLong(bytes - start)));
      from = to + 1;
    }
    return needs;
  }

  private static long lowestGap(
      List<Rectangle> taken, List<LiveRange> needs, long alignment, long from) {
    for (long offset = from; ; offset += alignment) {
      long candidate = offset;
      if (needs.stream().allMatch(need -> isFree(taken, need, candidate))) {
        return offset;
      }
    }
  }

  private static boolean isFree(List<Rectangle> taken, LiveRange need, long offset) {
    return taken.stream()
        .filter(rectangle -> rectangle.meets((int) need.firstTask(), (int) need.lastTask()))
        .allMatch(rectangle ->
            rectangle.end <= offset + need.startByte()
                || offset + need.endByte() <= rectangle.start);
  }
}
