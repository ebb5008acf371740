package dev.stowage.allocator.slab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationBudget;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.AllocationSource;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.AllocatorReport;
import dev.stowage.allocator.AllocatorReport.Holder;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.allocator.internal.AllocatorInternals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Slabs appear with the seventeenth request of a size, and go when their memory is needed. */
class SlabAllocatorTest {

  private static final long MIB = 1 << 20;

  /** Regions one after the other. */
  private static final class Regions implements SubAllocator {

    private long next = MIB;

    @Override
    public OptionalLong allocate(long bytes) {
      long address = next;
      next += bytes;
      return OptionalLong.of(address);
    }

    @Override
    public void free(long address, long bytes) {}
  }

  /** A group of a test. */
  private static final class Group extends AllocationGroup {}

  private final BfcAllocator chunks =
      new BfcAllocator("test", new Regions(), BfcOptions.oneRegion(2 * MIB));
  private final SlabAllocator slabs = SlabAllocator.withSlabs(chunks, (_, _) -> {});
  private final List<Group> groups = new ArrayList<>();

  /** Allocates in a new group, and {@return true if the memory is a slot} */
  private boolean allocate(long bytes) {
    return allocate(chunks, slabs, bytes);
  }

  private boolean allocate(BfcAllocator source, SlabAllocator allocator, long bytes) {
    Group group = new Group();
    groups.add(group);
    boolean isSlot = group.takeSlot(allocator, bytes, 1) != SlabAllocator.NONE;
    if (!isSlot) {
      group.addChunk(allocator, source.allocate(bytes));
    }
    return isSlot;
  }

  private static void end(Group group, BfcAllocator allocator, SlabAllocator slabs) {
    if (!group.tryEnd(slabs)) {
      group.freeChunks(allocator::free);
      assertThat(group.tryEnd(slabs)).isTrue();
    }
  }

  private void endAll() {
    for (Group group : groups) {
      end(group, chunks, slabs);
    }
    groups.clear();
  }

  @Test
  void takeSlot_firstRequestsOfASize_takeChunks() {
    for (int i = 0; i < 16; i++) {
      assertThat(allocate(100)).isFalse();
    }
    assertThat(allocate(100)).isTrue();
    assertThat(allocate(48)).isFalse();
    assertThat(chunks.statistics().chunksInUse()).isEqualTo(18);
    assertThat(chunks.statistics().requestedBytesInUse()).isEqualTo(17 * 100 + 48);
    endAll();
    assertThat(chunks.statistics().bytesInUse()).isZero();
  }

  @Test
  void takeSlot_largeSizeAgain_takesTheKeptChunk() {
    assertThat(allocate(60_000)).isFalse();
    endAll();
    assertThat(allocate(59_500)).isTrue();
    endAll();
    assertThat(allocate(60_000)).isTrue();
    slabs.checkInvariants();
    assertThat(chunks.allocations().getFirst().requestedBytes()).isEqualTo(60_000);
    endAll();
    assertThat(chunks.statistics().chunksInUse()).isZero();
    assertThat(chunks.statistics().allocations()).isEqualTo(3);
  }

  @Test
  void tryEnd_keptChunkAfterReport_isFreedOnce() {
    AllocationTag.of("weights").run(() -> allocate(60_000));
    endAll();
    AllocationTag.of("weights").run(() -> assertThat(allocate(60_000)).isTrue());
    assertThat(chunks.allocations().getFirst().tag()).isEqualTo("weights");
    assertThat(groups.getFirst().allocations(slabs).getFirst().tag()).isEqualTo("weights");
    assertThat(groups.getFirst().tryEnd(slabs)).as("in the cache").isFalse();
    endAll();
    slabs.checkInvariants();
    assertThat(chunks.statistics().chunksInUse()).isZero();
  }

