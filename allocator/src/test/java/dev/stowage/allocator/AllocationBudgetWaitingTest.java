package dev.stowage.allocator;

import static dev.stowage.allocator.WaitingRequest.FOREVER;
import static dev.stowage.allocator.WaitingRequest.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that wait until a budget has enough left. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllocationBudgetWaitingTest {

  private final BfcAllocator allocator =
      new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(1 << 20));

  private final AllocationBudget root = AllocationBudget.root("job", allocator, 4096);

  @AfterEach
  void noRequestWaits() {
    assertThat(allocator.waitingRequests()).isZero();
    allocator.internals().checkInvariants();
  }

  // The order.

  @Test
  void free_requestsOfABudgetWait_areAnsweredInTheirOrder() throws Exception {
    long held = root.allocate(4096);
    WaitingRequest large = waiting(allocator, root, 4096);
    WaitingRequest small = waiting(allocator, root, 256);
    allocator.free(held);
    long address = large.address();
    assertThat(allocator.waitingRequests()).isEqualTo(1);
    assertThat(root.account().usedBytes()).isEqualTo(4096);
    allocator.free(address);
    small.address();
    assertThat(root.account().usedBytes()).isEqualTo(256);
  }

  @Test
  void allocate_anotherBudgetWaits_isNotDelayed() throws Exception {
    AllocationBudget a = root.child("a", 0, 1024);
    AllocationBudget b = root.child("b", 0, 1024);
    long held = a.allocate(1024);
    WaitingRequest waiting = waiting(allocator, a, 1024);
    // In another budget, and in none.
    allocator.free(b.allocateOrWait(1024, 256, FOREVER));
    allocator.free(allocator.allocateOrWait(1024, 256, FOREVER));
    assertThat(waiting.isDone()).isFalse();
    allocator.free(held);
    waiting.address();
  }

  @Test
  void allocate_earlierRequestWaitsForTheSameRoot_waitsBehindIt() throws Exception {
    AllocationBudget a = root.child("a", 0, 4096);
    AllocationBudget b = root.child("b", 512, 4096);
    long held = a.allocate(2048);
    WaitingRequest large = waiting(allocator, a, 2048);
    // The reservation of b is not affected by the earlier request.
    long reserved = b.allocateOrWait(512, 256, FOREVER);
    WaitingRequest beyond = waiting(allocator, b, 256);
    allocator.free(held);
    long address = large.address();
    beyond.address();
    assertThat(root.account().usedBytes()).isEqualTo(2048 + 512 + 256);
    allocator.free(address);
    allocator.free(reserved);
  }

  @Test
  void allocateOrWait_withinTheLimits_doesNotWait() throws Exception {
    assertThat(root.allocateOrWait(4096, 1024, Duration.ZERO)).isNotZero();
    assertThat(root.account().usedBytes()).isEqualTo(4096);
  }

  @Test
  void free_allocatorHasNoRoom_servesTheBudgetsRequest() throws Exception {
    long all = allocator.allocate(1 << 20);
    WaitingRequest waiting = waiting(allocator, root, 4096);
    assertThat(root.account().usedBytes()).isZero();
    allocator.free(all);
    assertThat(waiting.address()).isEqualTo(all);
    assertThat(root.account().usedBytes()).isEqualTo(4096);
    assertThat(root.account().peakBytes()).isEqualTo(4096);
  }

  // Budgets that get more without a free.

  @Test
  void close_ofASiblingWithAReservation_servesTheRequest() throws Exception {
    AllocationBudget sibling = root.child("a", 1024, 1024);
    WaitingRequest waiting = waiting(allocator, root, 4096);
    sibling.close();
    waiting.address();
    assertThat(root.account().usedBytes()).isEqualTo(4096);
  }

  // @throws BfcOutOfMemoryException if there is no room when the timeout expires

  @Test
  void allocateOrWait_moreThanALimit_failsAtOnce() {
    AllocationBudget wide = root.child("wide", 0, Long.MAX_VALUE);
    AllocationBudget narrow = root.child("narrow", 512, 512);
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> narrow.allocateOrWait(513, 256, FOREVER))
        .withMessageStartingWith(
            "budget 'job/narrow' is out of memory: 513 bytes requested, rounded up to 768 bytes. ");
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> wide.allocateOrWait(4097, 256, FOREVER))
        .withMessageStartingWith("budget 'job' is out of memory for budget 'job/wide': ");
    AllocationBudget unlimited = AllocationBudget.root("all", allocator, Long.MAX_VALUE);
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> unlimited.allocateOrWait((1 << 20) + 1, 256, FOREVER))
        .withMessageStartingWith("allocator 'gpu' is out of memory");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> root.allocateOrWait(0, 256, FOREVER))
        .withMessage("bytes must be positive: bytes=0");
  }

  @Test
  void allocateOrWait_timeIsOver_throwsWithTheNumbersOfTheBudget() {
    root.allocate(3840);
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> root.allocateOrWait(512, 256, Duration.ofMillis(1)))
        .withMessage(
            "budget 'job' is out of memory: 512 bytes requested. Its limit is 256 bytes too"
                + " low. In use: 3.75 KiB; limit: 4 KiB (4,096 bytes).");
    assertThat(root.account().usedBytes()).isEqualTo(3840);
  }

  // @throws InterruptedException if the thread is interrupted while it waits

  @Test
  void allocateOrWait_interrupted_chargesNothingAndTheNextIsServed() throws Exception {
    root.allocate(2048);
    WaitingRequest large = waiting(allocator, root, 4096);
    WaitingRequest small = waiting(allocator, root, 2048);
    large.interrupt();
    assertThat(large.failure())
        .isInstanceOf(InterruptedException.class)
        .hasMessage("interrupted while waiting for 4 KiB (4,096 bytes) of allocator 'gpu'");
    small.address();
    assertThat(root.account().usedBytes()).isEqualTo(4096);
  }

  // @throws IllegalStateException if the budget or the allocator is closed during the wait

  @Test
  void close_ofTheBudgetOrTheAllocator_endsTheWait() throws Exception {
    root.allocate(4096);
    AllocationBudget child = root.child("a", 0, 4096);
    WaitingRequest ofChild = waiting(allocator, child, 256);
    WaitingRequest ofRoot = waiting(allocator, root, 256);
    child.close();
    assertThat(allocator.waitingRequests()).isEqualTo(1);
    assertThat(ofChild.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("account 'job/a' is closed");
    allocator.close();
    assertThat(ofRoot.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("allocator 'gpu' is closed");
    assertThat(root.account().usedBytes()).isZero();
  }

  // A pause of the caller.

  @Test
  void allocateOrWait_pauseThrows_takesNothing() throws Exception {
    long held = root.allocate(4096);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() ->
            root.allocateOrWait(
                256,
                256,
                FOREVER,
                left -> {
                  throw new UnsupportedOperationException("pause");
                }));
    // The request is answered, and the pause throws then.
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() ->
            root.allocateOrWait(
                256,
                256,
                FOREVER,
                left -> {
                  allocator.free(held);
                  throw new UnsupportedOperationException("pause");
                }));
    assertThat(root.account().usedBytes()).isZero();
    assertThat(allocator.statistics().bytesInUse()).isZero();
  }

  @Test
  void allocateOrWait_pauseFrees_isAnswered() throws Exception {
    long held = allocator.allocate(1 << 20);
    assertThat(
            allocator.allocateOrWait(
                256,
                256,
                FOREVER,
                left -> {
                  assertThat(left).isPositive();
                  allocator.free(held);
                }))
        .isEqualTo(held);
  }

  // Reuse.

  @Test
  void tryReuse_chunkOfTheSameBudget_chargesTheDifference() {
    long address = root.allocate(4096);
    assertThat(root.tryReuse(address, 2048)).isTrue();
    assertThat(root.account().usedBytes()).isEqualTo(2048);
    assertThat(allocator.allocation(address).orElseThrow().requestedBytes()).isEqualTo(2048);
    allocator.free(address);
    assertThat(root.account().usedBytes()).isZero();
  }

  @Test
  void tryReuse_budgetHasNoRoom_changesNothing() {
    AllocationBudget small = AllocationBudget.root("small", allocator, 256);
    long address = root.allocate(4096);
    long id = allocator.allocation(address).orElseThrow().id();
    assertThat(small.tryReuse(address, 257)).isFalse();
    assertThat(allocator.allocation(address).orElseThrow().id()).isEqualTo(id);
    assertThat(root.account().usedBytes()).isEqualTo(4096);
    assertThat(small.tryReuse(address, 256)).isTrue();
    assertThat(root.account().usedBytes()).isZero();
    assertThat(small.account().usedBytes()).isEqualTo(256);
    assertThat(root.tryReuse(address, 256)).isTrue();
    small.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> small.tryReuse(address, 1))
        .withMessage("account 'small' is closed");
    assertThat(root.account().usedBytes()).isEqualTo(256);
  }

  @Test
  void reuse_withoutABudget_releasesTheCharge() throws Exception {
    long address = root.allocate(4096);
    WaitingRequest waiting = waiting(allocator, root, 4096);
    allocator.reuse(address, 4096);
    waiting.address();
    assertThat(root.account().usedBytes()).isEqualTo(4096);
  }
}
