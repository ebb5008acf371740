package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes to freed memory are found when it is used again, leaves the pool, or is looked at. */
class DebugTest {

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool =
      MemoryPool.open(
          "debug", host, BfcOptions.expandable(), PoolOptions.standard().withDebugging());

  @AfterEach
  void nothingIsLeft() {
    pool.close();
    host.close();
  }

  /** {@return memory of the pool as native code sees it that kept a pointer} */
  @SuppressWarnings("restricted") // as native code does it
  private static MemorySegment pointer(MemoryBlock block) {
    return MemorySegment.ofAddress(block.segment().address())
        .reinterpret(block.segment().byteSize());
  }

  private static String message(
      MemorySegment pointer, int offset, String allocation, String found) {
    return "pool 'debug': freed memory was written to: at 0x%s, offset %s of freed %s, is %s instead of DD"
        .formatted(Long.toHexString(pointer.address() + offset), offset, allocation, found);
  }

  @Test
  void checkFreed_writeAfterFree_isReportedOnce() {
    MemoryBlock block = pool.allocate(4096);
    MemorySegment pointer = pointer(block);
    block.close();
    pool.checkFreed();
    pointer.set(ValueLayout.JAVA_INT_UNALIGNED, 1001, 0x04030201);
    assertThatIllegalStateException()
        .isThrownBy(pool::checkFreed)
        .withMessage(
            message(pointer, 1001, "allocation 1 of 4096 bytes", "01 02 03 04 DD DD DD DD"));
    pool.checkFreed();
  }

  @Test
  void allocate_writtenSinceFreed_failsOnceAndLosesNothing() {
    MemoryBlock block = AllocationTag.of("layer1").call(() -> pool.allocate(1000));
    MemorySegment pointer = pointer(block);
    block.close();
    pointer.set(ValueLayout.JAVA_BYTE, 999, (byte) 7);
    assertThatIllegalStateException()
        .isThrownBy(() -> pool.allocate(1000))
        .withMessage(
            message(
                pointer, 999, "allocation 1 'layer1' of 1000 bytes", "07 DD DD DD DD DD DD DD"));
    assertThat(pool.statistics().bytesInUse()).isZero();
    pool.allocate(1000).close();
  }

  @Test
  void allocate_partOfFreedMemory_theRestIsStillWatched() {
    MemoryBlock large = pool.allocate(1 << 20);
    MemorySegment pointer = pointer(large);
    large.close();
    try (MemoryBlock part = pool.allocate(100)) {
      assertThat(part.segment().address()).isEqualTo(pointer.address());
      part.segment().fill((byte) 1);
      pool.checkFreed();
      pointer.set(ValueLayout.JAVA_BYTE, 300_000, (byte) 0);
      assertThatIllegalStateException()
          .isThrownBy(pool::checkFreed)
          .withMessage(
              message(
                  pointer, 300_000, "allocation 1 of 1048576 bytes", "00 DD DD DD DD DD DD DD"));
    }
    pool.checkFreed();
  }

  @Test
  void trim_writtenSinceFreed_returnsMemoryAndThrows() {
    MemoryBlock block = pool.allocate(1 << 20);
    MemorySegment pointer = pointer(block);
    block.close();
    pointer.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
    assertThatIllegalStateException()
        .isThrownBy(pool::trim)
        .withMessageContaining("offset 0 of freed allocation 1 of ");
    assertThat(host.regionCount()).isZero();
    assertThat(pool.trim().bytes()).isZero();
  }

  @Test
  void trim_freeEnd_isCheckedBeforeItGoes() {
    try (MemoryBlock first = pool.allocate((1 << 20) - 16)) { // and 16 bytes of slack
      MemoryBlock second = pool.allocate(1 << 20);
      MemorySegment pointer = pointer(second);
      second.close();
      pointer.set(ValueLayout.JAVA_BYTE, 5, (byte) 0);
      assertThatIllegalStateException()
          .isThrownBy(pool::trim)
          .withMessageContaining("offset 5 of freed allocation 2 of ");
      assertThat(host.heldBytes()).isEqualTo(1 << 20);
      first.segment().fill((byte) 1);
      pool.checkFreed();
    }
  }

  @Test
  void close_writtenSinceFreed_throwsOnceAndChangesNothing() {
    MemoryBlock block = pool.allocate(1000);
    MemorySegment pointer = pointer(block);
    block.close();
    pointer.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
    assertThatIllegalStateException()
        .isThrownBy(pool::close)
        .withMessageContaining("offset 0 of freed allocation 1 of ");
    assertThat(host.regionCount()).isOne();
    pool.allocate(10).close();
    pool.close();
    assertThat(host.regionCount()).isZero();
    pool.checkFreed();
  }

  @Test
  void checkFreed_manyWrites_namesThreeAndCountsTheRest() {
    MemoryBlock[] blocks = new MemoryBlock[5];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = pool.allocate(1000);
    }
    for (MemoryBlock block : blocks) {
      MemorySegment pointer = pointer(block);
      block.close();
      pointer.fill((byte) 1);
    }
    assertThatIllegalStateException()
        .isThrownBy(pool::checkFreed)
        .withMessageContaining("offset 0 of freed allocation 1 of ")
        .withMessageContaining("offset 0 of freed allocation 3 of ")
        .withMessageNotContaining("allocation 4")
        .withMessageEndingWith("; and 2 more");
  }

  @Test
  void allocate_debugging_isZeroedAndFilledWithoutZeroing() {
    try (MemoryBlock block = pool.allocate(100)) {
      assertThat(block.segment().get(ValueLayout.JAVA_LONG, 0)).isZero();
    }
    try (MemoryPool raw =
            MemoryPool.open(
                "raw",
                host,
                BfcOptions.expandable(),
                PoolOptions.standard().withDebugging().withoutZeroing());
        MemoryBlock block = raw.allocate(4096)) {
      assertThat(block.segment().get(ValueLayout.JAVA_FLOAT, 0)).isNaN();
      assertThat(block.segment().get(ValueLayout.JAVA_DOUBLE, 4088)).isNaN();
    }
  }

  @Test
  void checkFreed_notDebugging_isRejected() {
    try (MemoryPool plain = MemoryPool.open("plain", host, BfcOptions.expandable())) {
      assertThatIllegalStateException()
          .isThrownBy(plain::checkFreed)
          .withMessage(
              "pool 'plain' does not watch freed memory: open it with PoolOptions.withDebugging()");
    }
  }
}