  @Test
  void tryEnd_manyChunks_keepsAtMostTheBound() {
    BfcAllocator large = new BfcAllocator("large", new Regions(), BfcOptions.growing());
    SlabAllocator kept = SlabAllocator.withSlabs(large, (_, _) -> {});
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 400; i++) {
        allocate(large, kept, 200_000);
      }
      for (Group group : groups) {
        end(group, large, kept);
        kept.checkInvariants();
      }
      groups.clear();
      assertThat(large.statistics().bytesInUse()).isZero();
    }
  }

  @Test
  void takeSlot_cacheOfNoBytes_takesChunks() {
    BfcAllocator plain =
        new BfcAllocator("plain", new Regions(), BfcOptions.growing().withFrontCache(0));
    SlabAllocator uncached = SlabAllocator.withSlabs(plain, (_, _) -> {});
    for (int i = 0; i < 20; i++) {
      assertThat(allocate(plain, uncached, 60_000)).isFalse();
      end(groups.removeLast(), plain, uncached);
    }
  }

  @Test
  void takeSlot_manySmall_takeLittleMoreThanTheirBytes() {
    for (int i = 0; i < 50_000; i++) {
      allocate(16);
    }
    assertThat(chunks.statistics().bytesInUse()).isLessThan(50_000 * 20);
    slabs.checkInvariants();
    endAll();
    slabs.checkInvariants();
    assertThat(chunks.statistics().chunksInUse()).isZero();
  }

  private void allocateAndEndSlab() {
    for (int i = 0; i < 17; i++) {
      allocate(100);
    }
    endAll();
  }

  @Test
  void request_noRoom_takesTheMemoryOfEmptySlabs() throws Exception {
    AllocationBudget budget = AllocationBudget.root("budget", chunks, 4 * MIB);
    for (AllocationSource source : List.of(chunks, budget)) {
      List<Callable<Long>> requests =
          List.of(
              () -> source.allocate(2 * MIB, 1),
              () -> source.tryAllocate(2 * MIB, 1).getAsLong(),
              () -> source.allocateOrWait(2 * MIB, 1, Duration.ZERO));
      for (Callable<Long> request : requests) {
        allocateAndEndSlab();
        chunks.free(request.call());
        slabs.checkInvariants();
      }
    }
    assertThat(chunks.failedRequests()).isZero();
    assertThat(budget.account().usedBytes()).isZero();
  }

  @Test
  void takeSlot_afterReport_takesANewSlab() {
    allocateAndEndSlab();
    assertThat(chunks.statistics().bytesInUse()).isZero();
    assertThat(allocate(100)).isTrue();
    assertThat(chunks.statistics().chunksInUse()).isOne();
    endAll();
  }

  /** Regions that grow, and are not taken back. */
  private static final class Kept implements SubAllocator {

    private boolean isKept = true;

    @Override
    public OptionalLong allocate(long bytes) {
      return OptionalLong.of(MIB);
    }

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      free(address, bytes - newBytes);
      return true;
    }

    @Override
    public void free(long address, long bytes) {
      if (isKept && bytes > 0) {
        throw new UnsupportedOperationException("kept");
      }
    }
  }

  @Test
  void trim_deviceDoesNotTakeMemoryBack_freesAllSlabs() {
    Kept device = new Kept();
    BfcAllocator failing = new BfcAllocator("kept", device, BfcOptions.expandable());
    SlabAllocator allocator = SlabAllocator.withSlabs(failing, (_, _) -> {});
    for (int bytes : new int[] {100, 200, 400}) {
      for (int i = 0; i < 17; i++) {
        allocate(failing, allocator, bytes);
      }
    }
    groups.forEach(group -> end(group, failing, allocator));
    groups.clear();
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(failing::trim)
        .withMessage("kept");
    allocator.checkInvariants();
    assertThat(failing.statistics().bytesInUse()).isZero();
    device.isKept = false;
    failing.close();
  }

  /** With a wait, a slab that becomes empty goes back, so that the request gets its memory. */
  @Test
  void beginWait_slabBecomesEmpty_isFreed() {
    for (int i = 0; i < 17; i++) {
      allocate(100);
    }
    slabs.beginWait();
    endAll();
    slabs.endWait();
    assertThat(AllocatorInternals.of(chunks).slabAddresses()).isEmpty();
    allocate(100);
    endAll();
  }

  @Test
  void takeSlot_stacksOrListener_takesChunks() {
    BfcOptions options = BfcOptions.growing();
    for (BfcAllocator observed :
        List.of(
            new BfcAllocator("stacks", new Regions(), options.withStacks()),
            new BfcAllocator("heard", new Regions(), options, AllocationListener.none()))) {
      SlabAllocator allocator = SlabAllocator.withSlabs(observed, (_, _) -> {});
      for (int i = 0; i < 40; i++) {
        assertThat(allocate(observed, allocator, 16)).isFalse();
      }
      assertThat(observed.allocations()).hasSize(40);
    }
  }

  @Test
  void allocations_slots_areInThePlaceOfSlabs() {
    for (int i = 0; i < 5000; i++) {
      allocate(16);
    }
    assertThat(chunks.allocations().stream().map(Allocation::address)).doesNotHaveDuplicates();
    assertThat(chunks.allocations()).hasSize(5000);
    assertThat(chunks.report().toString()).contains("in 5,000 allocations: (no tag)");
    assertThat(chunks.inUse().toString()).doesNotContain("slabs");
    endAll();
  }

  @Test
  void report_slots_haveTheirTags() {
    for (int i = 0; i < 5000; i++) {
      AllocationTag.of(i % 5 == 0 ? "keys" : "values").run(() -> allocate(16));
    }
    AllocatorReport report = chunks.report();
    assertThat(report.holders())
        .extracting(Holder::tag, Holder::allocations, Holder::requestedBytes)
        .containsExactlyInAnyOrder(
            tuple("values", 4000L, 64_000L),
            tuple("keys", 1000L, 16_000L),
            tuple("(free slots)", 0L, 0L));
    assertThat(report.holders().stream().mapToLong(Holder::bytes).sum())
        .isEqualTo(report.statistics().bytesInUse());
    assertThat(report.statistics()).isEqualTo(chunks.statistics());
    endAll();
  }

  @Test
  void register_whileClosing_isRejectedUntilReopened() {
    assertThat(slabs.closeIf(List::isEmpty)).isTrue();
    assertThat(slabs.isOpen()).isFalse();
    assertThat(slabs.isClosed()).isFalse();
    Group group = new Group();
    assertThatIllegalStateException()
        .isThrownBy(() -> group.takeSlot(slabs, 16, 1))
        .withMessage("allocator 'test' is being closed");
    assertThat(group.isRegistered()).isFalse();
    slabs.reopen();
    group.register(slabs);
    assertThat(slabs.groups()).containsExactly(group);
    assertThat(slabs.closeIf(List::isEmpty)).isFalse();
    assertThat(slabs.isOpen()).isTrue();
    assertThat(group.tryEnd(slabs)).isTrue();
    assertThat(slabs.groups()).isEmpty();
  }

  @Test
  void register_afterClose_isRejected() {
    assertThat(slabs.closeIf(List::isEmpty)).isTrue();
    slabs.close();
    assertThat(slabs.isClosed()).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(() -> new Group().register(slabs))
        .withMessage("allocator 'test' is closed");
  }

  @Test
  void anyThreads_allocateAndEnd_nothingIsLostOrSharedTwice() throws Exception {
    SlabAllocator striped = SlabAllocator.withSlabs(chunks, (_, _) -> {});
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int thread = 0; thread < 6; thread++) {
      tasks.add(() -> {
        long count = 0;
        for (int i = 0; i < 3000; i++) {
          Group group = new Group();
          for (int size = 16; size < 200; size += 40) {
            if (group.takeSlot(striped, size, 1) != SlabAllocator.NONE) {
              count++;
            }
          }
          if (i % 1000 == 0) {
            chunks.trim();
          }
          assertThat(group.tryEnd(striped)).isTrue();
        }
        return count;
      });
    }
    long count = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
      for (Future<Long> result : threads.invokeAll(tasks)) {
        count += result.get();
      }
    }
    striped.checkInvariants();
    assertThat(chunks.statistics().allocations()).isEqualTo(count);
    assertThat(chunks.statistics().chunksInUse()).isZero();
    assertThat(chunks.statistics().bytesInUse()).isZero();
  }
}
