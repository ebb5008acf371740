package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BfcOptionsTest {

  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  // Shares of a device.

  @ParameterizedTest
  @CsvSource({
    "2147483647, 267386880", // below 2 GiB: 255 MiB
    "2147483648, 314572800", // from there on at least 300 MiB
    "5242879999, 314572800", // of which 300 MiB are 6 %
    "6291456000, 377487360",
    "85899345920, 5153960448", // 6 % as a float, as in TensorFlow: 5153960755 otherwise
    "267386881, 267386880",
    "267386880, 0", // nothing would be left
    "1048576, 0"
  })
  void forDevice_fractionZero_leavesTheSystemItsReserve(long availableBytes, long reserveBytes) {
    checkReserve(DeviceCapacity.of(100 * GIB, availableBytes), reserveBytes);
  }

  @ParameterizedTest
  @CsvSource({
    "2147483647, 9, 235929600", // below 2 GiB: 225 MiB
    "2147483648, 1, 524288000", // otherwise by the compute capability
    "85899345920, 6, 524288000",
    "85899345920, 7, 1101004800",
    "85899345920, 8, 1610612736",
    "85899345920, 9, 1887436800",
    "85899345920, 12, 1887436800",
    "235929601, 8, 235929600",
    "235929600, 8, 0",
    "1048576, 8, 0"
  })
  void forDevice_fractionZeroOfAGpu_leavesTheReserveOfItsComputeCapability(
      long availableBytes, int computeCapability, long reserveBytes) {
    checkReserve(DeviceCapacity.ofGpu(100 * GIB, availableBytes, computeCapability), reserveBytes);
  }

  private static void checkReserve(DeviceCapacity device, long reserveBytes) {
    long availableBytes = device.availableBytes();
    assertThat(availableBytes - reserveBytes).isPositive();
    if (availableBytes - reserveBytes >= 256) {
      assertThat(BfcOptions.forDevice(device, 0, false))
          .usingRecursiveComparison()
          .isEqualTo(BfcOptions.oneRegion(availableBytes - reserveBytes));
      assertThat(BfcOptions.forDevice(device, 0, true))
          .usingRecursiveComparison()
          .isEqualTo(BfcOptions.growing().withLimit(availableBytes - reserveBytes));
    } else {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BfcOptions.forDevice(device, 0, false))
          .withMessage("limitBytes must be at least 256, the smallest chunk: limitBytes=1");
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 17179869184", "0.5, 8589934592", "0.25, 4294967296", "0.1, 1717986918"})
  void forDevice_fraction_isOfTheTotalMemory(double fraction, long limitBytes) {
    DeviceCapacity device = DeviceCapacity.of(16 * GIB, 3 * GIB);
    assertThat(BfcOptions.forDevice(device, fraction, false))
        .usingRecursiveComparison()
        .isEqualTo(BfcOptions.oneRegion(limitBytes));
    assertThat(BfcOptions.forDevice(device, fraction, true))
        .usingRecursiveComparison()
        .isEqualTo(BfcOptions.growing().withLimit(limitBytes));
  }

  // @throws IllegalArgumentException if fraction < 0
  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
  void forDevice_noFraction_throws(double fraction) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.forDevice(DeviceCapacity.ofGpu(GIB, GIB, 9), fraction, false))
        .withMessage("fraction must be 0 or more: fraction=" + fraction);
  }

  // @throws IllegalArgumentException if fraction > 1 and the memory is not unified
  @Test
  void forDevice_moreThanTheMemory_needsUnifiedMemory() {
    assertThat(BfcOptions.forDevice(DeviceCapacity.ofGpu(GIB, MIB, 6), 1.5, true).limitBytes())
        .isEqualTo(1536 * MIB);
    for (DeviceCapacity device :
        List.of(DeviceCapacity.of(GIB, GIB), DeviceCapacity.ofGpu(GIB, GIB, 5))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BfcOptions.forDevice(device, 1.0001, true))
          .withMessage(
              "a fraction above 1 needs unified memory, which this device does not have: fraction=1.0001");
    }
  }

  // @throws IllegalArgumentException if availableBytes > totalBytes
  @Test
  void forDevice_moreAvailableThanTotal_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceCapacity.of(MIB, MIB + 1))
        .withMessage(
            "availableBytes must be from 0 to totalBytes: availableBytes=1048577, totalBytes=1048576");
  }

  // @throws IllegalArgumentException if availableBytes < 0
  @Test
  void forDevice_lessThanNothingAvailable_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceCapacity.ofGpu(MIB, -1, 9))
        .withMessage(
            "availableBytes must be from 0 to totalBytes: availableBytes=-1, totalBytes=1048576");
  }

  // @throws IllegalArgumentException if availableBytes > totalBytes, of a device of the user
  @Test
  void forDevice_deviceThatContradictsItself_throws() {
    DeviceCapacity device =
        new DeviceCapacity() {
          @Override
          public long totalBytes() {
            return MIB;
          }

          @Override
          public long availableBytes() {
            return GIB;
          }
        };
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.forDevice(device, 0.5, true))
        .withMessage(
            "availableBytes must be from 0 to totalBytes: availableBytes=1073741824, totalBytes=1048576");
  }

  // @throws IllegalArgumentException if computeCapability < 1
  @Test
  void ofGpu_noComputeCapability_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceCapacity.ofGpu(MIB, MIB, 0))
        .withMessage("computeCapability must be positive: computeCapability=0");
  }

  // @throws IllegalArgumentException if the share has less than 256 bytes
  @Test
  void forDevice_shareTooSmall_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.forDevice(DeviceCapacity.of(1000, 1000), 0.25, false))
        .withMessage("limitBytes must be at least 256, the smallest chunk: limitBytes=250");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.forDevice(DeviceCapacity.of(1000, 0), 0, false))
        .withMessage("limitBytes must be at least 256, the smallest chunk: limitBytes=0");
  }

  // Presets and withers.

  @Test
  void presets_fields() {
    assertThat(BfcOptions.growing())
        .hasToString(
            "BfcOptions[limitBytes=9223372036854775807, growth=DOUBLING, hasTwoEnds=false,"
                + " firstRegionBytes=1048576,"
                + " splitThresholdBytes=134217728, trimThresholdBytes=9223372036854775807,"
                + " hasGarbageCollection=false, hasStacks=false, frontCacheBytes=0]");
    assertThat(BfcOptions.oneRegion(GIB))
        .hasToString(
            "BfcOptions[limitBytes=1073741824, growth=ONE_REGION, hasTwoEnds=false,"
                + " firstRegionBytes=1048576,"
                + " splitThresholdBytes=134217728, trimThresholdBytes=9223372036854775807,"
                + " hasGarbageCollection=false, hasStacks=false, frontCacheBytes=0]");
    assertThat(BfcOptions.expandable())
        .hasToString(
            "BfcOptions[limitBytes=9223372036854775807, growth=EXPANDABLE, hasTwoEnds=false,"
                + " firstRegionBytes=1048576,"
                + " splitThresholdBytes=65536, trimThresholdBytes=9223372036854775807,"
                + " hasGarbageCollection=false, hasStacks=false, frontCacheBytes=0]");
  }

  /** {@return the text of expandable options} */
  private static String expandable(
      long limit,
      long firstRegion,
      long splitThreshold,
      long trimThreshold,
      boolean hasGarbageCollection,
      boolean hasStacks,
      long frontCacheBytes) {
    return String.format(
        Locale.ROOT,
        "BfcOptions[limitBytes=%d, growth=EXPANDABLE, hasTwoEnds=false, firstRegionBytes=%d,"
            + " splitThresholdBytes=%d, trimThresholdBytes=%d, hasGarbageCollection=%s,"
            + " hasStacks=%s, frontCacheBytes=%d]",
        limit,
        firstRegion,
        splitThreshold,
        trimThreshold,
        hasGarbageCollection,
        hasStacks,
        frontCacheBytes);
  }

  @Test
  void withers_oneAfterAnother_changeOneFieldEach() {
    BfcOptions options =
        BfcOptions.expandable()
            .withLimit(GIB)
            .withFirstRegion(1)
            .withSplitThreshold(2)
            .withTrimThreshold(3);
    assertThat(
            Stream.of(
                    options,
                    options.withLimit(1000),
                    options.withFirstRegion(10),
                    options.withSplitThreshold(20),
                    options.withTrimThreshold(30),
                    options.withGarbageCollection(),
                    options.withStacks(),
                    options.withFrontCache(50))
                .map(BfcOptions::toString))
        .containsExactly(
            expandable(GIB, 1, 2, 3, false, false, 0),
            expandable(1000, 1, 2, 3, false, false, 0),
            expandable(GIB, 10, 2, 3, false, false, 0),
            expandable(GIB, 1, 20, 3, false, false, 0),
            expandable(GIB, 1, 2, 30, false, false, 0),
            expandable(GIB, 1, 2, 3, true, false, 0),
            expandable(GIB, 1, 2, 3, false, true, 0),
            expandable(GIB, 1, 2, 3, false, false, 50));
  }

  @Test
  void accessors_afterAllWithers_haveTheirValues() {
    BfcOptions all =
        BfcOptions.expandable()
            .withFrontCache(50)
            .withStacks()
            .withGarbageCollection()
            .withTrimThreshold(30)
            .withSplitThreshold(20)
            .withFirstRegion(10)
            .withLimit(1000);
    assertThat(all).hasToString(expandable(1000, 10, 20, 30, true, true, 50));
    assertThat(all.limitBytes()).isEqualTo(1000);
    assertThat(all.growth()).isEqualTo(RegionGrowth.EXPANDABLE);
    assertThat(all.firstRegionBytes()).isEqualTo(10);
    assertThat(all.splitThresholdBytes()).isEqualTo(20);
    assertThat(all.trimThresholdBytes()).isEqualTo(30);
    assertThat(all.hasGarbageCollection()).isTrue();
    assertThat(all.hasStacks()).isTrue();
    assertThat(all.frontCacheBytes()).isEqualTo(50);
    assertThat(all.hasTwoEnds()).isFalse();
  }

  @Test
  void withTwoEnds_thenAnyOther_keepsThem() {
    BfcOptions options = BfcOptions.oneRegion(1000).withTwoEnds();
    assertThat(options.hasTwoEnds()).isTrue();
    assertThat(
            options
                .withStacks()
                .withGarbageCollection()
                .withTrimThreshold(30)
                .withSplitThreshold(20)
                .withFirstRegion(10)
                .withLimit(2000)
                .hasTwoEnds())
        .isTrue();
  }

  // @throws IllegalArgumentException if trimThresholdBytes < 1
  @Test
  void options_thatNoAllocatorCanWorkWith_throw() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BfcOptions.expandable().withTrimThreshold(0))
        .withMessage("trimThresholdBytes must be positive: trimThresholdBytes=0");
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
              Presets.of(growth, 4095)
                  .withFirstRegion(1)
                  .withSplitThreshold(1)
                  .withTrimThreshold(1)
                  .withGarbageCollection());
      try {
        allocator.allocate(1);
      } catch (BfcOutOfMemoryException e) {
        assertThat(e)
            .hasMessageContaining("The request would have passed with a limit higher by 1 byte.");
        verdicts.add(e.verdict());
      }
    }
    assertThat(verdicts).hasSize(3).containsOnly(OutOfMemoryVerdict.DOES_NOT_FIT);
  }
}
