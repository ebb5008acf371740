package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class InUseReportTest {

  private final BfcAllocator allocator =
      new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.growing());

  @Test
  void inUse_nothingInUse_isEmpty() {
    allocator.free(allocator.allocate(1));
    assertThat(allocator.inUse()).isEqualTo(new InUseReport("gpu", List.of()));
    assertThat(allocator.inUse().isEmpty()).isTrue();
    assertThat(allocator.inUse())
        .hasToString("allocator 'gpu' has 0 bytes in use by 0 allocations");
  }

  @Test
  void inUse_severalTags_largestFirst() {
    AllocationTag.of("weights").run(() -> allocator.allocate(300));
    AllocationTag.of("encoder")
        .run(() -> {
          allocator.allocate(1000);
          allocator.allocate(2000);
        });
    allocator.allocate(7);
    InUseReport leaks = allocator.inUse();
    assertThat(leaks.isEmpty()).isFalse();
    assertThat(leaks.requestedBytes()).isEqualTo(3307);
    assertThat(leaks.allocations()).isEqualTo(allocator.allocations());
    assertThat(leaks.holders().getFirst())
        .isEqualTo(new AllocatorReport.Holder("encoder", 2, 3000, 3072));
    assertThat(leaks)
        .hasToString(
            """
            allocator 'gpu' has 3.23 KiB (3,307 bytes) in use by 4 allocations
              2.93 KiB (3,000 bytes) in 2: encoder
              300 bytes in 1: weights
              7 bytes in 1: (no tag)\
            """);
  }

  @Test
  void toString_thousandsOfAllocations_isBounded() {
    BfcAllocator traced =
        new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.growing().withStacks());
    for (int i = 0; i < 3000; i++) {
      AllocationTag.of("tag " + i % 1000).run(() -> traced.allocate(1));
    }
    assertThat(traced.inUse().toString().lines())
        .hasSizeLessThanOrEqualTo(55)
        .startsWith(
            "allocator 'gpu' has 2.93 KiB (3,000 bytes) in use by 3,000 allocations",
            "  3 bytes in 3: tag 0")
        .contains("  and 990 more tags", "  allocation 1 'tag 0' of 1 byte was requested")
        .endsWith("  and 2997 more stacks");
  }

  @Test
  void toString_oneLeakMoreThanIsShown_countsOneStack() {
    BfcAllocator traced =
        new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.growing().withStacks());
    for (int i = 0; i < 4; i++) {
      traced.allocate(1);
    }
    assertThat(traced.inUse().toString()).endsWith("\n  and 1 more stack");
  }
}
