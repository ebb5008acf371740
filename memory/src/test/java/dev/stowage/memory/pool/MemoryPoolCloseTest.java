package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.ForwardingSubAllocator;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a pool: afterwards no memory is accessible, and all regions are returned. */
class MemoryPoolCloseTest {

  private final HostMemory host = HostMemory.open();
  private final MemoryPool pool = MemoryPool.open("test", host, BfcOptions.expandable());

  @AfterEach
  void nothingIsLeft() {
    pool.close();
    assertThat(host.regionCount()).isZero();
    host.close();
  }

  private static void assertEnded(MemorySegment segment) {
    assertThatIllegalStateException()
        .isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
        .withMessage("Already closed");
  }

  /** Regions of the host that are not taken back the first time. */
  private static final class TakenBackAtLast extends ForwardingSubAllocator {

    private final AtomicInteger frees = new AtomicInteger();

    TakenBackAtLast(SubAllocator regions) {
      super(regions);
    }

    @Override
    public void free(long address, long bytes) {
      if (frees.getAndIncrement() == 0) {
        throw new DeviceException("munmap", 12, "ENOMEM");
      }
      super.free(address, bytes);
    }
  }

  @Test
  void close_systemDoesNotTakeARegionBack_isClosedAndTriesAgainWhenAskedAgain() {
    TakenBackAtLast regions = new TakenBackAtLast(host.newSubAllocator());
    MemoryPool failing =
        MemoryPool.over("failing", regions, BfcOptions.growing(), PoolOptions.standard());
    MemorySegment segment = failing.allocateShared(100).segment();
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(failing::close)
        .withMessage("munmap failed: ENOMEM (12)");
    assertEnded(segment);
    assertThat(host.regionCount()).isOne();
    assertThatIllegalStateException()
        .isThrownBy(failing::openArena)
        .withMessage("pool 'failing' is closed");
    failing.close();
    assertThat(host.regionCount()).isZero();
    failing.close();
    assertThat(regions.frees).hasValue(2);
  }

  @Test
  void close_openArenasAndBlocks_endsThem() {
    Arena confined = pool.openArena();
    Arena shared = pool.openSharedArena();
    MemoryBlock block = pool.allocate(1 << 20);
    MemoryBlock sharedBlock = pool.allocateShared(1 << 20);
    List<MemorySegment> segments =
        List.of(
            confined.allocate(100),
            shared.allocate(100),
            block.segment(),
            sharedBlock.segment(),
            pool.asSegmentAllocator().allocate(100));
    pool.close();
    assertThat(host.regionCount()).isZero();
    segments.forEach(MemoryPoolCloseTest::assertEnded);
    assertThatIllegalStateException().isThrownBy(confined::close);
    sharedBlock.close();
    pool.close();
  }

  @Test
  void close_openArena_warnsOfItByTag() {
    pool.asSegmentAllocator().allocate(1000);
    AllocationTag.of("decoder").run(() -> pool.openArena().allocate(100));
    assertThat(pool.describeLeaks().lines())
        .containsExactly(
            "pool 'test' is closed, and with it confined arena 1 with 100 bytes under tag 'decoder' of thread '%s'"
                .formatted(Thread.currentThread().getName()),
            "allocator 'test' has 100 bytes in use by 1 allocation",
            "  100 bytes in 1: decoder");
  }

  @Test
  void anything_afterClose_isRejected() {
    pool.close();
    List<Runnable> uses =
        List.of(
            pool::openArena,
            pool::openSharedArena,
            () -> pool.allocate(1),
            () -> pool.allocateShared(1));
    for (Runnable use : uses) {
      assertThatIllegalStateException().isThrownBy(use::run).withMessage("pool 'test' is closed");
    }
    assertThatIllegalStateException()
        .isThrownBy(pool::trim)
        .withMessage("allocator 'test' is closed");
    assertThat(pool.statistics().reservedBytes()).isZero();
  }

