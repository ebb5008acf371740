package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/** Allocating and freeing create no objects after the code is compiled. */
class BfcAllocatorGarbageTest {

  /** Enough rounds for the compiler, also on a busy machine. */
  private static final int MAX_ROUNDS = 1000;

  private static final int PAIRS = 20_000;

  private final BfcAllocator allocator =
      new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(1 << 20));

  private final Object threads;
  private final Method heapBytesAsked;

  BfcAllocatorGarbageTest() throws ReflectiveOperationException {
    // The module allocator does not depend on the module of this class.
    threads =
        Class.forName("java.lang.management.ManagementFactory")
            .getMethod("getThreadMXBean")
            .invoke(null);
    heapBytesAsked =
        Class.forName("com.sun.management.ThreadMXBean")
            .getMethod("getCurrentThreadAllocatedBytes");
  }

  private void assertMakesNoObjects(Runnable pair) throws ReflectiveOperationException {
    double perPair = Double.MAX_VALUE;
    for (int round = 0; round < MAX_ROUNDS && perPair > 1; round++) {
      long before = (long) heapBytesAsked.invoke(threads);
      for (int i = 0; i < PAIRS; i++) {
        pair.run();
      }
      perPair = ((long) heapBytesAsked.invoke(threads) - before) / (double) PAIRS;
    }
    assertThat(perPair).isLessThanOrEqualTo(1);
  }

  @Test
  void allocateAndFree_warm_makeNoObjects() throws ReflectiveOperationException {
    assertMakesNoObjects(() -> allocator.free(allocator.allocate(1000)));
  }

  @Test
  void allocateAndFree_aligned_makeNoObjects() throws ReflectiveOperationException {
    assertMakesNoObjects(() -> allocator.free(allocator.allocate(1000, 4096)));
  }

  @Test
  void allocateAndFree_underATag_makeNoObjects() throws ReflectiveOperationException {
    AllocationTag.of("encoder")
        .call(() -> {
          assertMakesNoObjects(() -> allocator.free(allocator.allocate(1000)));
          return 0;
        });
  }

  @Test
  void allocateAndFree_chargedToABudget_makeNoObjects() throws ReflectiveOperationException {
    AllocationBudget root = AllocationBudget.root("job", allocator, 4096);
    AllocationBudget child = root.child("a", 512, 2048);
    assertMakesNoObjects(() -> allocator.free(child.allocate(1000)));
  }
}
