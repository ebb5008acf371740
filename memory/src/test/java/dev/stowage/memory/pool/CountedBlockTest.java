package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.NativeCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last release of a counted block returns its memory, in any thread. */
class CountedBlockTest {

  private static final int THREADS = 4;

  private static final String RELEASED =
      "a counted block of pool 'test' is released, or the pool is closed: its count is 0, and its memory may belong to others; call retain() before other code calls release()";

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool = MemoryPool.open("test", host, BfcOptions.expandable());

  @AfterEach
  void nothingIsLeft() {
    pool.close();
    pool.checkInvariants();
    assertThat(host.regionCount()).isZero();
    host.close();
  }

  private MemoryPool debugged() {
    return MemoryPool.open(
        "debug", host, BfcOptions.expandable(), PoolOptions.standard().withDebugging());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 100, 5000, 1 << 20})
  void release_lastReference_returnsTheMemory(long bytes) throws Exception {
    for (int round = 0; round < 40; round++) { // from chunks to slabs
      CountedBlock block = pool.allocateCounted(bytes);
      MemorySegment segment = block.segment();
      assertThat(segment.byteSize()).isEqualTo(bytes);
      assertThat(segment.mismatch(MemorySegment.ofArray(new byte[(int) bytes]))).isEqualTo(-1);
      segment.fill((byte) 1);
      assertThat(block.retain()).isSameAs(block);
      assertThat(block.references()).isEqualTo(2);
      assertThat(block.release()).isFalse();
      pool.checkInvariants();
      Thread.ofPlatform().start(block::release).join();
      assertThat(block.references()).isZero();
      assertThat(pool.statistics().bytesInUse()).isZero();
    }
  }

  @Test
  void anyUse_afterLastRelease_isRejected() {
    CountedBlock block = pool.allocateCounted(100);
    assertThat(block.release()).isTrue();
    for (Runnable use : List.<Runnable>of(block::release, block::retain, block::segment)) {
      assertThatIllegalStateException().isThrownBy(use::run).withMessage(RELEASED);
    }
    assertThat(pool.statistics().bytesInUse()).isZero();
  }

  @Test
  void access_afterLastRelease_isDetectedInDebugMode() {
    try (MemoryPool debugged = debugged()) {
      CountedBlock block = debugged.allocateCounted(100);
      MemorySegment segment = block.segment();
      segment.fill((byte) 1);
      block.retain();
      block.release();
      segment.fill((byte) 1);
      block.release();
      assertThatIllegalStateException()
          .isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
          .withMessage("Already closed");
      debugged.checkInvariants();
    }
  }

  @Test
  void release_duringNativeCallInDebugMode_failsAndNothingChanges() {
    try (MemoryPool debugged = debugged()) {
      CountedBlock block = debugged.allocateCounted(100);
      NativeCalls.during(
          block.segment(),
          () -> {
            assertThatIllegalStateException()
                .isThrownBy(block::release)
                .withMessage(
                    "pool 'debug': counted block 1 with 100 bytes is in use by a native call and stays in use: release it again after the call");
            assertThatIllegalStateException().isThrownBy(debugged::close);
          });
      assertThat(block.references()).isOne();
      block.segment().fill((byte) 1);
      assertThat(block.release()).isTrue();
    }
  }

  @Test
  void release_whileAnotherThreadTriesToClose_isNotRejected() throws Exception {
    try (MemoryPool debugged = debugged()) {
      CountedBlock used = debugged.allocateCounted(100);
      FutureTask<Integer> releases =
          new FutureTask<>(() -> {
            int count = 0;
            while (count < 2000) {
              debugged.allocateCounted(100).release();
              count++;
            }
            return count;
          });
      NativeCalls.during(
          used.segment(),
          () -> {
            Thread.ofPlatform().start(releases);
            while (!releases.isDone()) {
              assertThatIllegalStateException().isThrownBy(debugged::close);
            }
          });
      assertThat(releases.get()).isEqualTo(2000);
      used.release();
    }
  }

  @Test
  void poolClose_unreleasedBlocks_endsAndNamesThem() {
    AllocationTag.of("decoder").run(() -> pool.allocateCounted(100));
    CountedBlock block = pool.allocateCounted(5000);
    MemorySegment segment = block.segment();
    assertThat(pool.inUse().requestedBytes()).isEqualTo(5100);
    assertThat(pool.describeLeaks())
        .contains(
            "counted block 1 with 100 bytes under tag 'decoder', counted block 2 with 5000 bytes");
    pool.close();
    assertThat(block.references()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
        .withMessage("Already closed");
    assertThatIllegalStateException().isThrownBy(block::release).withMessage(RELEASED);
    assertThatIllegalStateException()
        .isThrownBy(() -> pool.allocateCounted(1))
        .withMessage("pool 'test' is closed");
  }

  @Test
  void poolClose_duringNativeCall_failsAndNothingChanges() {
    CountedBlock block = pool.allocateCounted(100);
    NativeCalls.during(
        block.segment(), () -> assertThatIllegalStateException().isThrownBy(pool::close));
    block.segment().fill((byte) 1);
    block.release();
  }

  @Test
  void allocateCounted_noRoomOrWrongSize_losesNothing() {
    BfcOptions limited = BfcOptions.expandable().withLimit(1 << 20);
    try (MemoryPool small = MemoryPool.open("small", host, limited)) {
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> small.allocateCounted(2 << 20));
      assertThatIllegalArgumentException().isThrownBy(() -> small.allocateCounted(-1));
      small.checkInvariants();
      small.allocateCounted(1 << 20).release();
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void poolClose_byTheListenerOfTheLastRelease_failsAndDoesNotWaitForItself() {
    List<Runnable> closes = new ArrayList<>();
    AllocationListener listener =
        new AllocationListener() {
          @Override
          public void allocated(Allocation allocation) {}

          @Override
          public void freed(long id) {
            closes.forEach(Runnable::run);
          }

          @Override
          public void failed(long bytes) {}
        };
    MemoryPool heard =
        MemoryPool.open(
            "heard", host, BfcOptions.expandable(), PoolOptions.standard().withListener(listener));
    CountedBlock block = heard.allocateCounted(100);
    closes.add(heard::close);
    assertThat(catchThrowable(block::release))
        .hasMessageContaining("counted block 1 ")
        .hasMessageContaining("is in use by a native call, another thread or its own closing");
    closes.clear();
    assertThat(heard.statistics().bytesInUse()).isZero();
    heard.close();
  }

  private static void runAll(int count, Callable<Object> task) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
      List<Callable<Object>> tasks = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        tasks.add(task);
      }
      for (Future<Object> result : threads.invokeAll(tasks)) {
        result.get();
      }
    }
  }

  @Test
  void release_byManyThreads_freesOnce() throws Exception {
    for (int round = 0; round < 100; round++) {
      CountedBlock block = pool.allocateCounted(round % 2 == 0 ? 100 : 5000);
      for (int i = 1; i < THREADS; i++) {
        block.retain();
      }
      AtomicInteger last = new AtomicInteger();
      runAll(
          THREADS,
          () -> {
            block.segment().fill((byte) 1);
            return block.release() ? last.incrementAndGet() : 0;
          });
      assertThat(last).hasValue(1);
      assertThat(pool.statistics().bytesInUse()).isZero();
    }
  }

  @Test
  void poolClose_whileOthersRelease_losesNothing() throws Exception {
    for (int round = 0; round < 40; round++) {
      MemoryPool closed = MemoryPool.open("closed", host, BfcOptions.expandable());
      List<CountedBlock> blocks = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        blocks.add(closed.allocateCounted(i * 50L));
      }
      AtomicInteger next = new AtomicInteger();
      runAll(
          3,
          () -> {
            int i = next.getAndIncrement();
            if (i == 0) {
              closed.close();
              return 0;
            }
            for (CountedBlock block : blocks.subList(100 * (i - 1), 100 * i)) {
              if (block.references() > 0) {
                Throwable refusal = catchThrowable(block::release);
                assertThat(refusal == null || refusal instanceof IllegalStateException).isTrue();
              }
            }
            return 0;
          });
      closed.checkInvariants();
      assertThat(host.regionCount()).isZero();
    }
  }
}
