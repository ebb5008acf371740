package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Private pools: regions and numbers of their own, within the limit and the life of a pool. */
@Timeout(60)
class MemoryPoolPrivateTest {

  private static final long MIB = 1 << 20;

  private final HostMemory host = HostMemory.open();
  private final BfcOptions options = BfcOptions.expandable().withLimit(8 * MIB);
  private final MemoryPool pool = MemoryPool.open("gpu", host, options);

  /** A listener of granted requests. */
  private record Granted(Consumer<Allocation> consumer) implements AllocationListener {

    @Override
    public void allocated(Allocation allocation) {
      consumer.accept(allocation);
    }

    @Override
    public void freed(long id) {}

    @Override
    public void failed(long bytes) {}
  }

  @AfterEach
  void nothingIsLeft() {
    pool.close();
    pool.checkInvariants();
    assertThat(host.regionCount()).isZero();
    host.close();
  }

  @Test
  void openPrivatePool_freeMemory_servesNoOtherPool() {
    MemoryPool graph = pool.openPrivatePool("graph 1");
    assertThat(graph.name()).isEqualTo("gpu/graph 1");
    MemoryBlock scratch = graph.allocate(MIB);
    long address = scratch.segment().address();
    scratch.close();
    try (MemoryBlock other = pool.allocate(MIB)) {
      assertThat(other.segment().address()).isNotEqualTo(address);
      assertThat(pool.privatePoolBytes()).isEqualTo(graph.statistics().reservedBytes());
    }
    try (MemoryBlock again = graph.allocate(MIB)) {
      assertThat(again.segment().address()).isEqualTo(address);
      assertThat(again.segment().get(ValueLayout.JAVA_BYTE, MIB - 1)).isZero();
      assertThat(pool.statistics().requestedBytesInUse()).isZero();
      assertThat(pool.allocations()).isEmpty();
      assertThat(graph.inUse().toString())
          .contains("has 1 MiB (1,048,576 bytes) in use by 1 allocation");
    }
    graph.close();
    assertThat(pool.privatePoolBytes()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(graph::openArena)
        .withMessage("pool 'gpu/graph 1' is closed");
  }

  @Test
  void openPrivatePool_reusedMemory_isZeroed() {
    MemoryPool tenant = pool.openPrivatePool("tenant");
    try (MemoryBlock block = tenant.allocate(5000)) {
      block.segment().fill((byte) 7);
    }
    try (MemoryBlock block = tenant.allocate(5000)) {
      assertThat(block.segment().asByteBuffer().getLong(0)).isZero();
    }
  }

  @Test
  void openPrivatePool_poolOfOneRegion_needsOptions() {
    try (MemoryPool one = MemoryPool.open("one", host, BfcOptions.oneRegion(MIB))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> one.openPrivatePool("tenant"))
          .withMessage(
              "a private pool of allocator 'one' needs options of its own, because the one region of the allocator takes the whole limit");
    }
  }

  @Test
  void openPrivatePool_withListener_listenerGetsItsEventsOnly() {
    List<String> events = new ArrayList<>();
    MemoryPool tenant =
        pool.openPrivatePool(
            "tenant", options, new Granted(allocation -> events.add("+" + allocation.id())));
    pool.allocate(100).close();
    tenant.allocate(5000).close();
    assertThat(events).containsExactly("+1");
  }

