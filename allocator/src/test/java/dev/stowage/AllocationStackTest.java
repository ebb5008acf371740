package dev.stowage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.AllocationBudget;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.SubAllocator;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Stacks of allocations, for a caller outside the allocator's package. */
class AllocationStackTest {

  private static final class Numbers implements SubAllocator {

    private long next = 1 << 20;

    @Override
    public OptionalLong allocate(long bytes) {
      next += bytes;
      return OptionalLong.of(next - bytes);
    }

    @Override
    public void free(long address, long bytes) {}
  }

  private static StackTraceElement firstFrame(ToLongFunction<BfcAllocator> allocation) {
    BfcAllocator allocator =
        new BfcAllocator("gpu", new Numbers(), BfcOptions.growing().withStacks());
    long address = allocation.applyAsLong(allocator);
    return allocator.allocation(address).orElseThrow().stack().getFirst();
  }

  private static void assertIsIn(String method, StackTraceElement frame) {
    assertThat(frame.getClassName()).isEqualTo(AllocationStackTest.class.getName());
    assertThat(frame.getMethodName()).contains(method);
  }

  @Test
  void stack_anyWayToAllocate_startsWithTheCaller() {
    assertIsIn("plain", firstFrame(AllocationStackTest::plain));
    assertIsIn("tried", firstFrame(AllocationStackTest::tried));
    assertIsIn("patient", firstFrame(AllocationStackTest::patient));
    assertIsIn("budgeted", firstFrame(AllocationStackTest::budgeted));
    assertIsIn("tagged", firstFrame(AllocationStackTest::tagged));
  }

  private static long plain(BfcAllocator allocator) {
    return allocator.allocate(1);
  }

  private static long tried(BfcAllocator allocator) {
    return allocator.tryAllocate(1, 1).orElseThrow();
  }

  private static long patient(BfcAllocator allocator) {
    try {
      return allocator.allocateOrWait(1, 1, Duration.ofDays(1));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static long budgeted(BfcAllocator allocator) {
    return AllocationBudget.root("job", allocator, 1000).allocate(1);
  }

  private static long tagged(BfcAllocator allocator) {
    return AllocationTag.of("encoder").call(() -> allocator.allocate(1));
  }

  @Test
  void stack_notKept_isEmpty() {
    BfcAllocator allocator = new BfcAllocator("gpu", new Numbers(), BfcOptions.growing());
    assertThat(allocator.allocation(plain(allocator)).orElseThrow().stack()).isEmpty();
  }

  @Test
  void inUse_withinTags_hasNoFramesOfTags() {
    BfcAllocator allocator =
        new BfcAllocator("gpu", new Numbers(), BfcOptions.growing().withStacks());
    AllocationTag.of("model").run(() -> tagged(allocator));
    List<StackTraceElement> stack = allocator.inUse().allocations().getFirst().stack();
    assertThat(stack.stream().limit(4))
        .extracting(frame -> frame.getMethodName().replaceAll("\\$\\d+", ""))
        .containsExactly(
            "lambda$tagged",
            "tagged",
            "lambda$inUse_withinTags_hasNoFramesOfTags",
            "inUse_withinTags_hasNoFramesOfTags");
  }

  @Test
  void inUse_withStacks_showsTheCallerOfEachAllocation() {
    BfcAllocator allocator =
        new BfcAllocator("gpu", new Numbers(), BfcOptions.growing().withStacks());
    plain(allocator);
    assertThat(allocator.inUse().toString().lines().limit(4))
        .satisfiesExactly(
            first ->
                assertThat(first).isEqualTo("allocator 'gpu' has 1 byte in use by 1 allocation"),
            second -> assertThat(second).isEqualTo("  1 byte in 1: (no tag)"),
            third -> assertThat(third).isEqualTo("  allocation 1 of 1 byte was requested"),
            fourth ->
                assertThat(fourth)
                    .startsWith("    at ")
                    .contains("AllocationStackTest.plain(AllocationStackTest.java:"));
  }
}
