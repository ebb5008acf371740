package dev.stowage.allocator;

import static dev.stowage.allocator.WaitingRequest.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Budgets whose limit changes while they are in use. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllocationBudgetLimitChangeTest {

  private final BfcAllocator allocator =
      new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(1 << 20));

  private final AllocationBudget root = AllocationBudget.root("job", allocator, 4096);

  @Test
  void setLimit_higher_permitsMore() {
    root.allocate(4096);
    assertThat(root.tryAllocate(256, 256)).isEmpty();
    assertThat(root.account().setLimit(8192)).isEqualTo(new LimitChange(8192, 8192, 0));
    root.allocate(4096);
    assertThat(root.account().usedBytes()).isEqualTo(8192);
  }

  @Test
  void setLimit_lowerThanTheBytesInUse_isTheBytesInUse() {
    long first = root.allocate(2048);
    root.allocate(1024);
    LimitChange change = root.account().setLimit(1024);
    assertThat(change.isReached()).isFalse();
    assertThat(change).isEqualTo(new LimitChange(1024, 3072, 0));
    assertThat(root.tryAllocate(1, 1)).isEmpty();
    allocator.free(first);
    assertThat(root.account().setLimit(1024).isReached()).isTrue();
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> root.allocate(1))
        .withMessage(
            "budget 'job' is out of memory: 1 byte requested, rounded up to 256 bytes. Its"
                + " limit is 256 bytes too low. In use: 1 KiB; limit: 1 KiB (1,024 bytes).");
  }

  @Test
  void setLimit_ofAParent_countsTheReservationsOfItsChildren() {
    try (AllocationBudget child = root.child("child", 2048, 4096)) {
      assertThat(root.account().setLimit(0).limitBytes()).isEqualTo(2048);
      child.allocate(2048);
      assertThat(child.tryAllocate(1, 1)).isEmpty();
      assertThat(child.account().setLimit(Long.MAX_VALUE).isReached()).isTrue();
      assertThat(child.tryAllocate(1, 1)).isEmpty();
      allocator.allocations().forEach(each -> allocator.free(each.address()));
    }
    assertThat(root.account().setLimit(0).isReached()).isTrue();
  }

  @Test
  void setLimit_higher_servesWaitingRequestsInTheirOrder() throws Exception {
    root.allocate(4096);
    WaitingRequest first = waiting(allocator, root, 2048);
    WaitingRequest second = waiting(allocator, root, 2048);
    root.account().setLimit(6144);
    first.address();
    assertThat(second.isDone()).isFalse();
    root.account().setLimit(8192);
    second.address();
  }

  @Test
  void setLimit_lowerThanAWaitingRequest_thatFailsAndTheNextIsServed() throws Exception {
    AllocationBudget child = root.child("child", 0, 4096);
    long first = child.allocate(1024);
    child.allocate(1024);
    WaitingRequest large = waiting(allocator, child, 4096);
    WaitingRequest small = waiting(allocator, child, 512);
    root.account().setLimit(3072);
    assertThat(large.failure())
        .isInstanceOf(BfcOutOfMemoryException.class)
        .hasMessageStartingWith(
            "budget 'job/child' is out of memory: 4 KiB (4,096 bytes) requested. ");
    small.address();
    allocator.free(first);
    assertThat(root.account().usedBytes()).isEqualTo(1024 + 512);
  }

  @Test
  void setLimit_lastWaitingRequestFails_laterOnesAreTriedAtOnce() throws Exception {
    root.allocate(256);
    WaitingRequest large = waiting(allocator, root, 4096);
    root.account().setLimit(2048);
    assertThat(large.failure()).isInstanceOf(BfcOutOfMemoryException.class);
    root.allocateOrWait(256, 256, WaitingRequest.FOREVER);
    assertThat(root.account().usedBytes()).isEqualTo(512);
  }

  @Test
  void setLimit_belowTheReservation_throwsAndChangesNothing() {
    AllocationBudget child = root.child("child", 1024, 2048);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> child.account().setLimit(1023))
        .withMessage(
            "the limit of account 'job/child' must be at least its reservation: limitBytes=1023, reservedBytes=1024");
    assertThatIllegalArgumentException().isThrownBy(() -> root.account().setLimit(-1));
    assertThat(child.account().limitBytes()).isEqualTo(2048);
    child.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> child.account().setLimit(4096))
        .withMessage("account 'job/child' is closed");
  }

  @Test
  void setLimit_inAListener_isRejected() {
    List<String> messages = new ArrayList<>();
    List<AllocationBudget> budgets = new ArrayList<>();
    Consumer<Long> onFree =
        _ -> {
          try {
            budgets.getFirst().account().setLimit(1);
          } catch (IllegalStateException rejected) {
            messages.add(String.valueOf(rejected.getMessage()));
          }
        };
    AllocationListener listener =
        new AllocationListener() {
          @Override
          public void allocated(Allocation allocation) {}

          @Override
          public void freed(long id) {
            onFree.accept(id);
          }

          @Override
          public void failed(long bytes) {}
        };
    BfcAllocator listened =
        new BfcAllocator(
            "listened", ScriptedRegions.ascending(), BfcOptions.oneRegion(1 << 20), listener);
    budgets.add(AllocationBudget.root("job", listened, 4096));
    listened.free(budgets.getFirst().allocate(256));
    assertThat(messages)
        .containsExactly(
            "the listener of allocator 'listened' must not call it; call the allocator after the callback has returned");
    assertThat(budgets.getFirst().account().limitBytes()).isEqualTo(4096);
  }
}
