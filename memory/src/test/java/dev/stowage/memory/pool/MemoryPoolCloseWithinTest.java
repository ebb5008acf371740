package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool that waits for memory of other threads before it ends. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemoryPoolCloseWithinTest {

  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration SOON = Duration.ofMillis(3);

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool = MemoryPool.open("test", host, BfcOptions.expandable());
  private final ExecutorService other =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "other"));

  private Thread closer = Thread.currentThread();

  @AfterEach
  void nothingIsLeft() {
    other.close();
    pool.close();
    assertThat(host.regionCount()).isZero();
    host.close();
  }

  private <T> T elsewhere(Callable<T> action) throws Exception {
    return other.submit(action).get();
  }

  /** Starts to close the pool in a third thread, and waits until it rejects new arenas. */
  private FutureTask<CloseResult> closing() {
    FutureTask<CloseResult> task = new FutureTask<>(() -> pool.closeWithin(FOREVER));
    closer = Thread.ofPlatform().daemon().name("closer").start(task);
    while (closer.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    return task;
  }

  private Arena open(boolean shared) {
    return shared ? pool.openSharedArena() : pool.openArena();
  }

  @Test
  void closeWithin_onlyOwnArenas_closesAtOnce() throws Exception {
    pool.openArena().allocate(10);
    pool.openSharedArena().allocate(10);
    pool.asSegmentAllocator().allocate(10);
    assertThat(pool.closeWithin(Duration.ZERO).isClosed()).isTrue();
    assertThat(host.regionCount()).isZero();
    assertThat(pool.closeWithin(Duration.ZERO).isClosed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closeWithin_arenaOfAnotherThread_waitsAndRejectsNewOnes(boolean shared) throws Exception {
    Arena arena = elsewhere(() -> open(shared));
    MemorySegment segment = elsewhere(() -> arena.allocate(100));
    FutureTask<CloseResult> closing = closing();
    String message = "pool 'test' is being closed by thread 'closer', which waits for open arenas";
    assertThatIllegalStateException().isThrownBy(pool::openArena).withMessage(message);
    assertThatIllegalStateException().isThrownBy(pool::openSharedArena).withMessage(message);
    assertThatIllegalStateException().isThrownBy(() -> pool.allocate(1)).withMessage(message);
    assertThatIllegalStateException().isThrownBy(() -> pool.tryAllocate(1)).withMessage(message);
    assertThatIllegalStateException()
        .isThrownBy(() -> pool.allocateOrWait(PoolRequest.of(1), FOREVER))
        .withMessage(message);
    assertThatIllegalStateException()
        .isThrownBy(pool::close)
        .withMessage(
            "pool 'test' cannot be closed by thread '%s': thread 'closer' is closing it",
            Thread.currentThread().getName());
    assertThatIllegalStateException().isThrownBy(() -> pool.closeWithin(FOREVER));
    // Open arenas are not affected.
    elsewhere(
        () -> arena.allocate(10_000).fill((byte) 1).address() + segment.fill((byte) 2).address());
    assertThat(closing.isDone()).isFalse();
    elsewhere(() -> {
      arena.close();
      return true;
    });
    assertThat(closing.get().isClosed()).isTrue();
    assertThat(host.regionCount()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(pool::openArena)
        .withMessage("pool 'test' is closed");
  }

  @Test
  void closeWithin_threadWithAnArenaEnds_closesIt() throws Exception {
    elsewhere(() -> pool.openArena().allocate(100));
    FutureTask<CloseResult> closing = closing();
    other.close();
    assertThat(closing.get().isClosed()).isTrue();
    assertThat(host.regionCount()).isZero();
  }

  @Test
  void closeWithin_countedBlock_waitsForItsLastRelease() throws Exception {
    CountedBlock block = pool.allocateCounted(100);
    block.retain();
    FutureTask<CloseResult> closing = closing();
    block.release();
    assertThat(closing.isDone()).isFalse();
    block.segment().fill((byte) 1);
    block.release();
    assertThat(closing.get().isClosed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closeWithin_timeIsOver_namesTheArenaAndThePoolIsOpen(boolean shared) throws Exception {
    Arena arena = elsewhere(() -> open(shared));
    elsewhere(() -> arena.allocate(100));
    for (Duration timeout : new Duration[] {SOON, Duration.ZERO, Duration.ofNanos(-1)}) {
      CloseResult result = pool.closeWithin(timeout);
      assertThat(result.isClosed()).isFalse();
      assertThat(result.obstacle())
          .hasValue(
              "pool 'test' cannot be closed by thread '%s': %s arena 1 with 100 bytes%s; close it there first"
                  .formatted(
                      Thread.currentThread().getName(),
                      shared ? "shared" : "confined",
                      shared ? "" : " of thread 'other'"));
    }
    pool.allocate(10).close();
    elsewhere(() -> arena.allocate(10).fill((byte) 1).address());
    pool.checkInvariants();
    elsewhere(() -> {
      arena.close();
      return true;
    });
  }

  @Test
  void closeWithin_nativeCall_waitsForItsEnd() throws Exception {
    MemorySegment segment = pool.asSegmentAllocator().allocate(8);
    NativeCalls.during(
        segment,
        () -> {
          CloseResult result;
          try {
            result = pool.closeWithin(SOON);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          assertThat(result.obstacle())
              .hasValue(
                  "pool 'test' cannot be closed: shared lasting memory 0 with 8 bytes is in use by a native call, another thread or its own closing");
          segment.fill((byte) 1);
        });
    assertThat(pool.closeWithin(Duration.ZERO).isClosed()).isTrue();
  }

  @Test
  void closeWithin_interrupted_throwsAndThePoolIsOpen() throws Exception {
    Arena arena = elsewhere(pool::openArena);
    elsewhere(() -> arena.allocate(100));
    FutureTask<CloseResult> closing = closing();
    closer.interrupt();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(closing::get)
        .withCauseInstanceOf(InterruptedException.class)
        .withMessageContaining("interrupted while waiting for the arenas of pool 'test'");
    pool.allocate(10).close();
    elsewhere(() -> {
      arena.close();
      return true;
    });
  }

  @Test
  void closeWithin_requestThatWaits_isServedFirst() throws Exception {
    MemoryPool small = MemoryPool.open("small", host, BfcOptions.expandable().withLimit(1 << 20));
    Arena arena = elsewhere(small::openArena);
    elsewhere(() -> arena.allocate(1 << 20));
    FutureTask<Long> waiting =
        new FutureTask<>(() -> {
          try (MemoryBlock block = small.allocateOrWait(PoolRequest.of(1 << 20), FOREVER)) {
            return block.segment().fill((byte) 1).byteSize();
          }
        });
    Thread.ofPlatform().daemon().start(waiting);
    while (small.waitingRequests() == 0) {
      Thread.onSpinWait();
    }
    FutureTask<CloseResult> closing = new FutureTask<>(() -> small.closeWithin(FOREVER));
    Thread.ofPlatform().daemon().start(closing);
    elsewhere(() -> {
      arena.close();
      return true;
    });
    assertThat(waiting.get()).isEqualTo(1 << 20);
    assertThat(closing.get().isClosed()).isTrue();
  }

  @Test
  void closeWithin_freedMemoryWasWritten_throwsAndChangesNothing() throws Exception {
    try (MemoryPool debug =
        MemoryPool.open(
            "debug", host, BfcOptions.expandable(), PoolOptions.standard().withDebugging())) {
      MemoryBlock block = debug.allocate(100);
      MemorySegment pointer = RawMemory.segment(block.segment().address(), 8, Arena.global());
      block.close();
      pointer.fill((byte) 1);
      assertThatIllegalStateException()
          .isThrownBy(() -> debug.closeWithin(FOREVER))
          .withMessageContaining("offset 0 of freed allocation 1");
      debug.allocate(10).close();
      assertThat(debug.closeWithin(Duration.ZERO).isClosed()).isTrue();
    }
  }
}
