package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The end of budgets. */
class AllocationBudgetCloseTest {

  /** The address of the first region of the simulated device. */
  private static final long BASE = 1L << 40;

  private final BfcAllocator allocator =
      new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(1 << 20));

  private final AllocationBudget root = AllocationBudget.root("job", allocator, 4096);

  private static List<Long> used(AllocationBudget... budgets) {
    return List.of(budgets).stream().map(each -> each.account().usedBytes()).toList();
  }

  @Test
  void close_bytesCharged_throwsAndNamesThem() {
    AllocationBudget child = root.child("a", 512, 4096);
    AllocationTag.of("weights").run(() -> child.allocate(1000));
    child.allocate(200);
    assertThatIllegalStateException()
        .isThrownBy(child::close)
        .withMessage(
            """
            budget 'job/a' cannot be closed: 1.25 KiB (1,280 bytes) are charged to it
              1,000 bytes in 1: weights
              200 bytes in 1: (no tag)\
            """);
    assertThat(used(root, child)).containsExactly(1280L, 1280L);
    allocator.allocations().forEach(leak -> allocator.free(leak.address()));
    child.close();
    assertThat(used(root)).containsExactly(0L);
  }

  @Test
  void close_childrenOpen_throwsAndNamesThemAndTheirBytes() {
    AllocationBudget child = root.child("a", 0, 4096);
    assertThatIllegalStateException()
        .isThrownBy(root::close)
        .withMessage("budget 'job' cannot be closed: 1 child is open: 'job/a'");
    child.allocate(1);
    List<AllocationBudget> others = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      others.add(root.child("c" + i, 0, 0));
    }
    assertThatIllegalStateException()
        .isThrownBy(root::close)
        .withMessage(
            """
            budget 'job' cannot be closed: 256 bytes are charged to it, and 1001 children are open: \
            'job/a', 'job/c0', 'job/c1' and 998 more
              1 byte in 1: (no tag)\
            """);
    others.forEach(AllocationBudget::close);
    allocator.free(BASE);
    child.close();
    root.close();
  }

  @Test
  void close_manyTags_messageIsBounded() {
    AllocationBudget rich = AllocationBudget.root("rich", allocator, Long.MAX_VALUE);
    for (int i = 0; i < 1000; i++) {
      AllocationTag.of("tag " + i).run(() -> rich.allocate(1));
    }
    assertThatIllegalStateException()
        .isThrownBy(rich::close)
        .satisfies(e -> assertThat(e.toString().lines()).hasSize(12))
        .withMessageEndingWith("\n  and 990 more tags");
  }

  @Test
  void close_twice_givesTheReservationBackOnce() {
    AllocationBudget a = root.child("a", 1000, 4096);
    AllocationBudget b = root.child("b", 500, 4096);
    a.close();
    a.close();
    assertThat(used(root, b)).containsExactly(500L, 0L);
  }

  // @throws IllegalStateException if the budget is closed
  @Test
  void anything_afterClose_throws() {
    root.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> root.allocate(1))
        .withMessage("account 'job' is closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> root.tryAllocate(1, 1))
        .withMessage("account 'job' is closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> root.child("a", 0, 0))
        .withMessage("account 'job' is closed");
    assertThat(allocator.statistics().allocations()).isZero();
  }

  @Test
  void close_afterTheAllocator_hasNothingCharged() {
    AllocationBudget child = root.child("a", 100, 4096);
    child.allocate(1000);
    allocator.close();
    assertThat(used(root, child)).containsExactly(100L, 0L);
    assertThatIllegalStateException()
        .isThrownBy(() -> child.allocate(1))
        .withMessage("allocator 'gpu' is closed");
    child.close();
    root.close();
  }
}