  @Test
  void allocate_limitsOfBoth_areKept() {
    MemoryPool tenant = pool.openPrivatePool("tenant", options.withLimit(2 * MIB));
    assertThat(tenant.tryAllocate(3 * MIB)).isEmpty();
    try (MemoryBlock _ = pool.allocate(7 * MIB)) {
      assertThat(tenant.tryAllocate(2 * MIB)).isEmpty();
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> tenant.allocate(2 * MIB))
          .withMessageStartingWith("allocator 'gpu/tenant' is out of memory");
    }
    tenant.allocate(2 * MIB).close(); // the pool returns its free memory for it
    assertThat(pool.statistics().reservedBytes()).isLessThanOrEqualTo(6 * MIB);
  }

  @Test
  void allocate_emptySlabsOfThePool_areReturnedForIt() {
    MemoryPool tenant = pool.openPrivatePool("tenant");
    try (Arena arena = pool.openArena()) {
      for (int i = 0; i < 2000; i++) {
        arena.allocate(4096);
      }
    }
    for (PoolRequest request :
        List.of(
            PoolRequest.of(7 * MIB),
            PoolRequest.of(7 * MIB).chargedTo(tenant.openBudget("budget", 7 * MIB)))) {
      tenant.allocate(request).close();
      tenant.trim();
      try (Arena arena = pool.openArena()) {
        for (int i = 0; i < 1700; i++) {
          arena.allocate(4096);
        }
      }
    }
  }

  @Test
  void allocate_budgetOfThePool_isRejected() {
    MemoryPool tenant = pool.openPrivatePool("tenant");
    PoolBudget budget = pool.openBudget("requests", MIB);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tenant.allocate(PoolRequest.of(1).chargedTo(budget)))
        .withMessageContaining("'requests'")
        .withMessageContaining("'gpu/tenant'");
  }

  @Test
  void close_ofThePool_closesPrivatePools() {
    MemoryPool tenant = pool.openPrivatePool("tenant");
    MemoryPool inner = tenant.openPrivatePool("inner");
    List<MemorySegment> segments =
        List.of(
            pool.allocate(100).segment(),
            tenant.openArena().allocate(100),
            inner.openSharedArena().allocate(100),
            inner.allocateCounted(100).segment(),
            inner.asSegmentAllocator().allocate(100));
    assertThat(inner.name()).isEqualTo("gpu/tenant/inner");
    pool.close();
    segments.forEach(segment -> assertThat(segment.scope().isAlive()).isFalse());
    assertThat(host.regionCount()).isZero();
    tenant.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> inner.allocate(1))
        .withMessage("pool 'gpu/tenant/inner' is closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> pool.openPrivatePool("late"))
        .withMessage("pool 'gpu' is closed");
  }

  @Test
  void close_arenaOfAnotherThreadInAPrivatePool_changesNothing() throws Exception {
    MemoryPool tenant = pool.openPrivatePool("tenant");
    try (ExecutorService owner = Executors.newSingleThreadExecutor(r -> new Thread(r, "owner"))) {
      Arena theirs = owner.submit(tenant::openArena).get();
      MemorySegment segment = owner.submit(() -> theirs.allocate(100)).get();
      MemoryBlock mine = pool.allocate(100);
      for (MemoryPool closed : List.of(pool, tenant)) {
        assertThatIllegalStateException()
            .isThrownBy(closed::close)
            .withMessage(
                "pool 'gpu/tenant' cannot be closed by thread '%s': confined arena 1 with 100 bytes of thread 'owner'; close it there first",
                Thread.currentThread().getName());
      }
      assertThat(segment.scope().isAlive()).isTrue();
      mine.segment().fill((byte) 1);
      mine.close();
      pool.allocate(100).close();
      tenant.allocate(100).close();
      pool.openPrivatePool("further").close();
      owner.submit(theirs::close).get();
    }
    pool.close();
    assertThat(host.regionCount()).isZero();
  }

  @Test
  void close_ofAPrivatePool_keepsThePool() {
    MemoryPool tenant = pool.openPrivatePool("tenant");
    MemorySegment lasting = tenant.asSegmentAllocator().allocate(100);
    MemoryBlock mine = pool.allocate(100);
    tenant.close();
    assertThat(lasting.scope().isAlive()).isFalse();
    mine.segment().fill((byte) 1);
    mine.close();
    pool.checkInvariants();
  }

  @Test
  void closeWithin_arenaInAPrivatePool_rejectsOthersAndWaits() throws Exception {
    MemoryPool tenant = pool.openPrivatePool("tenant");
    try (ExecutorService other = Executors.newSingleThreadExecutor(r -> new Thread(r, "closer"))) {
      Arena mine = tenant.openArena();
      mine.allocate(100);
      Future<CloseResult> closed = other.submit(() -> pool.closeWithin(Duration.ofMinutes(1)));
      String rejection = "";
      while (rejection.isEmpty()) {
        try {
          tenant.openArena().close();
          Thread.onSpinWait();
        } catch (IllegalStateException rejected) {
          rejection = String.valueOf(rejected.getMessage());
        }
      }
      assertThat(rejection)
          .isEqualTo(
              "pool 'gpu/tenant' is being closed by thread 'closer', which waits for open arenas");
      assertThatIllegalStateException()
          .isThrownBy(() -> pool.openPrivatePool("late"))
          .withMessage(
              "pool 'gpu' is being closed by thread 'closer', which waits for open arenas");
      assertThatIllegalStateException()
          .isThrownBy(tenant::close)
          .withMessage(
              "pool 'gpu/tenant' cannot be closed by thread '%s': thread 'closer' is closing it",
              Thread.currentThread().getName());
      mine.close();
      assertThat(closed.get().isClosed()).isTrue();
    }
    assertThat(host.regionCount()).isZero();
  }

  @Test
  void closeWithin_timeIsOver_poolsAreOpenAsBefore() throws Exception {
    MemoryPool tenant = pool.openPrivatePool("tenant");
    CountedBlock counted = tenant.allocateCounted(100);
    CloseResult result = pool.closeWithin(Duration.ZERO);
    assertThat(result.obstacle())
        .hasValueSatisfying(obstacle ->
            assertThat(obstacle).startsWith("pool 'gpu/tenant' cannot be closed by thread"));
    tenant.allocate(10).close();
    pool.openPrivatePool("further").allocate(10).close();
    counted.release();
    assertThat(pool.closeWithin(Duration.ZERO).isClosed()).isTrue();
  }

  @Test
  void closeWithin_whileOthersOpenAndClosePrivatePools_endsAll() throws Exception {
    try (ExecutorService others = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < 200; round++) {
        MemoryPool top = MemoryPool.open("top", host, options);
        List<Future<?>> users = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          users.add(others.submit(() -> useUntilClosed(top)));
        }
        boolean isClosed = false;
        while (!isClosed) {
          try {
            isClosed = top.closeWithin(Duration.ofMinutes(1)).isClosed();
          } catch (IllegalStateException isClosing) { // another thread closes a private pool
            Thread.onSpinWait();
          }
        }
        for (Future<?> user : users) {
          user.get();
        }
        assertThat(host.regionCount()).isZero();
        top.checkInvariants();
      }
    }
  }

  private static void useUntilClosed(MemoryPool top) {
    try {
      while (true) {
        MemoryPool tenant = top.openPrivatePool("tenant");
        tenant.allocate(5000).close();
        tenant.close();
      }
    } catch (IllegalStateException closed) { // or it is being closed
      assertThat(closed).hasMessageContaining("close");
    }
  }

  @Test
  void openPrivatePool_inAListener_isRejected() {
    List<String> messages = new ArrayList<>();
    List<MemoryPool> self = new ArrayList<>();
    AllocationListener opening =
        new Granted(_ -> {
          try {
            self.getFirst().openPrivatePool("inner");
          } catch (IllegalStateException rejected) {
            messages.add(String.valueOf(rejected.getMessage()));
          }
        });
    PoolOptions listened = PoolOptions.standard().withListener(opening);
    try (MemoryPool listening = MemoryPool.open("listening", host, options, listened)) {
      self.add(listening);
      listening.allocate(5000).close();
    }
    assertThat(messages).hasSize(1);
  }

  @Test
  void checkFreed_overrunInAPrivatePool_isReportedByItsName() {
    try (MemoryPool debugged =
        MemoryPool.open("debugged", host, options, PoolOptions.standard().withDebugging())) {
      MemoryPool tenant = debugged.openPrivatePool("tenant");
      MemoryBlock block = tenant.allocate(1000);
      MemorySegment past = RawMemory.segment(block.segment().address() + 1000, 1, Arena.global());
      past.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
      debugged.checkFreed(); // its own memory is intact
      assertThatIllegalStateException()
          .isThrownBy(block::close)
          .withMessageStartingWith(
              "pool 'debugged/tenant': memory after the end of an allocation was written to: at");
      tenant.close();
      debugged.openPrivatePool("tenant").allocate(5000); // perhaps at the same addresses
      debugged.checkInvariants();
    }
  }
}
