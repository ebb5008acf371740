package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ByteRangesTest {

  static LongStream seeds() {
    return Seeds.of(300);
  }

  @Test
  void add_rangesThatTouch_becomeOne() {
    ByteRanges ranges = new ByteRanges();
    ranges.add(0, 10);
    ranges.add(20, 10);
    ranges.add(10, 0);
    assertThat(ranges.list())
        .containsExactly(new ByteRanges.ByteRange(0, 10), new ByteRanges.ByteRange(20, 10));
    ranges.add(10, 10);
    assertThat(ranges.list()).containsExactly(new ByteRanges.ByteRange(0, 30));
  }

  @Test
  void add_moreThanSixteenRanges_closesTheSmallestGap() {
    ByteRanges ranges = new ByteRanges();
    for (int i = 0; i < 16; i++) {
      ranges.add(100L * i, 10);
    }
    ranges.add(513, 10); // a gap of 3 after [500, 510)
    assertThat(ranges.list()).hasSize(16).contains(new ByteRanges.ByteRange(500, 23));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyRanges_agreeWithBits(long seed) {
    Random random = new Random(seed);
    int bytes = 1 + random.nextInt(500);
    int longest = 1 + random.nextInt(bytes);
    ByteRanges ranges = new ByteRanges();
    BitSet added = new BitSet();
    boolean exact = true;
    for (int i = 0; i < 40; i++) {
      int offset = random.nextInt(bytes);
      int count = random.nextInt(Math.min(longest, bytes - offset) + 1);
      ranges.add(offset, count);
      added.set(offset, offset + count);
      BitSet found = bits(ranges.list());
      exact &= runs(added) <= 16;
      BitSet lacking = (BitSet) added.clone();
      lacking.andNot(found);
      assertThat(lacking).isEqualTo(new BitSet());
      if (exact) {
        assertThat(found).isEqualTo(added);
      }
      assertThat(ranges.list()).hasSizeLessThanOrEqualTo(16).hasSize(runs(found));
    }
    ranges.clear();
    assertThat(ranges.list()).isEmpty();
  }

  private static BitSet bits(List<ByteRanges.ByteRange> ranges) {
    BitSet bits = new BitSet();
    ranges.forEach(range -> bits.set((int) range.offset(), (int) range.end()));
    return bits;
  }

  private static int runs(BitSet bits) {
    int runs = 0;
    for (int i = bits.nextSetBit(0); i >= 0; i = bits.nextSetBit(bits.nextClearBit(i))) {
      runs++;
    }
    return runs;
  }
}
