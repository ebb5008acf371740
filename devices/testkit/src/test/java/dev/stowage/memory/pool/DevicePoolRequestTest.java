package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.LimitChange;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.testkit.SimulatedDevice;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests with alignments, budgets and waits, and the reports of a pool of device memory. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DevicePoolRequestTest {

  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final SimulatedDevice device = new SimulatedDevice("simulated", 1 << 20);
  private final ManualStreams manual = new ManualStreams(device);
  private final ManualStreams.ManualStream slow = manual.open();
  private final ManualStreams.ManualStream fast = manual.open();

  private final DevicePool pool =
      DevicePool.open("pool", device, BfcOptions.oneRegion(8192).withSplitThreshold(256));

  @AfterEach
  void end() {
    assertThat(pool.waitingRequests()).isZero();
    pool.checkInvariants();
    slow.synchronize();
    fast.synchronize();
    pool.close();
    assertThat(manual.openEvents()).isZero();
    assertThat(device.availableBytes()).isEqualTo(1 << 20);
  }

  /** Starts a request, and waits until it is queued. */
  private FutureTask<Long> waiting(PoolRequest request) {
    return waiting(request, new Thread[1]);
  }

  private FutureTask<Long> waiting(PoolRequest request, Thread[] thread) {
    int before = pool.waitingRequests();
    FutureTask<Long> task = new FutureTask<>(() -> pool.allocateOrWait(request, fast, FOREVER));
    thread[0] = Thread.ofPlatform().daemon().start(task);
    while (pool.waitingRequests() == before) {
      Thread.onSpinWait();
    }
    return task;
  }

  // Without a wait.

  @Test
  void tryAllocate_queuedWorkUsesTheMemory_isEmptyAndDoesNotWait() {
    long address = pool.allocate(8192, slow);
    pool.free(address, slow);
    assertThat(pool.tryAllocate(PoolRequest.of(256), fast)).isEmpty();
    assertThat(pool.tryAllocate(PoolRequest.of(8192), slow)).hasValue(address); // the same stream
    pool.free(address, slow);
    slow.reach(slow.recorded());
    assertThat(pool.tryAllocate(PoolRequest.of(256), fast)).hasValue(address);
  }

  @Test
  void allocate_alignment_isKeptAlsoByReuse() {
    long first = pool.allocate(256, fast);
    long aligned = pool.allocate(PoolRequest.of(256).withAlignment(2048), fast);
    assertThat(aligned % 2048).isZero();
    assertThat(aligned).isNotEqualTo(first);
    pool.free(first, fast);
    pool.free(aligned, fast);
    // The smallest chunk is not aligned.
    long again = pool.allocate(PoolRequest.of(256).withAlignment(4096), fast);
    assertThat(again % 4096).isZero();
  }

  @Test
  void allocate_wrongRequest_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.allocate(-1, fast))
        .withMessage("bytes must be positive: bytes=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.tryAllocate(PoolRequest.of(0), fast))
        .withMessage("bytes must be positive: bytes=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolRequest.of(-1))
        .withMessage("bytes must not be negative: bytes=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolRequest.of(1).withAlignment(3))
        .withMessage("alignment must be a power of two: alignment=3");
  }

  // Waits.

  @Test
  void allocateOrWait_memoryOfQueuedWork_waitsForTheWork() throws Exception {
    long address = pool.allocate(8192, slow);
    pool.free(address, slow);
    FutureTask<Long> task = waiting(PoolRequest.of(8192));
    assertThat(pool.queuedBytes()).isEqualTo(8192);
    slow.reach(slow.recorded());
    assertThat(task.get()).isEqualTo(address);
  }

  @Test
  void allocateOrWait_memoryInUse_waitsForTheFreeAndThenForTheWork() throws Exception {
    long address = pool.allocate(8192, slow);
    FutureTask<Long> first = waiting(PoolRequest.of(4096));
    FutureTask<Long> second = waiting(PoolRequest.of(4096));
    pool.free(address, slow);
    assertThat(pool.waitingRequests()).isEqualTo(2);
    slow.reach(slow.recorded());
    assertThat(first.get()).isEqualTo(address);
    assertThat(second.get()).isEqualTo(address + 4096);
  }

  @Test
  void allocateOrWait_freeWithoutStreams_isAnsweredAtOnce() throws Exception {
    long address = pool.allocate(8192, slow);
    FutureTask<Long> task = waiting(PoolRequest.of(8192));
    pool.free(address);
    assertThat(task.get()).isEqualTo(address);
  }

  @Test
  void allocateOrWait_streamsOwnMemory_doesNotWait() throws Exception {
    long address = pool.allocate(8192, slow);
    pool.free(address, slow);
    assertThat(pool.allocateOrWait(PoolRequest.of(8192), slow, FOREVER)).isEqualTo(address);
  }

  @Test
  void allocateOrWait_timeIsOver_throws() {
    pool.allocate(8192, slow);
    for (Duration timeout : new Duration[] {Duration.ZERO, Duration.ofMillis(1)}) {
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocateOrWait(PoolRequest.of(256), fast, timeout));
    }
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> pool.allocateOrWait(PoolRequest.of(8193), fast, FOREVER));
  }

  @Test
  void allocateOrWait_interrupted_takesNothing() throws Exception {
    long address = pool.allocate(4096, slow);
    pool.allocate(4096, slow);
    Thread[] thread = new Thread[1];
    FutureTask<Long> sleeping = waiting(PoolRequest.of(4096), thread);
    thread[0].interrupt();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(sleeping::get)
        .withCauseInstanceOf(InterruptedException.class);
    pool.free(address, slow);
    FutureTask<Long> polling = waiting(PoolRequest.of(4096), thread);
    thread[0].interrupt();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(polling::get)
        .withCauseInstanceOf(InterruptedException.class);
    assertThat(pool.queuedBytes()).isEqualTo(4096);
  }

  @Test
  void allocateOrWait_queryOfTheDeviceFails_takesNothing() {
    long address = pool.allocate(8192, slow);
    pool.free(address, slow);
    manual.failQueries(true);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> pool.allocateOrWait(PoolRequest.of(256), fast, FOREVER));
    manual.failQueries(false);
    assertThat(pool.queuedBytes()).isEqualTo(8192);
  }

  @Test
  void setLimit_lowerAndHigher_countsQueuedMemoryAndServesRequests() throws Exception {
    DevicePool growing = DevicePool.open("growing", device, BfcOptions.expandable());
    long address = growing.allocate(8192, slow);
    growing.free(address, slow);
    assertThat(growing.setLimit(4096)).isEqualTo(new LimitChange(4096, 8192, 0));
    slow.reach(slow.recorded());
    assertThat(growing.setLimit(4096)).isEqualTo(new LimitChange(4096, 4096, 8192));
    growing.allocate(4096, slow);
    FutureTask<Long> task =
        new FutureTask<>(() -> growing.allocateOrWait(PoolRequest.of(1), fast, FOREVER));
    Thread.ofPlatform().daemon().start(task);
    growing.setLimit(8192);
    assertThat(task.get()).isNotZero();
    growing.close();
  }

  // Budgets.

  @Test
  void allocate_budget_isChargedUntilTheWorkIsDone() {
    PoolBudget budget = pool.openBudget("job", 4096);
    PoolRequest request = PoolRequest.of(4096).chargedTo(budget);
    long address = pool.allocate(request, slow);
    assertThat(pool.tryAllocate(request, fast)).isEmpty();
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> pool.allocate(PoolRequest.of(1).chargedTo(budget), fast))
        .withMessageStartingWith("budget 'job' is out of memory: ");
    pool.free(address, slow);
    assertThat(pool.queuedBytes()).isEqualTo(4096);
    assertThat(budget.account().usedBytes()).isEqualTo(4096);
    // Its stream can reuse it, since the charge moves to the new request.
    assertThat(pool.tryAllocate(request, slow)).hasValue(address);
    assertThat(budget.account().usedBytes()).isEqualTo(4096);
    pool.free(address, slow);
    slow.reach(slow.recorded());
    assertThat(pool.queuedBytes()).isZero();
    assertThat(budget.account().usedBytes()).isZero();
    assertThat(budget.account().peakBytes()).isEqualTo(4096);
    budget.account().clearPeak();
    assertThat(budget.account().peakBytes()).isZero();
    budget.close();
  }

  @Test
  void allocate_reuseExceedsTheBudget_takesOtherMemoryOrFails() {
    PoolBudget small = pool.openBudget("small", 256);
    long address = pool.allocate(1024, slow);
    pool.free(address, slow);
    PoolRequest request = PoolRequest.of(512).chargedTo(small);
    assertThat(pool.tryAllocate(request, slow)).isEmpty();
    assertThat(pool.queuedBytes()).isEqualTo(1024);
    assertThat(small.account().usedBytes()).isZero();
  }

  @Test
  void allocateOrWait_budgetIsExhausted_waitsForTheWorkOfTheBudget() throws Exception {
    PoolBudget budget = pool.openBudget("job", 4096);
    PoolRequest request = PoolRequest.of(4096).chargedTo(budget);
    long address = pool.allocate(request, slow);
    FutureTask<Long> task = waiting(request);
    // The pool has room for others.
    pool.free(pool.allocateOrWait(PoolRequest.of(4096), fast, FOREVER));
    pool.free(address, slow);
    assertThat(pool.waitingRequests()).isEqualTo(1);
    slow.reach(slow.recorded());
    task.get();
    assertThat(budget.account().usedBytes()).isEqualTo(4096);
  }

  @Test
  void allocate_budgetOfAnotherPool_throws() {
    DevicePool other = DevicePool.open("other", device, BfcOptions.growing());
    PoolRequest request = PoolRequest.of(1).chargedTo(other.openBudget("job", 4096));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.allocate(request, slow))
        .withMessage(
            "budget 'job' belongs to another allocator than pool 'pool'; use a budget of the pool, or a child of one");
  }

  // Reports.

  @Test
  void allocations_freedMemoryOfQueuedWork_isNotAmongThem() {
    long address = AllocationTag.of("keys").call(() -> pool.allocate(1024, slow));
    AllocationTag.of("values").run(() -> pool.allocate(512, slow));
    pool.free(address, slow);
    assertThat(pool.statistics().bytesInUse()).isEqualTo(1536);
    assertThat(pool.allocations()).extracting(Allocation::tag).containsExactly("values");
    assertThat(pool.inUse().allocations()).isEqualTo(pool.allocations());
  }

  @Test
  void clearPeaks_afterAPeak_startsFromTheCurrentBytes() {
    pool.free(pool.allocate(8192, slow));
    pool.clearPeaks();
    pool.allocate(256, slow);
    assertThat(pool.statistics().peakBytesInUse()).isEqualTo(256);
    assertThat(pool.name()).isEqualTo("pool");
    assertThat(pool.options().splitThresholdBytes()).isEqualTo(256);
  }
}
