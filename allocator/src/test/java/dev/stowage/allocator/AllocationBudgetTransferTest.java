package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Transfers of allocations from one budget to another. */
class AllocationBudgetTransferTest {

  private final BfcAllocator allocator =
      new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(1 << 20));

  private final AllocationBudget root = AllocationBudget.root("job", allocator, 4096);

  private static List<Long> used(AllocationBudget... budgets) {
    return List.of(budgets).stream().map(each -> each.account().usedBytes()).toList();
  }

  @Test
  void transfer_withinATree_movesTheChargeAndChargesThoseAboveBothOnce() {
    AllocationBudget a = root.child("a", 0, 4096);
    AllocationBudget b = root.child("b", 1000, 4096);
    long address = a.allocate(3000);
    assertThat(used(root, a, b)).containsExactly(4072L, 3072L, 0L);
    a.transfer(address, b);
    assertThat(used(root, a, b)).containsExactly(3072L, 0L, 3072L);
    b.transfer(address, root);
    assertThat(used(root, a, b)).containsExactly(4072L, 0L, 0L);
    root.transfer(address, root);
    assertThat(used(root, a, b)).containsExactly(4072L, 0L, 0L);
    allocator.free(address);
    assertThat(used(root, a, b)).containsExactly(1000L, 0L, 0L);
    assertThat(root.account().peakBytes()).isEqualTo(4072);
    assertThat(b.account().peakBytes()).isEqualTo(3072);
  }

  @Test
  void transfer_toAnotherTree_movesTheCharge() {
    AllocationBudget other = AllocationBudget.root("other", allocator, 4096);
    AllocationBudget child = other.child("a", 0, 4096);
    long address = root.allocate(1000);
    root.transfer(address, child);
    assertThat(used(root, other, child)).containsExactly(0L, 1024L, 1024L);
    assertThat(other.account().peakBytes()).isEqualTo(1024);
    allocator.free(address);
    assertThat(used(root, other, child)).containsExactly(0L, 0L, 0L);
    root.close();
  }

  // @throws BfcOutOfMemoryException if the other budget, or one above it, cannot pay for it
  @Test
  void transfer_otherCannotPay_failsAndChangesNothing() {
    AllocationBudget poor = root.child("poor", 0, 1000);
    AllocationBudget other = AllocationBudget.root("other", allocator, 1023);
    AllocationBudget child = other.child("a", 0, 2000);
    long address = root.allocate(1000);
    assertThat(
            catchThrowableOfType(BfcOutOfMemoryException.class, () -> root.transfer(address, poor)))
        .hasMessage(
            "budget 'job/poor' is out of memory: 1,000 bytes requested, rounded up to 1 KiB."
                + " Its limit is 24 bytes too low. In use: 0 bytes; limit: 1,000 bytes.");
    assertThat(
            catchThrowableOfType(
                BfcOutOfMemoryException.class, () -> root.transfer(address, child)))
        .hasMessage(
            "budget 'other' is out of memory for budget 'other/a': 1,000 bytes requested,"
                + " rounded up to 1 KiB. Its limit is 1 byte too low. In use: 0 bytes; limit: 1,023"
                + " bytes.");
    assertThat(used(root, poor, other, child)).containsExactly(1024L, 0L, 0L, 0L);
    root.transfer(address, root);
    allocator.free(address);
    assertThat(used(root, poor, other, child)).containsExactly(0L, 0L, 0L, 0L);
  }

  // @throws IllegalStateException if no allocation at address is charged to this budget
  @Test
  void transfer_notChargedToThisBudget_throwsAndDescribesTheAllocation() {
    AllocationBudget child = root.child("a", 0, 4096);
    long ofRoot = root.allocate(1000);
    long ofNone = allocator.allocate(500);
    long gone = child.allocate(256);
    allocator.free(gone);
    assertThatIllegalStateException()
        .isThrownBy(() -> child.transfer(ofRoot, root))
        .withMessage(
            "nothing at 1099511627776 is charged to budget 'job/a': inside chunk"
                + " [1099511627776, 1099511628800), allocation 1 of 1,000 bytes");
    assertThatIllegalStateException()
        .isThrownBy(() -> child.transfer(ofNone, root))
        .withMessage(
            "nothing at 1099511628800 is charged to budget 'job/a': inside chunk [1099511628800,"
                + " 1099511629312), allocation 2 of 500 bytes");
    assertThatIllegalStateException()
        .isThrownBy(() -> child.transfer(gone, root))
        .withMessage(
            "nothing at 1099511629312 is charged to budget 'job/a': already free, inside free"
                + " chunk [1099511629312, 1099512676352)");
    assertThatIllegalStateException()
        .isThrownBy(() -> child.transfer(4711, root))
        .withMessage(
            "nothing at 4711 is charged to budget 'job/a': it lies in none of its 1 regions");
    assertThat(used(root, child)).containsExactly(1024L, 0L);
  }

  // @throws IllegalArgumentException if the other budget is of another allocator
  @Test
  void transfer_toAnotherAllocator_throws() {
    BfcAllocator cpu = new BfcAllocator("cpu", ScriptedRegions.ascending(), BfcOptions.growing());
    AllocationBudget other = AllocationBudget.root("other", cpu, 4096);
    long address = root.allocate(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> root.transfer(address, other))
        .withMessage("budgets 'job' and 'other' belong to different allocators");
    assertThat(used(root, other)).containsExactly(256L, 0L);
  }

  @Test
  void transfer_toAClosedBudget_throwsAndChangesNothing() {
    AllocationBudget sibling = root.child("a", 0, 4096);
    AllocationBudget other = AllocationBudget.root("other", allocator, 4096);
    sibling.close();
    other.close();
    long address = root.allocate(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> root.transfer(address, sibling))
        .withMessage("account 'job/a' is closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> root.transfer(address, other))
        .withMessage("account 'other' is closed");
    assertThat(used(root, sibling, other)).containsExactly(256L, 0L, 0L);
    allocator.free(address);
    root.close();
  }
}
