package dev.stowage.allocator;

import static dev.stowage.allocator.WaitingRequest.FOREVER;
import static dev.stowage.allocator.WaitingRequest.asked;
import static dev.stowage.allocator.WaitingRequest.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that wait for frees. The time limit ends a test if a request waits without an end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BfcAllocatorWaitingTest {

  private static final long MIB = 1 << 20;

  private final ScriptedRegions device = ScriptedRegions.ascending();

  /*
   *   | 256 | 256 | 256 | 256 |   all in use
   */
  private final BfcAllocator allocator =
      new BfcAllocator("gpu", device, BfcOptions.oneRegion(1024).withSplitThreshold(256));

  private final long[] held = {
    allocator.allocate(256),
    allocator.allocate(256),
    allocator.allocate(256),
    allocator.allocate(256)
  };

  @AfterEach
  void noRequestWaits() {
    assertThat(allocator.waitingRequests()).isZero();
    allocator.internals().checkInvariants();
  }

  // The order.

  @Test
  void free_requestsWait_areAnsweredInTheOrderInWhichTheyCame() throws Exception {
    List<WaitingRequest> requests = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      requests.add(waiting(allocator, 256));
    }
    for (int i = 0; i < 4; i++) {
      allocator.free(held[3 - i]);
      assertThat(allocator.waitingRequests()).isEqualTo(3 - i);
      assertThat(requests.get(i).address()).isEqualTo(held[3 - i]);
    }
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(1024);
  }

  @Test
  void free_largeRequestWaitsBeforeSmallOne_isNotOvertaken() throws Exception {
    WaitingRequest large = waiting(allocator, 512);
    WaitingRequest small = waiting(allocator, 256);
    allocator.free(held[0]);
    assertThat(allocator.waitingRequests()).isEqualTo(2);
    allocator.free(held[2]);
    assertThat(allocator.waitingRequests()).isEqualTo(2);
    allocator.free(held[1]);
    assertThat(large.address()).isEqualTo(held[0]);
    assertThat(small.address()).isEqualTo(held[2]);
  }

  @Test
  void free_severalRequestsFit_servesThemBeforeItReturns() throws Exception {
    for (long address : held) {
      allocator.free(address);
    }
    long all = allocator.allocate(1024);
    List<WaitingRequest> requests = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      requests.add(waiting(allocator, 256));
    }
    allocator.free(all);
    // The threads may not have woken up yet.
    assertThat(allocator.waitingRequests()).isEqualTo(1);
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(1024);
    for (int i = 0; i < 4; i++) {
      assertThat(requests.get(i).address()).isEqualTo(held[i]);
    }
    allocator.free(held[1]);
    assertThat(requests.get(4).address()).isEqualTo(held[1]);
  }

  @Test
  void allocate_othersWaitForMore_answersRequestsThatDoNotWait() throws Exception {
    WaitingRequest large = waiting(allocator, 1024);
    allocator.free(held[2]);
    assertThat(allocator.tryAllocate(1, 1)).hasValue(held[2]);
    allocator.free(held[2]);
    assertThat(allocator.allocate(256)).isEqualTo(held[2]);
    assertThat(allocator.waitingRequests()).isEqualTo(1);
    for (long address : held) {
      allocator.free(address);
    }
    assertThat(large.address()).isEqualTo(held[0]);
  }

  @Test
  void allocate_room_doesNotWait() throws Exception {
    allocator.free(held[2]);
    assertThat(allocator.allocateOrWait(200, 1, FOREVER)).isEqualTo(held[2]);
  }

  @Test
  void allocate_wrongRequest_throwsAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> allocator.allocateOrWait(0, 1, FOREVER))
        .withMessage("bytes must be positive: bytes=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> allocator.allocateOrWait(1, 3, FOREVER))
        .withMessage("alignment must be a power of two: alignment=3");
  }

  // @throws BfcOutOfMemoryException if there is no room when the time is over

  static Stream<Duration> noTime() {
    return Stream.of(
        Duration.ZERO,
        Duration.ofNanos(1),
        Duration.ofMillis(1),
        Duration.ofNanos(-1),
        Duration.ofSeconds(Long.MIN_VALUE));
  }

  @ParameterizedTest
  @MethodSource("noTime")
  void allocate_timeIsOver_throws(Duration timeout) {
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> allocator.allocateOrWait(300, 256, timeout))
        .withMessageStartingWith(
            "allocator 'gpu' is out of memory: 300 bytes requested, rounded up to 512 bytes. ");
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(1024);
    allocator.free(held[0]);
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(768);
  }

  @ParameterizedTest
  @MethodSource("noTime")
  void allocate_timeIsOverWhileAnotherWaitsForMore_takesTheFreeChunk(Duration timeout)
      throws Exception {
    WaitingRequest large = waiting(allocator, 1024);
    allocator.free(held[3]);
    assertThat(allocator.allocateOrWait(256, 256, timeout)).isEqualTo(held[3]);
    for (long address : held) {
      allocator.free(address);
    }
    assertThat(large.address()).isEqualTo(held[0]);
  }

  @Test
  void allocate_timeOfTheFirstIsOver_theNextIsServed() throws Exception {
    allocator.free(held[0]);
    WaitingRequest first = asked(allocator, 1024, Duration.ofMillis(50));
    WaitingRequest second = asked(allocator, 256, FOREVER);
    assertThat(first.failure()).isInstanceOf(BfcOutOfMemoryException.class);
    assertThat(second.address()).isEqualTo(held[0]);
  }

  // @throws InterruptedException if the thread is interrupted while it waits

  @Test
  void allocate_interruptedWhileItWaits_takesNothingAndTheNextIsServed() throws Exception {
    WaitingRequest first = waiting(allocator, 1024);
    WaitingRequest second = waiting(allocator, 256);
    WaitingRequest third = waiting(allocator, 256);
    allocator.free(held[1]);
    assertThat(allocator.waitingRequests()).isEqualTo(3);
    first.interrupt();
    assertThat(first.failure())
        .isInstanceOf(InterruptedException.class)
        .hasMessage("interrupted while waiting for 1 KiB (1,024 bytes) of allocator 'gpu'");
    assertThat(second.address()).isEqualTo(held[1]);
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(1024);
    allocator.free(held[3]);
    assertThat(third.address()).isEqualTo(held[3]);
  }

  @Test
  void allocate_interruptedInTheMiddle_othersKeepTheirOrder() throws Exception {
    WaitingRequest first = waiting(allocator, 256);
    WaitingRequest second = waiting(allocator, 256);
    WaitingRequest third = waiting(allocator, 256);
    second.interrupt();
    assertThat(second.failure()).isInstanceOf(InterruptedException.class);
    assertThat(allocator.waitingRequests()).isEqualTo(2);
    allocator.free(held[2]);
    assertThat(first.address()).isEqualTo(held[2]);
    allocator.free(held[0]);
    assertThat(third.address()).isEqualTo(held[0]);
  }

  @Test
  void allocate_interruptedBefore_throwsOnlyIfItWouldWait() throws Exception {
    allocator.free(held[1]);
    Thread.currentThread().interrupt();
    assertThat(allocator.allocateOrWait(256, 256, FOREVER)).isEqualTo(held[1]);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> allocator.allocateOrWait(256, 256, FOREVER));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /**
   * The listener interrupts the thread with the lock, and the request is answered before the
   * release.
   */
  @Test
  void allocate_interruptedTooLate_hasTheAddressAndStaysInterrupted() throws Exception {
    AtomicReference<Thread> waiter = new AtomicReference<>(Thread.currentThread());
    BfcAllocator listened =
        new BfcAllocator(
            "cpu",
            device,
            BfcOptions.oneRegion(256),
            RecordingListener.onFreed(id -> waiter.get().interrupt()));
    long address = listened.allocate(256);
    FutureTask<Boolean> task =
        new FutureTask<>(() -> {
          waiter.set(Thread.currentThread());
          assertThat(listened.allocateOrWait(256, 256, FOREVER)).isEqualTo(address);
          return Thread.interrupted();
        });
    Thread.ofPlatform().daemon().start(task);
    while (listened.waitingRequests() == 0) {
      Thread.onSpinWait();
    }
    listened.free(address);
    assertThat(task.get()).isTrue();
    assertThat(listened.statistics().bytesInUse()).isEqualTo(256);
  }

  // @throws IllegalStateException if the allocator is closed, also while this waits

  @Test
  void close_requestsWait_fail() throws Exception {
    WaitingRequest first = waiting(allocator, 1024);
    WaitingRequest second = waiting(allocator, 256);
    allocator.close();
    for (WaitingRequest request : List.of(first, second)) {
      assertThat(request.failure())
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("allocator 'gpu' is closed");
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.allocateOrWait(1, 1, Duration.ZERO))
        .withMessage("allocator 'gpu' is closed");
    assertThat(device.held()).isEmpty();
  }

  @Test
  void close_requestWasAnsweredBefore_itHasItsAddress() throws Exception {
    WaitingRequest request = waiting(allocator, 256);
    allocator.free(held[3]);
    allocator.close();
    assertThat(request.address()).isEqualTo(held[3]);
  }

  // Other operations that make room.

  @Test
  void trim_requestWaitsForALargerRegion_isServed() throws Exception {
    BfcAllocator growing = new BfcAllocator("cpu", device, BfcOptions.growing().withLimit(2 * MIB));
    long small = growing.allocate(256);
    WaitingRequest large = waiting(growing, 2 * MIB);
    growing.free(small);
    assertThat(growing.waitingRequests()).isEqualTo(1);
    assertThat(growing.trim().bytes()).isEqualTo(MIB);
    growing.free(large.address());
    growing.internals().checkInvariants();
  }

  @Test
  void free_requestWaitsForALargerRegion_garbageCollectionServesIt() throws Exception {
    BfcOptions options = BfcOptions.growing().withLimit(2 * MIB).withGarbageCollection();
    BfcAllocator growing = new BfcAllocator("cpu", device, options);
    long small = growing.allocate(256);
    WaitingRequest large = waiting(growing, 2 * MIB);
    growing.free(small);
    growing.free(large.address());
    growing.internals().checkInvariants();
  }

  // Virtual threads.

  @Test
  void free_thousandVirtualThreadsWait_eachHasItsTurn() throws Exception {
    List<WaitingRequest> requests = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      requests.add(waiting(Thread.ofVirtual(), allocator, 1 + i % 256));
    }
    for (int i = 0; i < 1000; i++) {
      allocator.free(held[i % 4]);
      assertThat(requests.get(i).address()).isEqualTo(held[i % 4]);
    }
  }
}
