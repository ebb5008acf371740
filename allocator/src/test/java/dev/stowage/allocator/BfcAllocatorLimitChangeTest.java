package dev.stowage.allocator;

import static dev.stowage.allocator.WaitingRequest.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits that change while memory is in use and requests wait. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BfcAllocatorLimitChangeTest {

  private static final long MIB = 1 << 20;

  private final ScriptedRegions device = ScriptedRegions.ascending().resizing();

  private BfcAllocator allocator(BfcOptions options) {
    return new BfcAllocator("gpu", device, options);
  }

  // Lower limits.

  @Test
  void setLimit_lowerThanRegions_returnsAsManyFreeRegionsAsNeeded() {
    BfcAllocator allocator = allocator(BfcOptions.growing());
    long[] addresses = new long[15];
    for (int i = 0; i < 15; i++) {
      addresses[i] = allocator.allocate(MIB); // in regions of 1, 2, 4 and 8 MiB
    }
    for (int i = 1; i < 15; i++) {
      allocator.free(addresses[i]);
    }
    device.calls().clear();
    assertThat(allocator.setLimit(6 * MIB)).isEqualTo(new LimitChange(6 * MIB, 6 * MIB, 12 * MIB));
    assertThat(device.calls()).containsExactly("free 8388608", "free 4194304");
    assertThat(allocator.statistics().limitBytes()).isEqualTo(6 * MIB);
    assertThat(allocator.tryAllocate(4 * MIB, 256)).isEmpty(); // 3 MiB are left, and 2 of them held
    assertThat(allocator.tryAllocate(3 * MIB, 256)).isPresent();
    allocator.internals().checkInvariants();
  }

  @Test
  void setLimit_lowerThanAnExpandableRegion_returnsOnlyTheExcess() {
    BfcAllocator allocator = allocator(BfcOptions.expandable());
    allocator.allocate(MIB);
    allocator.free(allocator.allocate(7 * MIB));
    device.calls().clear();
    assertThat(allocator.setLimit(5 * MIB)).isEqualTo(new LimitChange(5 * MIB, 5 * MIB, 3 * MIB));
    assertThat(device.calls()).containsExactly("resize 8388608 5242880");
    allocator.internals().checkInvariants();
  }

  @Test
  void setLimit_lowerThanMemoryInUse_reportsTheLimitReached() {
    BfcAllocator allocator = allocator(BfcOptions.expandable());
    long low = allocator.allocate(2 * MIB);
    long high = allocator.allocate(2 * MIB);
    allocator.free(low);
    LimitChange change = allocator.setLimit(MIB);
    assertThat(change).isEqualTo(new LimitChange(MIB, 4 * MIB, 0));
    assertThat(change.isReached()).isFalse();
    // The free chunk may be used, and the allocator does not grow.
    assertThat(allocator.allocate(2 * MIB)).isEqualTo(low);
    assertThat(allocator.tryAllocate(256, 256)).isEmpty();
    allocator.free(high);
    assertThat(allocator.setLimit(MIB).limitBytes()).isEqualTo(2 * MIB);
    allocator.free(low);
    assertThat(allocator.setLimit(MIB).isReached()).isTrue();
    assertThat(allocator.statistics().reservedBytes()).isZero();
  }

  @Test
  void setLimit_oneRegionInUse_staysAsLongAsTheRegion() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(4 * MIB));
    long address = allocator.allocate(256);
    assertThat(allocator.setLimit(MIB)).isEqualTo(new LimitChange(MIB, 4 * MIB, 0));
    allocator.free(address);
    assertThat(allocator.setLimit(MIB)).isEqualTo(new LimitChange(MIB, MIB, 4 * MIB));
    allocator.allocate(256);
    assertThat(allocator.statistics().reservedBytes()).isEqualTo(MIB);
  }

  @Test
  void setLimit_belowARequest_theMessageHasTheNewLimit() {
    BfcAllocator allocator = allocator(BfcOptions.expandable().withLimit(8 * MIB));
    allocator.setLimit(MIB);
    BfcOutOfMemoryException failure =
        catchThrowableOfType(BfcOutOfMemoryException.class, () -> allocator.allocate(2 * MIB));
    assertThat(failure)
        .hasMessageContaining("limit: 1 MiB (1,048,576 bytes).")
        .hasMessageContaining("with a limit higher by 1 MiB (1,048,576 bytes)");
  }

  // Higher limits.

  @Test
  void setLimit_higher_servesWaitingRequestsInTheirOrder() throws Exception {
    BfcAllocator allocator = allocator(BfcOptions.expandable().withLimit(4 * MIB));
    long held = allocator.allocate(4 * MIB);
    WaitingRequest first = waiting(allocator, 2 * MIB);
    WaitingRequest second = waiting(allocator, MIB);
    assertThat(allocator.setLimit(6 * MIB).isReached()).isTrue();
    assertThat(first.address()).isEqualTo(held + 4 * MIB);
    assertThat(allocator.waitingRequests()).isEqualTo(1);
    allocator.setLimit(Long.MAX_VALUE);
    assertThat(second.address()).isEqualTo(held + 6 * MIB);
    allocator.internals().checkInvariants();
  }

  @Test
  void setLimit_higherWithOneRegion_addsARegionOfTheDifference() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(MIB));
    allocator.allocate(MIB);
    allocator.setLimit(3 * MIB);
    allocator.allocate(256);
    assertThat(device.calls()).containsExactly("give 1048576", "give 2097152");
    allocator.internals().checkInvariants();
  }

  @Test
  void setLimit_asAdvisedWithOneRegion_isEnough() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(MIB));
    allocator.allocate(MIB / 2);
    BfcOutOfMemoryException failure =
        catchThrowableOfType(BfcOutOfMemoryException.class, () -> allocator.allocate(3 * MIB / 4));
    assertThat(failure)
        .hasMessageContaining("passed with a limit higher by 768 KiB (786,432 bytes), or without");
    allocator.setLimit(MIB + 768 * 1024 - 256);
    assertThat(allocator.tryAllocate(3 * MIB / 4, 256)).isEmpty();
    allocator.setLimit(MIB + 768 * 1024);
    assertThat(allocator.tryAllocate(3 * MIB / 4, 256)).isPresent();
  }

  @Test
  void setLimit_lowerThanAWaitingRequest_thatFailsAndTheNextIsServed() throws Exception {
    BfcAllocator allocator = allocator(BfcOptions.expandable().withLimit(8 * MIB));
    long low = allocator.allocate(2 * MIB);
    allocator.free(allocator.allocate(6 * MIB));
    WaitingRequest large = waiting(allocator, 8 * MIB);
    WaitingRequest small = waiting(allocator, 7 * MIB);
    assertThat(allocator.setLimit(7 * MIB).isReached()).isTrue();
    assertThat(large.failure())
        .isInstanceOf(BfcOutOfMemoryException.class)
        .hasMessageContaining(": 8 MiB (8,388,608 bytes) requested.")
        .hasMessageContaining("limit: 7 MiB (7,340,032 bytes).");
    assertThat(allocator.waitingRequests()).isEqualTo(1);
    allocator.free(low);
    assertThat(small.address()).isEqualTo(low);
  }

  @Test
  void setLimit_lastWaitingRequestFails_laterOnesAreTriedAtOnce() throws Exception {
    BfcAllocator allocator = allocator(BfcOptions.expandable().withLimit(8 * MIB));
    allocator.allocate(2 * MIB);
    WaitingRequest large = waiting(allocator, 8 * MIB);
    allocator.setLimit(4 * MIB);
    assertThat(large.failure()).isInstanceOf(BfcOutOfMemoryException.class);
    allocator.allocateOrWait(2 * MIB, 256, WaitingRequest.FOREVER);
    assertThat(allocator.waitingRequests()).isZero();
  }

  // Errors.

  @Test
  void setLimit_wrongLimit_throwsAndChangesNothing() {
    BfcAllocator allocator = allocator(BfcOptions.oneRegion(MIB));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> allocator.setLimit(255))
        .withMessage("limitBytes must be at least 256, the smallest chunk: limitBytes=255");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> allocator.setLimit(Long.MAX_VALUE))
        .withMessage("an allocator with one region needs a limit: limitBytes=9223372036854775807");
    assertThat(allocator.statistics().limitBytes()).isEqualTo(MIB);
    allocator.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.setLimit(MIB))
        .withMessage("allocator 'gpu' is closed");
  }
}
