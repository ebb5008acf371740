package dev.stowage.allocator;

import static dev.stowage.allocator.WaitingRequest.FOREVER;
import static dev.stowage.allocator.WaitingRequest.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting requests that frees cannot serve, which delay no other request. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BfcAllocatorUnservableRequestTest {

  private static final long MIB = 1 << 20;

  private final ScriptedRegions device = ScriptedRegions.ascending();

  private static BfcAllocator onSmallDevice(BfcOptions options) {
    return new BfcAllocator("tiny", ScriptedRegions.giving(new Given(MIB)), options);
  }

  /** Provides a number of bytes in all. */
  private static final class Given implements LongPredicate {

    private long left;

    Given(long bytes) {
      left = bytes;
    }

    @Override
    public boolean test(long bytes) {
      if (bytes > left) {
        return false;
      }
      left -= bytes;
      return true;
    }
  }

  static Stream<BfcOptions> unlimited() {
    return Stream.of(
        BfcOptions.growing(),
        BfcOptions.growing().withLimit(3 * MIB),
        BfcOptions.expandable(),
        BfcOptions.expandable().withTrimThreshold(4 * MIB));
  }

  @ParameterizedTest
  @MethodSource("unlimited")
  void free_requestForMoreThanTheDeviceHasWaits_othersAreServed(BfcOptions options)
      throws Exception {
    BfcAllocator tiny = onSmallDevice(options);
    long all = tiny.allocate(MIB);
    WaitingRequest never = waiting(tiny, 2 * MIB);
    WaitingRequest neither = waiting(tiny, 3 * MIB);
    WaitingRequest small = waiting(tiny, MIB / 2);
    WaitingRequest behind = waiting(tiny, MIB);
    tiny.free(all);
    assertThat(small.address()).isEqualTo(all);
    assertThat(tiny.waitingRequests()).isEqualTo(3);
    // A region is long enough for the request, so that no other request overtakes it.
    WaitingRequest last = waiting(tiny, MIB / 4);
    tiny.free(all);
    assertThat(behind.address()).isEqualTo(all);
    tiny.free(all);
    tiny.free(last.address());
    // With room for all others, a new request does not wait.
    assertThat(tiny.allocateOrWait(MIB, 1, FOREVER)).isEqualTo(all);
    for (WaitingRequest request : List.of(never, neither)) {
      request.interrupt();
      assertThat(request.failure()).isInstanceOf(InterruptedException.class);
    }
    tiny.internals().checkInvariants();
  }

  @Test
  void allocate_nothingButARequestForMoreThanTheDeviceHasWaits_isServedAtOnce() throws Exception {
    BfcAllocator tiny = onSmallDevice(BfcOptions.growing());
    WaitingRequest never = waiting(tiny, 2 * MIB);
    assertThat(tiny.allocateOrWait(MIB / 2, 1, FOREVER)).isPositive();
    never.interrupt();
    assertThat(never.failure()).isInstanceOf(InterruptedException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 100})
  void free_garbageIsCollectedForARequestThatTheDeviceNeverServes_othersAreServed(long limitMib)
      throws Exception {
    BfcAllocator tiny =
        onSmallDevice(
            BfcOptions.growing()
                .withSplitThreshold(256)
                .withLimit(limitMib * MIB)
                .withGarbageCollection());
    WaitingRequest never = waiting(tiny, 2 * MIB); // refused while nothing is held
    long half = tiny.allocate(MIB / 2);
    long quarter = tiny.allocate(MIB / 4);
    WaitingRequest small = waiting(tiny, MIB / 2);
    tiny.free(half);
    assertThat(small.address()).isEqualTo(half);
    WaitingRequest next = waiting(tiny, MIB / 4);
    tiny.free(quarter);
    assertThat(next.address()).isPositive();
    assertThat(tiny.waitingRequests()).isEqualTo(1);
    never.interrupt();
    assertThat(never.failure()).isInstanceOf(InterruptedException.class);
    tiny.internals().checkInvariants();
  }

  @Test
  void trim_requestThatWasPassedOver_isServed() throws Exception {
    BfcAllocator growing = new BfcAllocator("cpu", device, BfcOptions.growing().withLimit(2 * MIB));
    long[] regions = {growing.allocate(MIB), growing.allocate(MIB)};
    WaitingRequest large = waiting(growing, 2 * MIB);
    WaitingRequest other = waiting(growing, MIB);
    growing.free(regions[0]);
    assertThat(other.address()).isEqualTo(regions[0]);
    growing.free(regions[0]);
    growing.free(regions[1]);
    assertThat(growing.waitingRequests()).isEqualTo(1);
    assertThat(growing.trim().bytes()).isEqualTo(2 * MIB);
    growing.free(large.address());
  }
}
