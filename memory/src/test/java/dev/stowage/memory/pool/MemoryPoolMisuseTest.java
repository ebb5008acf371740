package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.LimitChange;
import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.memory.device.HostMemory;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that a user of a pool makes by mistake, and the messages that name the remedy. */
@Timeout(60)
class MemoryPoolMisuseTest {

  private static final long MIB = 1 << 20;

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool =
      MemoryPool.open("test", host, BfcOptions.expandable().withLimit(4 * MIB));

  @AfterEach
  void nothingIsLeft() {
    pool.close();
    pool.checkInvariants();
    assertThat(host.regionCount()).isZero();
    host.close();
  }

  @Test
  void closeWithin_ownCountedBlock_isToldToReleaseIt() throws Exception {
    CountedBlock first = pool.allocateCounted(100);
    assertThat(pool.closeWithin(Duration.ofSeconds(-1)).obstacle())
        .hasValue(
            "pool 'test' cannot be closed by thread '%s': counted block 1 with 100 bytes; release it first"
                .formatted(Thread.currentThread().getName()));
    CountedBlock second = pool.allocateCounted(100);
    assertThat(pool.closeWithin(Duration.ZERO).obstacle().orElseThrow())
        .endsWith(" with 100 bytes; release them first");
    try (ExecutorService owner = Executors.newSingleThreadExecutor()) {
      Arena theirs = owner.submit(pool::openArena).get();
      owner.submit(() -> theirs.allocate(10)).get();
      assertThat(pool.closeWithin(Duration.ZERO).obstacle().orElseThrow())
          .endsWith("; close or release them first");
      owner.submit(theirs::close).get();
    }
    first.release();
    second.release();
    assertThat(pool.closeWithin(Duration.ZERO).isClosed()).isTrue();
    assertThat(pool.closeWithin(Duration.ZERO).isClosed()).isTrue();
  }

  @Test
  void closeWithin_interruptedBeforehand_closesIfItNeedNotWait() throws Exception {
    CountedBlock block = pool.allocateCounted(100);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> pool.closeWithin(Duration.ofMinutes(1)));
    assertThat(Thread.interrupted()).isFalse();
    block.release();
    Thread.currentThread().interrupt();
    assertThat(pool.closeWithin(Duration.ofMinutes(1)).isClosed()).isTrue();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void allocateOrWait_interruptedBeforehand_returnsMemoryThatIsThere() throws Exception {
    Thread.currentThread().interrupt();
    try (MemoryBlock block = pool.allocateOrWait(PoolRequest.of(5000), Duration.ofMinutes(1))) {
      assertThat(block.segment().byteSize()).isEqualTo(5000);
    }
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void allocateOrWait_ownThreadHoldsTheMemory_endsWithTheTimeout() {
    try (MemoryBlock _ = pool.allocate(3 * MIB)) {
      for (Duration timeout : List.of(Duration.ofMillis(1), Duration.ofDays(-1))) {
        assertThatExceptionOfType(BfcOutOfMemoryException.class)
            .isThrownBy(() -> pool.allocateOrWait(PoolRequest.of(2 * MIB), timeout))
            .withMessageContaining("or without allocation 1 of 3 MiB (3,145,728 bytes)");
      }
      Duration ever = Duration.ofSeconds(Long.MAX_VALUE);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocateOrWait(PoolRequest.of(5 * MIB), ever))
          .satisfies(failure -> assertThat(failure.requestedBytes()).isEqualTo(5 * MIB));
    }
  }

  @Test
  void allocate_largestSizesAndAlignments_failAndLoseNothing() {
    for (PoolRequest request :
        List.of(
            PoolRequest.of(Long.MAX_VALUE),
            PoolRequest.of(10).withAlignment(1L << 62),
            PoolRequest.of(Long.MAX_VALUE - 300).withAlignment(1L << 62))) {
      assertThat(pool.tryAllocate(request)).isEmpty();
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocate(request))
          .satisfies(
              failure -> assertThat(failure.verdict()).isNotEqualTo(OutOfMemoryVerdict.LIMIT));
    }
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> pool.allocateCounted(Long.MAX_VALUE));
    assertThat(pool.inUse().isEmpty()).isTrue();
  }

  @Test
  void setLimit_belowTheBytesInUse_isAResult() {
    try (MemoryBlock _ = pool.allocate(3 * MIB)) {
      assertThat(pool.setLimit(MIB)).isEqualTo(new LimitChange(MIB, 3 * MIB, 0));
      assertThat(pool.tryAllocate(MIB)).isEmpty();
    }
    assertThat(pool.setLimit(MIB).isReached()).isTrue();
  }

  @Test
  void growingMemory_closed_countsNothing() throws Exception {
    GrowingMemory memory = GrowingMemory.open("kv", host, 10_000);
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      assertThat(other.submit(() -> memory.grow(10_000).byteSize()).get())
          .isEqualTo(memory.committedBytes());
      assertThatIllegalStateException()
          .isThrownBy(host::close)
          .withMessageStartingWith(
              "device 'host' is in use: pools, allocators or growing memory hold 1 region with ");
      assertThat(memory.toString())
          .isEqualTo(
              "growing memory 'kv' on device 'host': %s bytes committed, for at most 10000 bytes"
                  .formatted(memory.committedBytes()));
      other.submit(memory::close).get();
    }
    memory.close();
    assertThat(memory.committedBytes()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(() -> memory.tryGrow(0))
        .withMessage("growing memory 'kv' is closed");
  }
}
