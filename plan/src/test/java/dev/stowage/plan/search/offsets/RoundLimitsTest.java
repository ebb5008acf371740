package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The round limits of several sets of alignments. */
class RoundLimitsTest {

  @Test
  void of_oneAlignment_isOneRound() {
    RoundLimits limits = RoundLimits.of(new long[] {64, 64, 64});
    assertThat(limits.of(64)).isEqualTo(1);
    assertThat(limits.areProved()).isTrue();
  }

  @Test
  void of_alignmentsThatDivideEachOther_multiplyByTheLargerOnes() {
    RoundLimits limits = RoundLimits.of(new long[] {1, 8, 64, 8, 1, 64, 64});
    assertThat(limits.of(64)).isEqualTo(1);
    assertThat(limits.of(8)).isEqualTo(4); // three of 64
    assertThat(limits.of(1)).isEqualTo(12); // and two of 8
    assertThat(limits.areProved()).isTrue();
  }

  @Test
  void of_otherAlignments_areNotProved() {
    RoundLimits limits = RoundLimits.of(new long[] {6, 4, 2});
    assertThat(limits.of(2)).isEqualTo(4);
    assertThat(limits.areProved()).isFalse();
  }
}
