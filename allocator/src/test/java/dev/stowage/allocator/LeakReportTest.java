package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LeakReportTest {

  private final BfcAllocator allocator =
      new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.growing());

  @Test
  void leaks_nothingInUse_isEmpty() {
    allocator.free(allocator.allocate(1));
    assertThat(allocator.leaks()).isEqualTo(new LeakReport("gpu", List.of()));
    assertThat(allocator.leaks().isEmpty()).isTrue();
    assertThat(allocator.leaks()).hasToString("allocator 'gpu' leaks 0 bytes in 0 allocations");
  }

  @Test
  void leaks_severalTags_largestFirst() {
    AllocationTag.of("weights").run(() -> allocator.allocate(300));
    AllocationTag.of("encoder")
        .run(() -> {
          allocator.allocate(1000);
          allocator.allocate(2000);
        });
    allocator.allocate(7);
    LeakReport leaks = allocator.leaks();
    assertThat(leaks.isEmpty()).isFalse();
    assertThat(leaks.requestedBytes()).isEqualTo(3307);
    assertThat(leaks.allocations()).isEqualTo(allocator.allocations());
    assertThat(leaks.holders().getFirst())
        .isEqualTo(new AllocatorReport.Holder("encoder", 2, 3000, 3072));
    assertThat(leaks)
        .hasToString(
            """
            allocator 'gpu' leaks 3.23 KiB (3,307 bytes) in 4 allocations
              2.93 KiB (3,000 bytes) in 2: encoder
              300 bytes in 1: weights
              7 bytes in 1: (no tag)\
            """);
  }

  @Test
  void toString_thousandsOfLeaks_isBounded() {
    BfcAllocator traced =
        new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.growing().withStacks());
    for (int i = 0; i < 3000; i++) {
      AllocationTag.of("tag " + i % 1000).run(() -> traced.allocate(1));
    }
    assertThat(traced.leaks().toString().lines())
        .hasSizeLessThanOrEqualTo(55)
        .startsWith(
            "allocator 'gpu' leaks 2.93 KiB (3,000 bytes) in 3,000 allocations",
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
    assertThat(traced.leaks().toString()).endsWith("\n  and 1 more stack");
  }
}
