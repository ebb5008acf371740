package dev.stowage.core.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BfcOptionsTest {

  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  @Test
  void toString_anyOptions_namesEachOne() {
    assertThat(BfcOptions.growing())
        .hasToString(
            "BfcOptions[limitBytes=9223372036854775807, growth=DOUBLING, firstRegionBytes=1048576,"
                + " splitThresholdBytes=134217728, trimThresholdBytes=9223372036854775807,"
                + " hasGarbageCollection=false, historyLength=0, hasStacks=false]");
  }

  // Shares of a device.

  @ParameterizedTest
  @CsvSource({
    "2147483647, 235929600", // below 2 GiB: 225 MiB
    "2147483648, 314572800", // from there on at least 300 MiB
    "6291456000, 314572800", // of which 300 MiB are 5 %
    "6291456020, 314572801",
    "85899345920, 4294967296",
    "235929601, 235929600",
    "235929600, 0", // nothing would be left
    "1048576, 0"
  })
  void forDevice_fractionZero_leavesTheSystemItsReserve(long availableBytes, long reserveBytes) {
    assertThat(availableBytes - reserveBytes).isPositive();
    if (availableBytes - reserveBytes >= 256) {
      assertThat(BfcOptions.forDevice(100 * GIB, availableBytes, 0, false))
          .usingRecursiveComparison()
          .isEqualTo(BfcOptions.oneRegion(availableBytes - reserveBytes));
      assertThat(BfcOptions.forDevice(100 * GIB, availableBytes, 0, true))
          .usingRecursiveComparison()
          .isEqualTo(BfcOptions.growing().withLimit(availableBytes - reserveBytes));
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BfcOptions.forDevice(100 * GIB, availableBytes, 0, false))
          .withMessage("limitBytes must be at least 256, the smallest chunk: limitBytes=1");
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 17179869184", "0.5, 8589934592", "0.25, 4294967296", "0.1, 1717986918"})
  void forDevice_fraction_isOfTheTotalMemory(double fraction, long limitBytes) {
    assertThat(BfcOptions.forDevice(16 * GIB, 3 * GIB, fraction, false))
        .usingRecursiveComparison()
        .isEqualTo(BfcOptions.oneRegion(limitBytes));
    assertThat(BfcOptions.forDevice(16 * GIB, 3 * GIB, fraction, true))
        .usingRecursiveComparison()
        .isEqualTo(BfcOptions.growing().withLimit(limitBytes));
  }

  // @throws IllegalArgumentException if fraction < 0, fraction > 1
  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.0001, Double.NaN, Double.POSITIVE_INFINITY})
  void forDevice_noFraction_throws(double fraction) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.forDevice(GIB, GIB, fraction, false))
        .withMessage("fraction must be from 0 to 1: fraction=" + fraction);
  }

  // @throws IllegalArgumentException if availableBytes > totalBytes
  @Test
  void forDevice_moreAvailableThanTotal_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.forDevice(MIB, MIB + 1, 0, false))
        .withMessage(
            "availableBytes must be from 0 to totalBytes: availableBytes=1048577, totalBytes=1048576");
  }

  // @throws IllegalArgumentException if availableBytes < 0
  @Test
  void forDevice_lessThanNothingAvailable_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.forDevice(MIB, -1, 0.5, false))
        .withMessage(
            "availableBytes must be from 0 to totalBytes: availableBytes=-1, totalBytes=1048576");
  }

  // @throws IllegalArgumentException if the share has less than 256 bytes
  @Test
  void forDevice_shareTooSmall_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.forDevice(1000, 1000, 0.25, false))
        .withMessage("limitBytes must be at least 256, the smallest chunk: limitBytes=250");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.forDevice(1000, 0, 0, false))
        .withMessage("limitBytes must be at least 256, the smallest chunk: limitBytes=0");
  }

  // Presets and withers.

  @Test
  void presets_fields() {
    assertThat(BfcOptions.growing())
        .usingRecursiveComparison()
        .isEqualTo(
            new BfcOptions(
                Long.MAX_VALUE,
                RegionGrowth.DOUBLING,
                MIB,
                128 * MIB,
                Long.MAX_VALUE,
                false,
                0,
                false));
    assertThat(BfcOptions.oneRegion(GIB))
        .usingRecursiveComparison()
        .isEqualTo(
            new BfcOptions(
                GIB, RegionGrowth.ONE_REGION, MIB, 128 * MIB, Long.MAX_VALUE, false, 0, false));
    assertThat(BfcOptions.expandable())
        .usingRecursiveComparison()
        .isEqualTo(
            new BfcOptions(
                Long.MAX_VALUE,
                RegionGrowth.EXPANDABLE,
                MIB,
                64 << 10,
                Long.MAX_VALUE,
                false,
                0,
                false));
  }

  @Test
  void withers_oneAfterAnother_changeOneFieldEach() {
    BfcOptions options = new BfcOptions(1 << 30, RegionGrowth.EXPANDABLE, 1, 2, 3, false, 4, false);
    assertThat(
            List.of(
                options.withLimit(1000),
                options.withFirstRegion(10),
                options.withSplitThreshold(20),
                options.withTrimThreshold(30),
                options.withGarbageCollection(),
                options.withHistory(40),
                options.withStacks()))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new BfcOptions(1000, RegionGrowth.EXPANDABLE, 1, 2, 3, false, 4, false),
            new BfcOptions(1 << 30, RegionGrowth.EXPANDABLE, 10, 2, 3, false, 4, false),
            new BfcOptions(1 << 30, RegionGrowth.EXPANDABLE, 1, 20, 3, false, 4, false),
            new BfcOptions(1 << 30, RegionGrowth.EXPANDABLE, 1, 2, 30, false, 4, false),
            new BfcOptions(1 << 30, RegionGrowth.EXPANDABLE, 1, 2, 3, true, 4, false),
            new BfcOptions(1 << 30, RegionGrowth.EXPANDABLE, 1, 2, 3, false, 40, false),
            new BfcOptions(1 << 30, RegionGrowth.EXPANDABLE, 1, 2, 3, false, 4, true));
    BfcOptions all =
        options
            .withStacks()
            .withHistory(40)
            .withGarbageCollection()
            .withTrimThreshold(30)
            .withSplitThreshold(20)
            .withFirstRegion(10)
            .withLimit(1000);
    assertThat(all)
        .usingRecursiveComparison()
        .isEqualTo(new BfcOptions(1000, RegionGrowth.EXPANDABLE, 10, 20, 30, true, 40, true));
  }

  // @throws IllegalArgumentException if trimThresholdBytes < 1, historyLength < 0
  @Test
  void options_thatNoAllocatorCanWorkWith_throw() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.expandable().withTrimThreshold(0))
        .withMessage("trimThresholdBytes must be positive: trimThresholdBytes=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.growing().withHistory(-1))
        .withMessage("historyLength must not be negative: historyLength=-1");
  }

  // @throws IllegalArgumentException if the sub-allocator's granularity is no power of two from 256
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 128, 257, 384, -256, Long.MIN_VALUE})
  void allocator_granularityNoPowerOfTwoFrom256_throws(long granularityBytes) {
    ScriptedRegions device = ScriptedRegions.ascending().withGranularity(granularityBytes);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BfcAllocator("gpu", device, BfcOptions.growing()))
        .withMessage(
            "the granularity of the sub-allocator of 'gpu' must be a power of two from 256:"
                + " granularityBytes="
                + granularityBytes);
  }

  @Test
  void allocate_limitBelowTheGranularity_isATrueShortage() {
    List<OutOfMemoryVerdict> verdicts = new ArrayList<>();
    for (RegionGrowth growth : Set.of(RegionGrowth.values())) {
      BfcAllocator allocator =
          new BfcAllocator(
              "gpu",
              ScriptedRegions.ascending().withGranularity(4096),
              new BfcOptions(4095, growth, 1, 1, 1, true, 0, false));
      try {
        allocator.allocate(1);
      } catch (BfcOutOfMemoryException e) {
        assertThat(e)
            .hasMessageContaining(
                "At this point, the request would have passed with a limit higher by 1 bytes");
        verdicts.add(e.verdict());
      }
    }
    assertThat(verdicts).hasSize(3).containsOnly(OutOfMemoryVerdict.TRUE_SHORTAGE);
  }
}
