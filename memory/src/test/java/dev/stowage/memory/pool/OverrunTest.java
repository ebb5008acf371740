package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes after the end of an allocation are found when it is freed, and by checks. */
class OverrunTest {

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool =
      MemoryPool.open(
          "debug", host, BfcOptions.expandable(), PoolOptions.standard().withDebugging());

  @AfterEach
  void nothingIsLeft() {
    pool.close();
    assertThat(host.regionCount()).isZero();
    host.close();
  }

  /** Writes a byte as native code does that has a wrong length. */
  private static void write(MemorySegment segment, long offset, int value) {
    RawMemory.segment(segment.address(), offset + 1, Arena.global())
        .set(ValueLayout.JAVA_BYTE, offset, (byte) value);
  }

  @Test
  void close_writtenAfterItsEnd_namesTheBlockAndFreesIt() {
    MemoryBlock block = AllocationTag.of("layer1").call(() -> pool.allocate(1000));
    write(block.segment(), 1003, 7);
    assertThatIllegalStateException()
        .isThrownBy(block::close)
        .withMessage(
            "pool 'debug': memory after the end of an allocation was written to: at 0x%x, offset 1003 of allocation 1 'layer1' of 1000 bytes, is 07 FD FD FD FD FD FD FD instead of FD",
            block.segment().address() + 1003);
    assertThat(pool.statistics().bytesInUse()).isZero();
    block.close();
    pool.checkFreed();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 16, 240, 241, 255, 256, 1024, 4096, 100_000, 1 << 20})
  void close_writtenRightAfterItsEnd_isFoundForEverySize(long bytes) {
    for (int offset : new int[] {0, 15}) {
      MemoryBlock block = pool.allocate(bytes);
      block.segment().fill((byte) 1);
      write(block.segment(), bytes + offset, 2);
      assertThatIllegalStateException()
          .isThrownBy(block::close)
          .withMessageContaining("offset " + (bytes + offset) + " of allocation ")
          .withMessageContaining(" of " + bytes + " bytes, is 02 ");
    }
  }

  @Test
  void checkFreed_writtenAfterTheEndOfALiveBlock_isReportedOnce() {
    try (MemoryBlock block = pool.allocate(10)) {
      write(block.segment(), 11, 1);
      assertThatIllegalStateException()
          .isThrownBy(pool::checkFreed)
          .withMessageContaining("offset 11 of allocation 1 of 10 bytes, is 01 FD");
      pool.checkFreed();
      write(block.segment(), 12, 0);
      assertThatIllegalStateException().isThrownBy(pool::trim).withMessageContaining("offset 12");
    }
  }

  @Test
  void checkFreed_bothKinds_hasBothInItsMessage() {
    MemoryBlock freed = pool.allocate(100);
    MemorySegment pointer = RawMemory.segment(freed.segment().address(), 100, Arena.global());
    try (MemoryBlock block = pool.allocate(10)) {
      freed.close();
      write(pointer, 99, 1);
      write(block.segment(), 10, 2);
      assertThatIllegalStateException()
          .isThrownBy(pool::checkFreed)
          .withMessageContaining(
              "freed memory and memory after the end of an allocation were written to: ")
          .withMessageContaining("offset 99 of freed allocation 1 of 100 bytes, is 01 DD")
          .withMessageContaining("offset 10 of allocation 2 of 10 bytes, is 02 FD");
    }
  }

  @Test
  void arenaClose_severalOverruns_reportsThemTogether() {
    Arena arena = pool.openArena();
    for (int i = 1; i <= 3; i++) {
      write(arena.allocate(i), i, i);
    }
    assertThatIllegalStateException()
        .isThrownBy(arena::close)
        .withMessageContaining("offset 3 of allocation 3 of 3 bytes")
        .withMessageContaining("offset 1 of allocation 1 of 1 bytes");
    assertThat(pool.statistics().bytesInUse()).isZero();
  }

  @Test
  void free_slackOfAFreedBlock_isWatchedToo() {
    MemoryBlock block = pool.allocate(1000);
    MemorySegment segment = block.segment();
    block.close();
    write(segment, 1010, 3);
    assertThatIllegalStateException()
        .isThrownBy(pool::checkFreed)
        .withMessageContaining("offset 1010 of freed allocation 1 of 1000 bytes, is 03 DD");
  }

  static LongStream seeds() {
    return Seeds.of(40);
  }

  /** Each block has a copy of its expected bytes, with 16 bytes after its end. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyWrites_areFoundIfAndOnlyIfTheyAreWrong(long seed) {
    Random random = new Random(seed);
    BfcOptions options =
        random.nextBoolean()
            ? BfcOptions.growing().withGarbageCollection()
            : BfcOptions.expandable().withTrimThreshold(1 << 16);
    PoolOptions debugging = PoolOptions.standard().withDebugging();
    try (MemoryPool any =
        MemoryPool.open(
            "any", host, options, random.nextBoolean() ? debugging : debugging.withoutZeroing())) {
      List<MemoryBlock> live = new ArrayList<>();
      for (int step = 0; step < 200; step++) {
        int dice = random.nextInt(10);
        if (dice < 4) {
          long bytes = 1 + random.nextLong(1L << random.nextInt(1, 14));
          MemoryBlock block = any.allocate(bytes);
          block.segment().fill((byte) random.nextInt());
          live.add(block);
        } else if (dice < 8 && !live.isEmpty()) {
          MemoryBlock block = live.remove(random.nextInt(live.size()));
          long bytes = block.segment().byteSize();
          if (random.nextInt(3) == 0) {
            long offset = bytes + random.nextInt(16);
            write(block.segment(), offset, random.nextInt(0xF0)); // not the pattern
            assertThatIllegalStateException()
                .isThrownBy(block::close)
                .withMessageContaining("offset " + offset + " of allocation ");
          } else {
            block.close();
          }
        } else if (dice == 8) {
          any.trim();
        } else {
          any.checkFreed();
        }
        any.checkInvariants();
      }
      live.forEach(MemoryBlock::close);
    }
  }
}