  @Test
  void close_confinedArenaOfAnotherThread_failsAndChangesNothing() throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor(r -> new Thread(r, "owner"))) {
      Arena arena = thread.submit(pool::openArena).get();
      MemorySegment segment = thread.submit(() -> arena.allocate(100)).get();
      MemoryBlock mine = pool.allocate(10);
      assertThatIllegalStateException()
          .isThrownBy(pool::close)
          .withMessage(
              "pool 'test' cannot be closed by thread '%s': confined arena 1 with 100 bytes of thread 'owner'; close it there first",
              Thread.currentThread().getName());
      mine.segment().fill((byte) 1);
      mine.close();
      thread
          .submit(() -> {
            segment.fill((byte) 1);
            arena.allocate(10);
            arena.close();
          })
          .get();
    }
    assertThat(pool.statistics().bytesInUse()).isZero();
  }

  @Test
  void close_manyArenasOfAnotherThread_namesSome() throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor(r -> new Thread(r, "owner"))) {
      List<MemoryBlock> blocks = new ArrayList<>();
      thread
          .submit(() -> {
            for (int i = 0; i < 7; i++) {
              blocks.add(pool.allocate(i));
            }
          })
          .get();
      assertThatIllegalStateException()
          .isThrownBy(pool::close)
          .withMessageContaining(": confined block 1 with 0 bytes of thread 'owner', ")
          .withMessageContaining("confined block 5 with 4 bytes of thread 'owner' and 2 more; ");
      thread.submit(() -> blocks.forEach(MemoryBlock::close)).get();
    }
  }

  @Test
  void close_arenaOfAThreadThatHasEnded_isTakenBack() throws Exception {
    CompletableFuture<MemorySegment> segment = new CompletableFuture<>();
    Thread thread = new Thread(() -> segment.complete(pool.openArena().allocate(100)));
    thread.start();
    thread.join();
    assertThat(pool.statistics().bytesInUse()).isEqualTo(256);
    pool.close();
    assertThat(host.regionCount()).isZero();
    assertThat(catchThrowable(() -> segment.join().get(ValueLayout.JAVA_BYTE, 0)))
        .isInstanceOf(WrongThreadException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_duringANativeCall_failsAndNothingChanges(boolean shared) {
    List<Arena> arenas =
        List.of(
            pool.openArena(),
            pool.openSharedArena(),
            shared ? pool.openSharedArena() : pool.openArena(),
            pool.openArena(),
            pool.openSharedArena());
    List<MemorySegment> segments =
        new ArrayList<>(arenas.stream().map(arena -> arena.allocate(8)).toList());
    segments.add(pool.asSegmentAllocator().allocate(8));
    AllocatorStatistics before = pool.statistics();
    NativeCalls.during(
        segments.get(2),
        () -> {
          assertThatIllegalStateException()
              .isThrownBy(pool::close)
              .withMessageMatching(
                  "pool 'test' cannot be closed: (shared|confined) arena 3 with 8 bytes.* is in use by a native call, another thread or its own closing");
          assertThat(pool.statistics()).isEqualTo(before);
          segments.forEach(each -> each.fill((byte) 1));
          pool.allocate(100).close();
        });
    arenas.forEach(arena -> arena.allocate(100).fill((byte) 1));
    arenas.forEach(Arena::close);
    NativeCalls.during(
        segments.getLast(),
        () ->
            assertThatIllegalStateException()
                .isThrownBy(pool::close)
                .withMessage(
                    "pool 'test' cannot be closed: shared lasting memory 0 with 8 bytes is in use by a native call, another thread or its own closing"));
    segments.getLast().fill((byte) 1);
  }

  @Test
  @SuppressWarnings("restricted") // as native code does it
  void close_withinItself_failsAndTheOuterOneContinues() {
    List<String> messages = new ArrayList<>();
    Arena arena = pool.openArena();
    arena
        .allocate(8)
        .reinterpret(arena, last -> messages.add(catchThrowable(pool::close).getMessage()));
    MemorySegment other = pool.openSharedArena().allocate(8);
    pool.close();
    assertThat(messages)
        .containsExactly(
            "pool 'test' cannot be closed: this thread is already closing it; return from that call first");
    assertEnded(other);
    assertThat(host.regionCount()).isZero();
  }

  @Test
  @SuppressWarnings("restricted") // as native code does it
  void anything_whileThePoolIsBeingClosed_isRejectedAndThePoolIsNotCalledClosed() {
    List<String> messages = new ArrayList<>();
    Arena unused = pool.openArena();
    Arena arena = pool.openArena();
    List<Runnable> uses =
        List.of(
            pool::openArena,
            () -> pool.allocateShared(1),
            () -> pool.openPrivatePool("private"),
            () -> unused.allocate(1),
            unused::scope);
    arena
        .allocate(8)
        .reinterpret(
            arena,
            last -> uses.forEach(use -> messages.add(catchThrowable(use::run).getMessage())));
    pool.close();
    String message =
        "pool 'test' is being closed by thread '%s'".formatted(Thread.currentThread().getName());
    assertThat(messages)
        .containsExactly(
            message,
            message,
            message,
            "allocator 'test' is being closed",
            "allocator 'test' is being closed");
    assertThat(unused.scope().isAlive()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @SuppressWarnings("restricted") // as native code does it
  void close_cleanupActionFails_endsAllMemory(boolean shared) {
    Arena arena = shared ? pool.openSharedArena() : pool.openArena();
    MemorySegment segment = arena.allocate(8);
    segment.reinterpret(
        arena,
        last -> {
          throw new IllegalArgumentException("from the user's action");
        });
    MemoryBlock block = pool.allocate(8);
    assertThat(catchThrowable(pool::close))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("from the user's action");
    assertEnded(segment);
    assertEnded(block.segment());
    assertThat(host.regionCount()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @SuppressWarnings("restricted") // as native code does it
  void arenaClose_cleanupActionFails_freesTheMemory(boolean shared) {
    Arena arena = shared ? pool.openSharedArena() : pool.openArena();
    arena
        .allocate(8)
        .reinterpret(
            arena,
            last -> {
              throw new IllegalArgumentException("from the user's action");
            });
    assertThat(catchThrowable(arena::close)).hasMessage("from the user's action");
    assertThat(pool.statistics().bytesInUse()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @SuppressWarnings("restricted") // as native code does it
  void poolClose_withinAnArenasClosing_failsAndThePoolStaysOpen(boolean shared) {
    List<String> messages = new ArrayList<>();
    Arena arena = shared ? pool.openSharedArena() : pool.openArena();
    arena
        .allocate(8)
        .reinterpret(
            arena,
            last -> {
              for (Runnable close : List.<Runnable>of(arena::close, pool::close)) {
                messages.add(catchThrowable(close::run).getMessage());
              }
            });
    arena.close();
    assertThat(messages)
        .containsExactly(
            "Already closed",
            "pool 'test' cannot be closed: %s arena 1 with 8 bytes%s is in use by a native call, another thread or its own closing"
                .formatted(
                    shared ? "shared" : "confined",
                    shared ? "" : " of thread '%s'".formatted(Thread.currentThread().getName())));
    pool.allocate(8).close();
    assertThat(pool.statistics().bytesInUse()).isZero();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @SuppressWarnings("restricted") // as native code does it
  void poolClose_whileAnotherThreadClosesAnArena_failsAndDoesNotWait() {
    List<String> messages = new ArrayList<>();
    Arena arena = pool.openSharedArena();
    arena
        .allocate(8)
        .reinterpret(
            arena,
            last -> {
              messages.add(elsewhere(() -> messages.add(catchThrowable(pool::close).getMessage())));
              messages.add(catchThrowable(pool::close).getMessage());
            });
    arena.close();
    String message =
        "pool 'test' cannot be closed: shared arena 1 with 8 bytes is in use by a native call, another thread or its own closing";
    assertThat(messages).containsExactly(message, "done", message);
    pool.close();
    assertThat(host.regionCount()).isZero();
  }

  /** Runs an action in another thread, waits for it, and {@return "done"} */
  private static String elsewhere(Runnable action) {
    CompletableFuture.runAsync(action, task -> Thread.ofPlatform().start(task)).join();
    return "done";
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void blockClose_afterThePool_hasNoEffect(boolean shared) {
    MemoryBlock block = shared ? pool.allocateShared(8) : pool.allocate(8);
    pool.close();
    block.close();
    assertEnded(block.segment());
  }

  @Test
  void hostClose_beforeThePool_failsAndNothingChanges() {
    MemoryBlock block = pool.allocate(100);
    assertThatIllegalStateException()
        .isThrownBy(host::close)
        .withMessageStartingWith(
            "device 'host' is in use: pools, allocators or growing memory hold 1 region with 4096 bytes; ");
    block.segment().fill((byte) 1);
    block.close();
  }

  @Test
  void hostFree_ofThePoolsRegion_failsAndNothingChanges() {
    MemoryBlock block = pool.allocate(100);
    long address = block.segment().address();
    assertThatIllegalStateException()
        .isThrownBy(() -> host.free(address, 4096))
        .withMessageContaining("belongs to another sub-allocator");
    assertThatIllegalStateException().isThrownBy(() -> host.resize(address, 4096, 8192));
    block.segment().fill((byte) 1);
    block.close();
  }

  /** A listener with forbidden actions. */
  private record Listener(Runnable onAllocated, Runnable onFreed) implements AllocationListener {

    @Override
    public void allocated(Allocation allocation) {
      onAllocated.run();
    }

    @Override
    public void freed(long id) {
      onFreed.run();
    }

    @Override
    public void failed(long bytes) {}
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void arenaClose_listenerThrows_freesAllAndThePoolCanBeClosed(boolean shared) {
    Runnable broken =
        () -> {
          throw new UnsupportedOperationException("broken");
        };
    MemoryPool heard =
        MemoryPool.open(
            "heard",
            host,
            BfcOptions.expandable(),
            PoolOptions.standard().withListener(new Listener(() -> {}, broken)));
    Arena arena = shared ? heard.openSharedArena() : heard.openArena();
    for (int i = 0; i < 3; i++) {
      arena.allocate(100);
    }
    assertThat(catchThrowable(arena::close))
        .isInstanceOf(UnsupportedOperationException.class)
        .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(2));
    assertThat(heard.statistics().bytesInUse()).isZero();
    heard.close();
    assertThat(host.regionCount()).isZero();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void sharedArenaClose_byTheListenerOfItsAllocation_failsAndDoesNotWaitForItself() {
    List<Arena> closed = new ArrayList<>();
    MemoryPool heard =
        MemoryPool.open(
            "heard",
            host,
            BfcOptions.expandable(),
            PoolOptions.standard()
                .withListener(new Listener(() -> closed.forEach(Arena::close), () -> {})));
    Arena arena = heard.openSharedArena();
    closed.add(arena);
    assertThatIllegalStateException()
        .isThrownBy(() -> arena.allocate(100))
        .withMessage(
            "shared arena 1 with 0 bytes cannot be closed by the listener of its allocation; close it after the listener has returned");
    closed.clear();
    assertThat(heard.statistics().bytesInUse()).isZero();
    arena.close();
    heard.close();
  }
}
