package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.OutOfMemoryNumbers.Quantity;
import org.junit.jupiter.api.Test;

class OutOfMemoryNumbersTest {

  private static final long GIB = 1L << 30;

  private static long gib(double count) {
    return (long) (count * GIB);
  }

  /** A message of PyTorch: free at the device, in use, cached. */
  private static OutOfMemoryNumbers pytorch(
      double requested, double deviceFree, double inUse, double cached) {
    return OutOfMemoryNumbers.ofRequest(gib(requested))
        .with(Quantity.DEVICE_FREE, gib(deviceFree))
        .with(Quantity.IN_USE, gib(inUse))
        .with(Quantity.CACHED, gib(cached));
  }

  @Test
  void verdict_moreThanFreeAndCached_doesNotFit() {
    assertThat(pytorch(22.78, 12.73, 9.08, 9.35).verdict())
        .isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
  }

  @Test
  void verdict_enoughFreeAndCached_isFragmented() {
    assertThat(pytorch(35.60, 26.16, 11.97, 40.69).verdict())
        .isEqualTo(OutOfMemoryVerdict.FRAGMENTED);
  }

  @Test
  void verdict_enoughFreeAtTheDevice_isRefused() {
    assertThat(pytorch(0.9375, 15.52, 6.78, 0.0746).verdict())
        .isEqualTo(OutOfMemoryVerdict.REFUSED);
    assertThat(pytorch(2, 1, 1, 0).withRefusal().verdict()).isEqualTo(OutOfMemoryVerdict.REFUSED);
  }

  @Test
  void verdict_limitBelowTheFreeBytesOfTheDevice_isLimit() {
    OutOfMemoryNumbers numbers = pytorch(2, 35, 8, 0.5);
    assertThat(numbers.with(Quantity.LIMIT, 9 * GIB).verdict()).isEqualTo(OutOfMemoryVerdict.LIMIT);
    assertThat(numbers.with(Quantity.LIMIT, 10 * GIB).verdict())
        .isEqualTo(OutOfMemoryVerdict.FRAGMENTED);
    assertThat(numbers.with(Quantity.LIMIT, 11 * GIB).verdict())
        .isEqualTo(OutOfMemoryVerdict.REFUSED);
  }

  @Test
  void verdict_limitOfTheProgram_isLimit() {
    OutOfMemoryNumbers full =
        OutOfMemoryNumbers.ofRequest(4 << 20)
            .with(Quantity.IN_USE, 8L << 20)
            .with(Quantity.LIMIT, 8L << 20);
    assertThat(full.verdict()).isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
    assertThat(full.withProgramLimit().verdict()).isEqualTo(OutOfMemoryVerdict.LIMIT);
  }

  @Test
  void verdict_holeOfTheRequest_isTransient() {
    OutOfMemoryNumbers numbers = pytorch(2, 0, 8, 2).with(Quantity.LARGEST_HOLE, 2 * GIB - 1);
    assertThat(numbers.verdict()).isEqualTo(OutOfMemoryVerdict.FRAGMENTED);
    assertThat(numbers.with(Quantity.LARGEST_HOLE, 2 * GIB).verdict())
        .isEqualTo(OutOfMemoryVerdict.TRANSIENT);
  }

  /** A limit below the reserved bytes, as a replay of recorded memory may have. */
  @Test
  void verdict_cachedBytesBeyondTheLimit_doNotCount() {
    OutOfMemoryNumbers numbers =
        OutOfMemoryNumbers.ofRequest(300).with(Quantity.IN_USE, 181).with(Quantity.CACHED, 331);
    assertThat(numbers.with(Quantity.LIMIT, 480).verdict())
        .isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
    assertThat(numbers.with(Quantity.LIMIT, 481).verdict())
        .isEqualTo(OutOfMemoryVerdict.FRAGMENTED);
    assertThat(numbers.with(Quantity.LIMIT, 100).verdict())
        .isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
  }

  /** Case 43: 0.007 % of 2 GiB are rounding, which is more than the 16 bytes that are missing. */
  @Test
  void verdict_littleWaste_doesNotFit() {
    OutOfMemoryNumbers numbers =
        OutOfMemoryNumbers.ofRequest(256)
            .with(Quantity.IN_USE, 2 * GIB)
            .with(Quantity.LIMIT, 2 * GIB);
    assertThat(numbers.with(Quantity.WASTE, 150_000).verdict())
        .isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
    assertThat(numbers.with(Quantity.WASTE, 2 * GIB / 100).verdict())
        .isEqualTo(OutOfMemoryVerdict.FRAGMENTED);
  }

  @Test
  void verdict_wasteBelowTheMissingBytes_doesNotFit() {
    OutOfMemoryNumbers numbers =
        OutOfMemoryNumbers.ofRequest(1024)
            .with(Quantity.IN_USE, 10_240)
            .with(Quantity.LIMIT, 10_240);
    assertThat(numbers.with(Quantity.WASTE, 1023).verdict())
        .isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
    assertThat(numbers.with(Quantity.WASTE, 1024).verdict())
        .isEqualTo(OutOfMemoryVerdict.FRAGMENTED);
  }

  @Test
  void verdict_neitherDeviceNorLimit_isUnknownUnlessEnoughIsCached() {
    OutOfMemoryNumbers request = OutOfMemoryNumbers.ofRequest(GIB);
    assertThat(request.verdict()).isEqualTo(OutOfMemoryVerdict.UNKNOWN);
    assertThat(request.with(Quantity.CACHED, GIB - 1).verdict())
        .isEqualTo(OutOfMemoryVerdict.UNKNOWN);
    assertThat(request.with(Quantity.CACHED, GIB).verdict())
        .isEqualTo(OutOfMemoryVerdict.FRAGMENTED);
  }

  @Test
  void verdict_largestNumbers_doesNotOverflow() {
    OutOfMemoryNumbers numbers =
        OutOfMemoryNumbers.ofRequest(Long.MAX_VALUE).with(Quantity.LIMIT, Long.MAX_VALUE);
    assertThat(numbers.with(Quantity.IN_USE, 1).verdict())
        .isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
  }

  @Test
  void with_negativeNumber_throws() {
    assertThatThrownBy(() -> OutOfMemoryNumbers.ofRequest(1).with(Quantity.CACHED, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("CACHED must be at least 0: bytes=-1");
    assertThatThrownBy(() -> OutOfMemoryNumbers.ofRequest(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bytes must be positive: bytes=0");
  }
}
