package dev.stowage.core.plan.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.LiveRange;
import dev.stowage.core.plan.cases.RandomRecords;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the strategies are built on, against models that are slow and plain. */
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
    ByteRanges ranges = new ByteRanges();
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

  private static void assertSameRanges(ByteRanges ranges, BitSet bytes) {
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
  void takenBytes_anySets_areTheirUnion(long seed) {
    Random random = new Random(seed);
    TakenBytes taken = new TakenBytes();
    // Used again and again, as a strategy does; more sets than there is room for at first.
    for (int round = 0; round < 3; round++) {
      BitSet union = new BitSet();
      taken.clear();
      taken.add(null);
      int capacity = 1 + random.nextInt(400);
      for (int set = random.nextInt(random.nextBoolean() ? 5 : 150); set > 0; set--) {
        ByteRanges ranges = new ByteRanges();
        for (int k = 1 + random.nextInt(6); k > 0; k--) {
          int start = random.nextInt(capacity);
          int end = start + 1 + random.nextInt(5);
          ranges.add(start, end);
          union.set(start, end);
        }
        taken.add(ranges);
      }
      assertThat(taken.lowest()).isEqualTo(union.isEmpty() ? Long.MAX_VALUE : union.nextSetBit(0));
      taken.merge();
      BitSet merged = new BitSet();
      for (int k = 0; k < taken.count(); k++) {
        assertThat(taken.start(k)).isGreaterThanOrEqualTo(k == 0 ? 0 : taken.start(k - 1));
        merged.set((int) taken.start(k), (int) taken.end(k));
      }
      assertThat(merged).isEqualTo(union);
    }
  }

  /** Bytes taken from rank to rank. */
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
    // Whatever the costs, an index may change its way at any time.
    OccupancyIndex.Patience patience =
        new OccupancyIndex.Patience(
            random.nextInt(2_000) - 1_000,
            random.nextInt(60),
            1 + random.nextInt(4),
            1 + random.nextInt(4));
    OccupancyIndex index = new OccupancyIndex(ranks, patience);
    List<PlacedBytes> ways = List.of(new TakenSets(ranks), new FreeRectangles(ranks));
    List<Rectangle> taken = new ArrayList<>();
    for (int step = random.nextInt(4) == 0 ? 250 : 60; step > 0; step--) {
      int first = random.nextInt(ranks);
      int last = Math.min(ranks - 1, first + random.nextInt(longest));
      long bytes = 1 + random.nextLong(40);
      long alignment = 1 + random.nextLong(9);
      BitSet met = bytesMet(taken, first, last);
      long lowestTaken = met.isEmpty() ? Long.MAX_VALUE : met.nextSetBit(0);
      long tightest = tightestGap(met, bytes, alignment);
      assertThat(index.lowestTaken(first, last)).isEqualTo(lowestTaken);
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
      for (PlacedBytes way : ways) {
        assertThat(way.lowestTaken(first, last)).isEqualTo(lowestTaken);
        assertThat(way.tightestGap(first, last, bytes, alignment)).isEqualTo(tightest);
        assertThat(way.lowestGap(need, from, alignment)).isEqualTo(lowest);
        way.occupy(first, last, start, start + bytes);
      }
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

  /** A gap counts from the multiple behind the bytes before it. */
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
