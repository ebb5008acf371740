package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.OptionalLong;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Private pools of an allocator. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PrivatePoolTest {

  private static final long MIB = 1 << 20;

  private final ScriptedRegions device = ScriptedRegions.ascending();

  private BfcAllocator gpu(BfcOptions options) {
    return new BfcAllocator("gpu", device, options);
  }

  private long heldBytes() {
    return device.held().values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void allocate_inAPool_takesRegionsOfItsOwn() {
    BfcAllocator gpu = gpu(BfcOptions.growing());
    BfcAllocator graph = gpu.openPrivatePool("graph 1");
    gpu.free(gpu.allocate(1000));
    long address = graph.allocate(1000);
    assertThat(graph.regions()).hasSize(1).isNotEqualTo(gpu.regions());
    assertThat(graph.statistics().bytesInUse()).isEqualTo(1024);
    assertThat(gpu.statistics().bytesInUse()).isZero();
    assertThat(gpu.statistics().reservedBytes()).isEqualTo(MIB);
    assertThat(gpu.privatePoolBytes()).isEqualTo(MIB);
    assertThat(graph).hasToString("allocator 'gpu/graph 1'");
    graph.free(address);
    assertThat(gpu.allocate(MIB)).isNotEqualTo(address); // also if it is free
    gpu.close();
  }

  @Test
  void free_inAnotherPool_throws() {
    BfcAllocator gpu = gpu(BfcOptions.growing());
    BfcAllocator graph = gpu.openPrivatePool("graph");
    long address = graph.allocate(1000);
    assertThatIllegalStateException().isThrownBy(() -> gpu.free(address));
    assertThatIllegalStateException().isThrownBy(() -> gpu.openPrivatePool("b").free(address));
    graph.free(address);
  }

  // The limit.

  @Test
  void allocate_moreThanTheCommonLimit_fails() {
    BfcAllocator gpu = gpu(BfcOptions.growing().withLimit(4 * MIB));
    BfcAllocator graph = gpu.openPrivatePool("graph");
    gpu.allocate(1000);
    graph.allocate(2 * MIB);
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> gpu.allocate(2 * MIB))
        .withMessage(
            "allocator 'gpu' is out of memory: 2 MiB (2,097,152 bytes) requested. The request"
                + " and the memory in use are 1 KiB more than the 2 MiB of the limit that can be"
                + " used. The request would have passed with a limit higher by 1 MiB (1,048,576"
                + " bytes). In use: 1 KiB; reserved: 1 MiB; limit: 4 MiB (4,194,304 bytes); held by"
                + " private pools: 2 MiB.");
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> graph.allocate(2 * MIB))
        .withMessage(
            "allocator 'gpu/graph' is out of memory: 2 MiB (2,097,152 bytes) requested. The"
                + " request and the memory in use are 1 MiB more than the 3 MiB of the limit that can"
                + " be used. The request would have passed with a limit higher by 1 MiB (1,048,576"
                + " bytes), also of its allocator, or without allocation 1 of 2 MiB (2,097,152"
                + " bytes). In use: 2 MiB; reserved: 2 MiB; limit: none; left by its allocator: 1"
                + " MiB.");
    assertThat(gpu.allocate(MIB)).isPositive();
  }

  @Test
  void allocate_moreThanTheLimitOfThePool_fails() {
    BfcAllocator gpu = gpu(BfcOptions.growing());
    BfcAllocator tenant = gpu.openPrivatePool("tenant", BfcOptions.expandable().withLimit(2 * MIB));
    tenant.allocate(MIB);
    assertThat(tenant.tryAllocate(2 * MIB, 256)).isEmpty();
    assertThat(gpu.tryAllocate(2 * MIB, 256)).isPresent();
    assertThat(tenant.statistics().limitBytes()).isEqualTo(2 * MIB);
  }

  @Test
  void allocate_noRoomForThePool_returnsFreeMemoryOfTheAllocator() {
    BfcAllocator gpu = gpu(BfcOptions.growing().withLimit(4 * MIB));
    BfcAllocator graph = gpu.openPrivatePool("graph");
    gpu.free(gpu.allocate(4 * MIB));
    assertThat(graph.allocate(3 * MIB)).isPositive();
    assertThat(gpu.regions()).isEmpty();
    gpu.internals().checkInvariants();
  }

  @Test
  void allocate_noRoomForTheAllocator_keepsFreeMemoryOfThePool() {
    BfcAllocator gpu = gpu(BfcOptions.growing().withLimit(4 * MIB).withGarbageCollection());
    BfcAllocator graph = gpu.openPrivatePool("graph");
    long captured = graph.allocate(4 * MIB);
    graph.free(captured);
    assertThat(gpu.tryAllocate(1, 256)).isEmpty();
    assertThat(graph.trim().bytes()).isEqualTo(4 * MIB);
    assertThat(gpu.tryAllocate(1, 256)).isPresent();
  }

  @Test
  void allocate_freeRegionsOfThePoolAndTheAllocator_returnsBoth() {
    BfcAllocator gpu = gpu(BfcOptions.growing().withLimit(4 * MIB));
    BfcAllocator graph = gpu.openPrivatePool("graph", BfcOptions.growing().withGarbageCollection());
    graph.free(graph.allocate(MIB));
    gpu.free(gpu.allocate(2 * MIB));
    assertThat(graph.allocate(4 * MIB)).isPositive(); // needs all of them
    gpu.internals().checkInvariants();
  }

  @Test
  void setLimit_belowTheBytesOfPools_isWhatAllHold() {
    BfcAllocator gpu = gpu(BfcOptions.growing().withLimit(8 * MIB));
    BfcAllocator graph = gpu.openPrivatePool("graph");
    graph.allocate(3 * MIB);
    gpu.allocate(MIB);
    assertThat(gpu.setLimit(MIB).limitBytes()).isEqualTo(5 * MIB); // the pool has a region of 4 MiB
    assertThat(graph.tryAllocate(2 * MIB, 256)).isEmpty();
    gpu.internals().checkInvariants();
    gpu.setLimit(7 * MIB);
    assertThat(graph.tryAllocate(2 * MIB, 256)).isPresent();
  }

  @Test
  void openPrivatePool_withinAPool_countsForBoth() {
    BfcAllocator gpu = gpu(BfcOptions.growing().withLimit(8 * MIB));
    BfcAllocator tenant = gpu.openPrivatePool("a", BfcOptions.growing().withLimit(4 * MIB));
    BfcAllocator graph = tenant.openPrivatePool("b");
    graph.allocate(2 * MIB);
    assertThat(tenant.privatePoolBytes()).isEqualTo(2 * MIB);
    assertThat(gpu.privatePoolBytes()).isEqualTo(2 * MIB);
    assertThat(tenant.tryAllocate(3 * MIB, 256)).isEmpty();
    assertThat(tenant.tryAllocate(2 * MIB, 256)).isPresent();
    assertThat(graph).hasToString("allocator 'gpu/a/b'");
  }

  // @throws IllegalArgumentException if this allocator has one region
  @Test
  void openPrivatePool_ofOneRegion_needsOptions() {
    BfcAllocator gpu = gpu(BfcOptions.oneRegion(MIB));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> gpu.openPrivatePool("graph"))
        .withMessage(
            "a private pool of allocator 'gpu' needs options of its own, because the one region of"
                + " the allocator takes the whole limit");
    BfcAllocator graph = gpu.openPrivatePool("graph", BfcOptions.expandable());
    graph.allocate(1000);
    assertThat(gpu.allocate(1000)).isPositive(); // in the rest of the limit
  }

  // Waiting.

  @Test
  void allocateOrWait_inThePool_isServedByAFreeInTheAllocator() throws Exception {
    BfcAllocator gpu = gpu(BfcOptions.growing().withLimit(4 * MIB));
    BfcAllocator graph = gpu.openPrivatePool("graph");
    long whole = gpu.allocate(4 * MIB);
    WaitingRequest request = WaitingRequest.waiting(graph, MIB);
    gpu.free(whole);
    assertThat(graph.allocation(request.address())).isPresent();
  }

  @Test
  void allocateOrWait_inTheAllocator_isServedByTheEndOfThePool() throws Exception {
    BfcAllocator gpu = gpu(BfcOptions.growing().withLimit(4 * MIB));
    BfcAllocator graph = gpu.openPrivatePool("graph");
    BfcAllocator other = gpu.openPrivatePool("other");
    graph.allocate(4 * MIB);
    WaitingRequest request = WaitingRequest.waiting(gpu, MIB);
    WaitingRequest inAnother = WaitingRequest.waiting(other, MIB);
    graph.close();
    assertThat(gpu.allocation(request.address())).isPresent();
    assertThat(other.allocation(inAnother.address())).isPresent();
  }

  @Test
  void allocateOrWait_moreThanTheLimitOfTheAllocator_failsAtOnce() {
    BfcAllocator gpu = gpu(BfcOptions.growing().withLimit(4 * MIB));
    BfcAllocator graph = gpu.openPrivatePool("graph");
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(() -> graph.allocateOrWait(5 * MIB, 256, WaitingRequest.FOREVER));
  }

  @Test
  void setLimit_lowerThanAWaitingRequestOfAPool_failsAtOnce() throws Exception {
    BfcAllocator gpu = gpu(BfcOptions.growing().withLimit(8 * MIB));
    BfcAllocator graph = gpu.openPrivatePool("a").openPrivatePool("b");
    graph.allocate(4 * MIB);
    WaitingRequest request = WaitingRequest.waiting(graph, 7 * MIB);
    gpu.setLimit(6 * MIB);
    assertThat(request.failure()).isInstanceOf(BfcOutOfMemoryException.class);
    assertThat(graph.waitingRequests()).isZero();
  }

  @Test
  void close_pools_areForgotten() {
    BfcAllocator gpu = gpu(BfcOptions.growing());
    BfcAllocator graph = gpu.openPrivatePool("a");
    BfcAllocator below = graph.openPrivatePool("b");
    long address = below.allocate(MIB);
    graph.closeWhenFree();
    assertThat(gpu.privatePoolBytes()).isEqualTo(MIB);
    below.free(address);
    assertThat(gpu.privatePoolBytes()).isZero();
    assertThat(graph.privatePoolBytes()).isZero();
    gpu.close();
  }

  @Test
  void allocateOrWait_freedChunksOfTheAllocatorAreCached_isServed() throws Exception {
    BfcOptions cached = BfcOptions.growing().withLimit(4 * MIB).withFrontCache(4 * MIB);
    BfcAllocator gpu = gpu(cached);
    BfcAllocator graph = gpu.openPrivatePool("graph");
    long first = gpu.allocate(2 * MIB);
    long second = gpu.allocate(MIB);
    gpu.free(first);
    assertThat(gpu.allocate(2 * MIB)).isEqualTo(first); // from the cache
    WaitingRequest request = WaitingRequest.waiting(graph, 4 * MIB);
    gpu.free(first);
    gpu.free(second);
    assertThat(graph.allocation(request.address())).isPresent();
    gpu.internals().checkInvariants();
  }

  @Test
  void closeWhenFree_frontCache_returnsRegions() {
    BfcAllocator gpu = gpu(BfcOptions.growing().withFrontCache(4 * MIB));
    BfcAllocator graph = gpu.openPrivatePool("graph");
    long first = graph.allocate(1000);
    graph.free(first);
    assertThat(graph.allocate(1000)).isEqualTo(first);
    graph.closeWhenFree();
    graph.free(first);
    assertThat(gpu.privatePoolBytes()).isZero();
  }

  // The end of a pool.

  @Test
  void closeWhenFree_allocationsInUse_returnsEachRegionWhenItIsFree() {
    BfcAllocator gpu = gpu(BfcOptions.growing());
    BfcAllocator graph = gpu.openPrivatePool("graph");
    long first = graph.allocate(MIB);
    long second = graph.allocate(MIB);
    long third = graph.allocate(MIB); // the second region has two
    graph.free(first);
    graph.closeWhenFree();
    assertThat(gpu.privatePoolBytes()).isEqualTo(2 * MIB);
    assertThatIllegalStateException()
        .isThrownBy(() -> graph.allocate(1))
        .withMessage("allocator 'gpu/graph' is closed");
    graph.free(second);
    assertThat(gpu.privatePoolBytes()).isEqualTo(2 * MIB);
    assertThat(graph.allocation(third)).isPresent();
    graph.free(third);
    assertThat(gpu.privatePoolBytes()).isZero();
    graph.closeWhenFree();
    gpu.internals().checkInvariants();
  }

  @Test
  void closeWhenFree_thenClose_returnsTheRest() {
    BfcAllocator gpu = gpu(BfcOptions.expandable());
    BfcAllocator graph = gpu.openPrivatePool("graph");
    graph.allocate(MIB);
    graph.closeWhenFree();
    graph.close();
    assertThat(gpu.privatePoolBytes()).isZero();
    assertThat(heldBytes()).isZero();
  }

  @Test
  void close_ofTheAllocator_closesItsPools() {
    BfcAllocator gpu = gpu(BfcOptions.growing());
    BfcAllocator graph = gpu.openPrivatePool("graph");
    graph.allocate(MIB);
    gpu.close();
    assertThat(heldBytes()).isZero();
    assertThatIllegalStateException().isThrownBy(() -> graph.allocate(1));
    assertThatIllegalStateException()
        .isThrownBy(() -> gpu.openPrivatePool("late"))
        .withMessage("allocator 'gpu' is closed");
  }

  @Test
  void close_regionOfAPoolStays_closesTheOthersAndTriesAgain() {
    BfcAllocator gpu = gpu(BfcOptions.growing());
    BfcAllocator graph = gpu.openPrivatePool("graph");
    graph.allocate(MIB);
    gpu.allocate(MIB);
    device.failing(100);
    assertThatExceptionOfType(RuntimeException.class).isThrownBy(gpu::close);
    assertThat(heldBytes()).isEqualTo(2 * MIB);
    device.failing(0);
    gpu.close();
    assertThat(heldBytes()).isZero();
  }

  @Test
  void closeWhenFree_ofAnAllocator_returnsItsOwnMemory() {
    BfcAllocator gpu = gpu(BfcOptions.expandable());
    long low = gpu.allocate(MIB);
    long high = gpu.allocate(MIB);
    gpu.closeWhenFree();
    gpu.free(high);
    assertThat(heldBytes()).isEqualTo(MIB);
    gpu.free(low);
    assertThat(heldBytes()).isZero();
  }

  // Events.

  @Test
  void listener_ofAPool_getsItsEventsOnly() {
    RecordingListener ofGpu = RecordingListener.onFreed(id -> {});
    RecordingListener ofGraph = RecordingListener.onFreed(id -> {});
    BfcAllocator gpu = new BfcAllocator("gpu", device, BfcOptions.growing(), ofGpu);
    BfcAllocator graph = gpu.openPrivatePool("graph", BfcOptions.growing(), ofGraph);
    graph.allocate(1);
    assertThat(ofGpu.heard()).isEmpty();
    assertThat(ofGraph.heard()).hasSize(1);
  }

  @Test
  void subAllocator_callsAPoolOfItsAllocator_isRejected() {
    FutureTask<OptionalLong> inner = new FutureTask<>(() -> OptionalLong.empty());
    BfcAllocator[] pool = new BfcAllocator[1];
    SubAllocator calling =
        new SubAllocator() {
          @Override
          public OptionalLong allocate(long bytes) {
            if (pool[0] != null) {
              inner.run();
              pool[0].allocate(1);
            }
            return device.allocate(bytes);
          }

          @Override
          public void free(long address, long bytes) {
            device.free(address, bytes);
          }
        };
    BfcAllocator gpu = new BfcAllocator("gpu", calling, BfcOptions.growing());
    pool[0] = gpu.openPrivatePool("graph");
    assertThatIllegalStateException()
        .isThrownBy(() -> gpu.allocate(1))
        .withMessageStartingWith("the sub-allocator of allocator 'gpu' must not call it");
    assertThat(inner.isDone()).isTrue();
  }
}
