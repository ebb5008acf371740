package dev.stowage.allocator.slab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each request gets the class of the smallest slots that hold it. */
class SizeClassesTest {

  @Test
  void of_anyBytes_isTheSmallestClassThatHoldsThem() {
    IntStream.rangeClosed(1, SizeClasses.MAX_BYTES).forEach(SizeClassesTest::checkSmallest);
    assertThat(SizeClasses.of(SizeClasses.MAX_BYTES, 1)).isEqualTo(SizeClasses.COUNT - 1);
    assertThat(SizeClasses.of(SizeClasses.MAX_BYTES + 1, 1)).isEqualTo(SizeClasses.NONE);
    assertThat(SizeClasses.of(Long.MAX_VALUE, 1)).isEqualTo(SizeClasses.NONE);
  }

  private static void checkSmallest(int bytes) {
    int sizeClass = SizeClasses.of(bytes, 1);
    assertThat(SizeClasses.bytes(sizeClass)).isGreaterThanOrEqualTo(bytes);
    if (sizeClass > 0) {
      assertThat(SizeClasses.bytes(sizeClass - 1)).isLessThan(bytes);
    }
  }

  @Test
  void of_anyAlignment_isTheSmallestClassOfSlotsAtMultiples() {
    for (int bytes = 1; bytes <= SizeClasses.MAX_BYTES; bytes += 7) {
      for (int alignment = 32; alignment <= 256; alignment *= 2) {
        int expected = 0;
        while (SizeClasses.bytes(expected) < bytes || SizeClasses.bytes(expected) % alignment > 0) {
          expected++;
        }
        assertThat(SizeClasses.of(bytes, alignment)).isEqualTo(expected);
      }
      assertThat(SizeClasses.of(bytes, 512)).isEqualTo(SizeClasses.NONE);
    }
    assertThat(SizeClasses.of(1, 1L << 62)).isEqualTo(SizeClasses.NONE);
  }

  @Test
  void bytes_classesAbove128Bytes_wasteAtMostAFifth() {
    for (int sizeClass = 9; sizeClass < SizeClasses.COUNT; sizeClass++) {
      int least = SizeClasses.bytes(sizeClass - 1) + 1;
      assertThat(SizeClasses.bytes(sizeClass) - least).isLessThan(least / 4 + 1);
    }
  }
}
