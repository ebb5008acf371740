package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.NativeCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The blocks of a batch end when it and all of them are closed. */
class BlockBatchTest {

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool =
      MemoryPool.open("test", host, BfcOptions.expandable().withLimit(1 << 20));

  @AfterEach
  void nothingIsLeft() {
    pool.close();
    assertThat(host.regionCount()).isZero();
    host.close();
  }

  @Test
  void close_lastOfBatchAndBlocks_endsAll() throws Exception {
    BlockBatch batch = pool.openBatch();
    MemoryBlock first = batch.allocate(100);
    MemoryBlock second = batch.allocate(5000);
    Thread.ofPlatform().start(first::close).join();
    first.close(); // has no effect
    first.segment().fill((byte) 1); // not detected before the end of the batch
    batch.close();
    batch.close();
    second.segment().fill((byte) 1);
    assertThat(pool.statistics().chunksInUse()).isEqualTo(2);
    assertThatIllegalStateException()
        .isThrownBy(() -> batch.allocate(1))
        .withMessage("the batch is closed: open another one with MemoryPool.openBatch()");
    second.close();
    for (MemoryBlock block : List.of(first, second)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> block.segment().get(ValueLayout.JAVA_BYTE, 0))
          .withMessage("Already closed");
      block.close();
    }
    assertThat(pool.statistics().bytesInUse()).isZero();
  }

  @Test
  void close_batchLast_endsAll() {
    MemorySegment segment;
    try (BlockBatch batch = pool.openBatch()) {
      MemoryBlock block = batch.allocate(100);
      segment = block.segment();
      block.close();
      assertThat(segment.scope().isAlive()).isTrue();
    }
    assertThat(segment.scope().isAlive()).isFalse();
    assertThat(pool.statistics().bytesInUse()).isZero();
  }

  @Test
  void close_duringNativeCall_failsAndCanBeRepeated() {
    BlockBatch batch = pool.openBatch();
    MemoryBlock block = batch.allocate(100);
    batch.close();
    NativeCalls.during(
        block.segment(), () -> assertThatIllegalStateException().isThrownBy(block::close));
    block.segment().fill((byte) 1);
    block.close();
    assertThat(pool.statistics().bytesInUse()).isZero();
  }

  @Test
  void allocate_noRoom_keepsTheOthers() {
    try (BlockBatch batch = pool.openBatch()) {
      MemoryBlock block = batch.allocate(100);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> batch.allocate(2 << 20));
      block.segment().fill((byte) 1);
      block.close();
    }
    assertThat(pool.statistics().bytesInUse()).isZero();
  }

  @Test
  void poolClose_openBatch_endsItAndNamesIt() {
    BlockBatch batch = pool.openBatch();
    MemoryBlock block = batch.allocate(100);
    assertThat(pool.describeLeaks()).contains("shared batch 1 with 100 bytes");
    pool.close();
    assertThat(block.segment().scope().isAlive()).isFalse();
    block.close();
    batch.close();
  }

  @Test
  void blocks_closedByManyThreads_endOnce() throws Exception {
    for (int round = 0; round < 50; round++) {
      List<Thread> threads = new ArrayList<>();
      try (BlockBatch batch = pool.openBatch()) {
        for (int i = 0; i < 20; i++) {
          MemoryBlock block = batch.allocate(64);
          threads.add(
              Thread.startVirtualThread(() -> {
                block.segment().fill((byte) 1);
                block.close();
              }));
        }
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(pool.statistics().bytesInUse()).isZero();
      pool.checkInvariants();
    }
  }
}
