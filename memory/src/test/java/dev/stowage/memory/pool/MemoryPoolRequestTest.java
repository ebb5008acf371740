package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.HostMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests with alignments, budgets and waits. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemoryPoolRequestTest {

  private static final long MIB = 1 << 20;
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool =
      MemoryPool.open("test", host, BfcOptions.expandable().withLimit(4 * MIB));

  @AfterEach
  void nothingIsLeft() {
    assertThat(pool.statistics().bytesInUse()).isZero();
    pool.checkInvariants();
    pool.close();
    host.close();
  }

  /** Allocates and closes a block in another thread, which may have to wait. */
  private FutureTask<Long> waiting(PoolRequest request) {
    return waiting(request, new Thread[1]);
  }

  private FutureTask<Long> waiting(PoolRequest request, Thread[] thread) {
    int before = pool.waitingRequests();
    FutureTask<Long> task =
        new FutureTask<>(() -> {
          try (MemoryBlock block = pool.allocateOrWait(request, FOREVER)) {
            block.segment().fill((byte) 1);
            return block.segment().address();
          }
        });
    thread[0] = Thread.ofPlatform().daemon().name("waiter").start(task);
    while (pool.waitingRequests() == before) {
      Thread.onSpinWait();
    }
    return task;
  }

  // Alignments.

  @ParameterizedTest
  @ValueSource(longs = {1, 64, 4096, 1 << 16})
  void allocate_alignment_isKeptByEveryKindOfBlock(long alignment) throws Exception {
    for (long bytes : new long[] {0, 10, 10_000}) {
      PoolRequest request = PoolRequest.of(bytes).withAlignment(alignment);
      try (MemoryBlock spacer = pool.allocate(16);
          MemoryBlock block = pool.allocate(request);
          MemoryBlock shared = pool.allocateShared(request);
          MemoryBlock tried = pool.tryAllocate(request).orElseThrow();
          MemoryBlock waited = pool.allocateOrWait(request, FOREVER)) {
        assertThat(spacer.segment().byteSize()).isEqualTo(16);
        for (MemoryBlock each : List.of(block, shared, tried, waited)) {
          assertThat(each.segment().address() % alignment).isZero();
          assertThat(each.segment().byteSize()).isEqualTo(bytes);
          each.segment().fill((byte) 1);
        }
      }
    }
  }

  // Waits.

  @Test
  void allocateOrWait_noRoom_waitsForAFreeOfAnotherThread() throws Exception {
    MemoryBlock all = pool.allocate(4 * MIB);
    FutureTask<Long> first = waiting(PoolRequest.of(3 * MIB));
    FutureTask<Long> second = waiting(PoolRequest.of(2 * MIB));
    assertThat(pool.tryAllocate(MIB)).isEmpty();
    all.close();
    assertThat(first.get()).isEqualTo(second.get()); // one after the other
  }

  @Test
  void allocateOrWait_memoryIsInSlabs_waitsForTheirLastSlot() throws Exception {
    List<MemoryBlock> small = new ArrayList<>();
    Optional<MemoryBlock> block = pool.tryAllocate(1000);
    while (block.isPresent()) {
      small.add(block.get());
      block = pool.tryAllocate(1000);
    }
    FutureTask<Long> task = waiting(PoolRequest.of(4 * MIB));
    small.forEach(MemoryBlock::close);
    task.get();
  }

  @Test
  void allocateOrWait_timeIsOver_throwsAndLosesNothing() {
    try (MemoryBlock _ = pool.allocate(4 * MIB)) {
      for (Duration timeout : new Duration[] {Duration.ZERO, Duration.ofMillis(1)}) {
        assertThatExceptionOfType(BfcOutOfMemoryException.class)
            .isThrownBy(() -> pool.allocateOrWait(PoolRequest.of(5000), timeout))
            .withMessageContaining("4.88 KiB (5,000 bytes) requested");
      }
    }
  }

  @Test
  void allocateOrWait_interrupted_throwsAndLosesNothing() throws Exception {
    try (MemoryBlock _ = pool.allocate(4 * MIB)) {
      Thread[] thread = new Thread[1];
      FutureTask<Long> task = waiting(PoolRequest.of(5000), thread);
      thread[0].interrupt();
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(task::get)
          .withCauseInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void close_whileAThreadWaits_failsAndNamesIt() throws Exception {
    MemoryBlock all = pool.allocate(4 * MIB);
    FutureTask<Long> task = waiting(PoolRequest.of(MIB));
    assertThatIllegalStateException()
        .isThrownBy(pool::close)
        .withMessageContaining("of thread 'waiter'; close it there first");
    all.close();
    task.get();
  }

  @Test
  void setLimit_higher_servesTheRequestThatWaits() throws Exception {
    try (MemoryBlock _ = pool.allocate(4 * MIB)) {
      FutureTask<Long> task = waiting(PoolRequest.of(MIB));
      pool.setLimit(8 * MIB);
      task.get();
    }
    pool.setLimit(4 * MIB);
  }

  // Budgets.

  @Test
  void allocate_budget_isChargedForBlocks() {
    PoolBudget budget = pool.openBudget("job", MIB);
    PoolRequest request = PoolRequest.of(1000).chargedTo(budget);
    try (MemoryBlock block = pool.allocate(request);
        MemoryBlock shared = pool.allocateShared(request);
        MemoryBlock aligned = pool.allocate(PoolRequest.of(1).withAlignment(64).chargedTo(budget));
        MemoryBlock largest = pool.allocateShared(PoolRequest.of(300).chargedTo(budget))) {
      assertThat(aligned.segment().address() % 64).isZero();
      assertThat(largest.segment().byteSize()).isEqualTo(300);
      assertThat(budget.account().usedBytes()).isEqualTo(2048 + 256 + 512);
      assertThat(block.segment().byteSize()).isEqualTo(shared.segment().byteSize());
      assertThat(pool.tryAllocate(PoolRequest.of(MIB).chargedTo(budget))).isEmpty();
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocate(PoolRequest.of(MIB).chargedTo(budget)))
          .withMessageStartingWith("budget 'job' is out of memory: ");
      aligned.segment().fill((byte) 1); // earlier blocks stay valid
    }
    assertThat(budget.account().usedBytes()).isZero();
    budget.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> pool.allocate(request))
        .withMessage("account 'job' is closed");
  }

  @Test
  void allocate_budgetWhileSlabsHoldTheMemory_takesTheirMemory() {
    PoolBudget budget = pool.openBudget("job", Long.MAX_VALUE);
    List<MemoryBlock> small = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      Optional<MemoryBlock> block = pool.tryAllocate(1000);
      while (block.isPresent()) {
        small.add(block.get());
        block = pool.tryAllocate(1000);
      }
      small.forEach(MemoryBlock::close);
      small.clear();
      PoolRequest all = PoolRequest.of(4 * MIB).chargedTo(budget);
      if (round == 0) {
        pool.allocate(all).close();
      } else {
        pool.tryAllocate(all).orElseThrow().close();
      }
    }
  }

  @Test
  void allocateOrWait_budgetIsExhausted_waitsForIt() throws Exception {
    PoolBudget budget = pool.openBudget("job", MIB);
    PoolRequest request = PoolRequest.of(MIB).chargedTo(budget);
    MemoryBlock held = pool.allocate(request);
    FutureTask<Long> task = waiting(request);
    pool.allocateOrWait(PoolRequest.of(2 * MIB), FOREVER).close(); // without the budget
    assertThat(task.isDone()).isFalse();
    held.close();
    task.get();
    budget.close();
  }

  @Test
  void allocate_budgetOfAnotherPool_isRejected() {
    try (MemoryPool other = MemoryPool.open("other", host, BfcOptions.growing())) {
      PoolBudget foreign = other.openBudget("job", MIB);
      PoolRequest request = PoolRequest.of(1).chargedTo(foreign);
      String message =
          "budget 'job' belongs to another allocator than pool 'test'; use a budget of the pool, or a child of one";
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pool.allocate(request))
          .withMessage(message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pool.allocateShared(request))
          .withMessage(message);
    }
  }

  @Test
  void allocate_budgetInDebugMode_isChargedAndWatched() {
    try (MemoryPool debug =
        MemoryPool.open(
            "debug", host, BfcOptions.expandable(), PoolOptions.standard().withDebugging())) {
      PoolBudget budget = debug.openBudget("job", MIB);
      try (MemoryBlock block = debug.allocate(PoolRequest.of(1000).chargedTo(budget))) {
        block.segment().fill((byte) 1);
        assertThat(budget.account().usedBytes()).isEqualTo(1024);
        debug.checkFreed();
      }
      assertThat(budget.account().usedBytes()).isZero();
    }
  }

  /** More bytes than there are addresses, so that the system refuses them. */
  private static final long TOO_MANY = 1L << 47;

  @Test
  void tryAllocate_refused_leavesNoTraceInAnyPool() {
    BfcOptions options = BfcOptions.growing();
    try (MemoryPool other = MemoryPool.open("other", host, options);
        MemoryPool below = other.openPrivatePool("private", options)) {
      for (MemoryPool each : List.of(other, below)) {
        assertThat(each.tryAllocate(PoolRequest.of(TOO_MANY))).isEmpty();
        each.allocate(1000).close();
        assertThat(each.statistics().reservedBytes()).isEqualTo(1 << 20);
      }
    }
    try (DevicePool gpu = DevicePool.open("gpu", host, options);
        DevicePool below = gpu.openPrivatePool("private", options);
        DeviceStream stream = host.openStream()) {
      for (DevicePool each : List.of(gpu, below)) {
        assertThat(each.tryAllocate(PoolRequest.of(TOO_MANY), stream)).isEmpty();
        each.free(each.allocate(1000, stream), stream);
        assertThat(each.statistics().reservedBytes()).isEqualTo(1 << 20);
      }
    }
  }
}
