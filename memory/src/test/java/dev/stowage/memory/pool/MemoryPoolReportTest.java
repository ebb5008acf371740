package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.LimitChange;
import dev.stowage.memory.device.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Allocations, leaks, peaks and the limit of a pool. */
class MemoryPoolReportTest {

  private static final long MIB = 1 << 20;

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool =
      MemoryPool.open("test", host, BfcOptions.expandable().withLimit(16 * MIB));

  @AfterEach
  void end() {
    pool.close();
    host.close();
  }

  @Test
  void allocations_arenaAndBlock_haveSizesAndTags() {
    try (Arena arena = pool.openArena();
        MemoryBlock block = AllocationTag.of("decoder").call(() -> pool.allocate(MIB))) {
      AllocationTag.of("encoder").run(() -> arena.allocate(3 * MIB));
      assertThat(pool.allocations())
          .extracting(Allocation::address, Allocation::requestedBytes, Allocation::tag)
          .containsExactly(
              tuple(block.segment().address(), MIB, "decoder"),
              tuple(block.segment().address() + MIB, 3 * MIB, "encoder"));
    }
    assertThat(pool.allocations()).isEmpty();
  }

  @Test
  void inUse_lastingMemoryAndOpenBlock_areTheBlock() {
    pool.asSegmentAllocator().allocate(MIB);
    assertThat(pool.inUse().isEmpty()).isTrue();
    try (MemoryBlock _ = AllocationTag.of("decoder").call(() -> pool.allocate(2 * MIB))) {
      assertThat(pool.inUse().toString().lines())
          .containsExactly(
              "allocator 'test' has 2 MiB (2,097,152 bytes) in use by 1 allocation",
              "  2 MiB (2,097,152 bytes) in 1: decoder");
    }
    assertThat(pool.inUse().isEmpty()).isTrue();
  }

  @Test
  void clearPeaks_afterAPeak_startsFromTheCurrentBytes() {
    pool.allocate(2 * MIB).close();
    assertThat(pool.statistics().peakBytesInUse()).isEqualTo(2 * MIB);
    pool.clearPeaks();
    assertThat(pool.statistics().peakBytesInUse()).isZero();
    pool.allocate(MIB).close();
    assertThat(pool.statistics().peakBytesInUse()).isEqualTo(MIB);
  }

  @Test
  void setLimit_lowerAndHigher_changesTheMemoryOfTheHost() {
    try (MemoryBlock block = pool.allocate(4 * MIB)) {
      pool.allocate(8 * MIB).close();
      assertThat(pool.setLimit(2 * MIB)).isEqualTo(new LimitChange(2 * MIB, 4 * MIB, 8 * MIB));
      assertThat(host.heldBytes()).isEqualTo(4 * MIB);
      block.segment().fill((byte) 1);
    }
    assertThat(pool.setLimit(2 * MIB)).isEqualTo(new LimitChange(2 * MIB, 2 * MIB, 4 * MIB));
    assertThat(host.heldBytes()).isZero();
    pool.setLimit(Long.MAX_VALUE);
    // A region reserves as many addresses as the first limit; the rest is in another region.
    try (MemoryBlock first = pool.allocate(12 * MIB);
        MemoryBlock second = pool.allocate(12 * MIB)) {
      first.segment().fill((byte) 1);
      second.segment().fill((byte) 2);
    }
  }

  @Test
  void setLimit_debugging_reportsFreedMemoryThatWasWrittenToLater() {
    try (MemoryPool debug =
        MemoryPool.open(
            "debug", host, BfcOptions.expandable(), PoolOptions.standard().withDebugging())) {
      MemoryBlock block = debug.allocate(MIB);
      MemorySegment pointer = RawMemory.segment(block.segment().address(), 8, Arena.global());
      block.close();
      pointer.fill((byte) 1);
      assertThat(debug.setLimit(4096).isReached()).isTrue();
      assertThatIllegalStateException()
          .isThrownBy(debug::checkFreed)
          .withMessageContaining("offset 0 of freed allocation 1");
    }
  }

  @Test
  void allocations_whileThreadsAllocate_neverDecrease() throws Exception {
    try (MemoryPool counted = MemoryPool.open("counted", host, BfcOptions.expandable())) {
      AtomicInteger running = new AtomicInteger(2);
      Callable<Integer> allocating =
          () -> {
            try {
              for (int i = 0; i < 200; i++) {
                try (Arena arena = counted.openArena()) {
                  for (int j = 0; j < 1000; j++) {
                    arena.allocate(16 + j % 5 * 1000);
                  }
                }
              }
              return 200_000;
            } finally {
              running.decrementAndGet();
            }
          };
      FutureTask<Integer> first = new FutureTask<>(allocating);
      FutureTask<Integer> second = new FutureTask<>(allocating);
      Thread.ofPlatform().start(first);
      Thread.ofPlatform().start(second);
      long latest = 0;
      while (running.get() > 0) {
        long allocations = counted.statistics().allocations();
        assertThat(allocations).isGreaterThanOrEqualTo(latest);
        latest = allocations;
      }
      assertThat(counted.statistics().allocations()).isEqualTo(first.get() + second.get());
    }
  }
}
