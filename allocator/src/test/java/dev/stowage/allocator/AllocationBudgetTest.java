package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocationBudgetTest {

  /** The address of the first region of the simulated device. */
  private static final long BASE = 1L << 40;

  private final BfcAllocator allocator =
      new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(1 << 20));

  private final AllocationBudget root = AllocationBudget.root("job", allocator, 4096);

  private static List<Long> used(AllocationBudget... budgets) {
    return List.of(budgets).stream().map(each -> each.account().usedBytes()).toList();
  }

  private static BfcOutOfMemoryException failure(AllocationBudget budget, long bytes) {
    return catchThrowableOfType(BfcOutOfMemoryException.class, () -> budget.allocate(bytes));
  }

  // Charges.

  @Test
  void allocate_anyRequest_chargesRoundedBytesUpToTheRoot() {
    AllocationBudget child = root.child("a", 0, 4096);
    AllocationBudget grandchild = child.child("b", 0, 4096);
    long address = grandchild.allocate(300);
    assertThat(address).isEqualTo(BASE);
    assertThat(used(root, child, grandchild)).containsExactly(512L, 512L, 512L);
    root.allocate(1);
    child.allocate(256, 4096);
    assertThat(used(root, child, grandchild)).containsExactly(1024L, 768L, 512L);
    allocator.free(address);
    assertThat(used(root, child, grandchild)).containsExactly(512L, 256L, 0L);
    assertThat(root.account().peakBytes()).isEqualTo(1024);
    assertThat(child.account().peakBytes()).isEqualTo(768);
    assertThat(grandchild.account().peakBytes()).isEqualTo(512);
    assertThat(grandchild.account().path()).isEqualTo("job/a/b");
  }

  @Test
  void allocate_chunkLargerThanAsked_chargesOnlyWhatWasAsked() {
    BfcAllocator unsplit =
        new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(2560));
    AllocationBudget budget = AllocationBudget.root("job", unsplit, 2048);
    long address = budget.allocate(1500);
    assertThat(unsplit.statistics().bytesInUse()).isEqualTo(2560);
    assertThat(budget.account().usedBytes()).isEqualTo(1536);
    unsplit.free(address);
    assertThat(budget.account().usedBytes()).isZero();
  }

  @Test
  void child_reservation_isChargedAtOnceAndGivenBack() {
    AllocationBudget child = root.child("a", 1000, 4096);
    assertThat(used(root, child)).containsExactly(1000L, 0L);
    assertThat(child.account().reservedBytes()).isEqualTo(1000);
    assertThat(child.account().limitBytes()).isEqualTo(4096);
    child.close();
    assertThat(used(root)).containsExactly(0L);
    assertThat(root.account().peakBytes()).isEqualTo(1000);
  }

  /*
   *   job   | 1000 reserved         | 24 + 512 beyond |
   *   job/a | 512    | 512          | 512             |
   */
  @Test
  void allocate_beyondTheReservation_isChargedUpwardOnlyBeyondIt() {
    AllocationBudget child = root.child("a", 1000, 4096);
    child.allocate(512);
    assertThat(used(root, child)).containsExactly(1000L, 512L);
    long second = child.allocate(512);
    assertThat(used(root, child)).containsExactly(1024L, 1024L);
    long third = child.allocate(512);
    assertThat(used(root, child)).containsExactly(1536L, 1536L);
    allocator.free(second);
    assertThat(used(root, child)).containsExactly(1024L, 1024L);
    allocator.free(third);
    assertThat(used(root, child)).containsExactly(1000L, 512L);
  }

  @Test
  void allocate_reservationWithinAReservation_isChargedOnce() {
    AllocationBudget child = root.child("a", 2048, 4096);
    AllocationBudget grandchild = child.child("b", 1024, 4096);
    assertThat(used(root, child, grandchild)).containsExactly(2048L, 1024L, 0L);
    grandchild.allocate(1536);
    assertThat(used(root, child, grandchild)).containsExactly(2048L, 1536L, 1536L);
    grandchild.allocate(1024);
    assertThat(used(root, child, grandchild)).containsExactly(2560L, 2560L, 2560L);
  }

  @Test
  void allocate_reservationKept_cannotBeSpentByOthers() {
    AllocationBudget child = root.child("a", 4096, 4096);
    assertThat(root.tryAllocate(1, 256)).isEmpty();
    assertThat(child.tryAllocate(4096, 256)).isPresent();
    assertThat(used(root, child)).containsExactly(4096L, 4096L);
  }

  // Failures.

  // @throws BfcOutOfMemoryException if this budget, one above it, or the allocator has no room
  @Test
  void allocate_ownLimitReached_failsAndChangesNothing() {
    AllocationBudget child = root.child("a", 0, 1000);
    child.allocate(512);
    BfcOutOfMemoryException e = failure(child, 300);
    assertThat(e)
        .hasMessage(
            "budget 'job/a' is out of memory: 300 bytes requested, rounded up to 512 bytes. Its"
                + " limit is 24 bytes too low. In use: 512 bytes; limit: 1,000 bytes.");
    assertThat(e.verdict()).isEqualTo(OutOfMemoryVerdict.LIMIT);
    assertThat(e.requestedBytes()).isEqualTo(300);
    assertThat(e.roundedBytes()).isEqualTo(512);
    assertThat(e.report().statistics()).isEqualTo(allocator.statistics());
    assertThat(used(root, child)).containsExactly(512L, 512L);
    assertThat(allocator.statistics().allocations()).isEqualTo(1);
  }

  @Test
  void allocate_severalLimitsReached_namesTheLowest() {
    AllocationBudget child = root.child("a", 1024, 8192);
    AllocationBudget grandchild = child.child("b", 0, 8192);
    root.allocate(2560);
    assertThat(failure(grandchild, 1 << 20))
        .hasMessage(
            "budget 'job/a/b' is out of memory: 1 MiB (1,048,576 bytes) requested. Its limit is"
                + " 1016 KiB (1,040,384 bytes) too low. In use: 0 bytes; limit: 8 KiB (8,192 bytes).");
    // 1024 of it are reserved, so that only the rest is charged to the root.
    assertThat(failure(grandchild, 2048))
        .hasMessage(
            "budget 'job' is out of memory for budget 'job/a/b': 2 KiB (2,048 bytes) requested,"
                + " 1 KiB of it beyond the reservation. Its limit is 512 bytes too low. In use: 3.5"
                + " KiB; limit: 4 KiB (4,096 bytes).");
    assertThat(grandchild.tryAllocate(2048, 256)).isEmpty();
    assertThat(used(root, child, grandchild)).containsExactly(3584L, 0L, 0L);
    grandchild.allocate(1536);
    assertThat(used(root, child, grandchild)).containsExactly(4096L, 1536L, 1536L);
  }

  /** As in OpenSearch PR #22274: a child, and a level above it, with too low a limit. */
  @Test
  void allocate_aLevelHasTooLittle_messageHasRequestUseLimitAndItsName() {
    AllocationBudget all = AllocationBudget.root("root", allocator, 1 << 20);
    AllocationBudget query7 = all.child("flight", 0, 524_288).child("query 7", 0, 262_144);
    query7.allocate(197_104);
    assertThat(failure(query7, 98_304))
        .hasMessage(
            "budget 'root/flight/query 7' is out of memory: 96 KiB (98,304 bytes) requested. Its limit"
                + " is 32.5 KiB (33,280 bytes) too low. In use: 192.5 KiB; limit: 256 KiB (262,144"
                + " bytes).")
        .extracting(BfcOutOfMemoryException::verdict)
        .isEqualTo(OutOfMemoryVerdict.LIMIT);
    AllocationBudget query8 = all.child("small", 0, 262_144).child("query 8", 0, 524_288);
    query8.allocate(197_104);
    assertThat(failure(query8, 98_304))
        .hasMessage(
            "budget 'root/small' is out of memory for budget 'root/small/query 8': 96 KiB (98,304"
                + " bytes) requested. Its limit is 32.5 KiB (33,280 bytes) too low. In use: 192.5 KiB;"
                + " limit: 256 KiB (262,144 bytes).");
  }

  /** The device refuses a region, but not before another request has begun. */
  @Test
  void allocate_requestOfAnotherThreadFailsMeanwhile_isGranted() throws Exception {
    List<WaitingRequest> others = new ArrayList<>();
    List<AllocationBudget> budgets = new ArrayList<>();
    ScriptedRegions device =
        ScriptedRegions.giving(bytes -> {
          if (others.isEmpty() && bytes >= 1024) {
            others.add(WaitingRequest.begun(budgets.getFirst(), 256));
            return false;
          }
          return bytes < 1024;
        });
    BfcAllocator allocator =
        new BfcAllocator("gpu", device, BfcOptions.growing().withFirstRegion(256));
    budgets.add(AllocationBudget.root("job", allocator, 1024));
    assertThat(budgets.getFirst().tryAllocate(1024, 256)).isEmpty();
    assertThat(others.getFirst().address()).isPositive();
    assertThat(budgets.getFirst().account().usedBytes()).isEqualTo(256);
  }

  @Test
  void child_reservationCannotBePaid_failsAndLeavesNoChild() {
    root.allocate(4000);
    BfcOutOfMemoryException e =
        catchThrowableOfType(BfcOutOfMemoryException.class, () -> root.child("a", 1, 1));
    assertThat(e)
        .hasMessage(
            "budget 'job' is out of memory for budget 'job/a': 1 byte requested. Its limit is 1"
                + " byte too low. In use: 4 KiB; limit: 4 KiB (4,096 bytes).");
    assertThat(used(root)).containsExactly(4096L);
    allocator.free(BASE);
    root.close();
  }

  @Test
  void allocate_allocatorHasNoRoom_releasesTheCharge() {
    AllocationBudget rich = AllocationBudget.root("rich", allocator, Long.MAX_VALUE);
    AllocationBudget child = rich.child("a", 100, Long.MAX_VALUE);
    assertThat(failure(child, (1 << 20) + 1).verdict()).isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
    assertThat(child.tryAllocate((1 << 20) + 1, 256)).isEmpty();
    assertThat(used(rich, child)).containsExactly(100L, 0L);
    assertThat(rich.account().peakBytes()).isEqualTo(100);
    assertThat(child.account().peakBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 254, Long.MAX_VALUE - 255})
  void allocate_moreThanTheMemory_doesNotOverflow(long bytes) {
    AllocationBudget rich = AllocationBudget.root("rich", allocator, Long.MAX_VALUE);
    AllocationBudget child = rich.child("a", Long.MAX_VALUE - 512, Long.MAX_VALUE);
    child.allocate(256);
    assertThat(failure(child, bytes).verdict()).isEqualTo(OutOfMemoryVerdict.LIMIT);
    assertThat(failure(rich, bytes).verdict()).isEqualTo(OutOfMemoryVerdict.LIMIT);
    assertThat(used(rich, child)).containsExactly(Long.MAX_VALUE - 512, 256L);
    AllocationBudget other = AllocationBudget.root("other", allocator, Long.MAX_VALUE);
    assertThat(failure(other, bytes).verdict()).isEqualTo(OutOfMemoryVerdict.DOES_NOT_FIT);
    assertThat(used(other)).containsExactly(0L);
  }

  // @throws IllegalArgumentException if bytes < 1
  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void allocate_noBytes_throwsAndChargesNothing(long bytes) {
    AllocationBudget empty = root.child("a", 0, 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> empty.allocate(bytes))
        .withMessage("bytes must be positive: bytes=" + bytes);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> root.tryAllocate(bytes, 256))
        .withMessage("bytes must be positive: bytes=" + bytes);
    assertThat(used(root, empty)).containsExactly(0L, 0L);
    assertThat(root.account().peakBytes()).isZero();
  }

  // @throws IllegalArgumentException if the alignment is no power of two
  @Test
  void allocate_alignmentNoPowerOfTwo_throwsAndChargesNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> root.allocate(1, 3))
        .withMessage("alignment must be a power of two: alignment=3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> root.tryAllocate(1, 0))
        .withMessage("alignment must be a power of two: alignment=0");
    assertThat(used(root)).containsExactly(0L);
    assertThat(root.account().peakBytes()).isZero();
  }

  @Test
  void allocate_deviceThrows_releasesTheCharge() {
    ScriptedRegions broken =
        ScriptedRegions.giving(bytes -> {
          throw new IllegalStateException("the device is gone");
        });
    AllocationBudget budget =
        AllocationBudget.root("job", new BfcAllocator("gpu", broken, BfcOptions.growing()), 4096);
    assertThatIllegalStateException()
        .isThrownBy(() -> budget.allocate(1))
        .withMessage("the device is gone");
    assertThatIllegalStateException()
        .isThrownBy(() -> budget.tryAllocate(1, 1))
        .withMessage("the device is gone");
    assertThat(used(budget)).containsExactly(0L);
    assertThat(budget.account().peakBytes()).isZero();
  }

  // @throws IllegalArgumentException unless 0 <= childReservedBytes <= childLimitBytes
  @Test
  void child_limitsThatMakeNoSense_throw() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> root.child("a", -1, 10))
        .withMessage(
            "account 'job/a' needs 0 <= reservedBytes <= limitBytes: reservedBytes=-1,"
                + " limitBytes=10");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> root.child("a", 11, 10))
        .withMessage(
            "account 'job/a' needs 0 <= reservedBytes <= limitBytes: reservedBytes=11,"
                + " limitBytes=10");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AllocationBudget.root("job", allocator, -1))
        .withMessage(
            "account 'job' needs 0 <= reservedBytes <= limitBytes: reservedBytes=0,"
                + " limitBytes=-1");
    root.close();
  }

  // Threads.

  /** Charges and releases race with children that come and go, at a limit that is often reached. */
  @Test
  void anyOperations_twoThreads_leaveNothingCharged() throws Exception {
    AllocationBudget shared = root.child("shared", 1024, 4096);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (long thread = 0; thread < 2; thread++) {
        Random random = new Random(thread);
        tasks.add(() -> LongStream.range(0, 5000).map(i -> use(shared, random)).sum());
      }
      for (Future<Long> answered : threads.invokeAll(tasks)) {
        assertThat(answered.get()).isPositive();
      }
    }
    assertThat(used(root, shared)).containsExactly(1024L, 0L);
    assertThat(root.account().peakBytes()).isBetween(1024L, 4096L);
    shared.close();
    root.close();
    assertThat(allocator.statistics().bytesInUse()).isZero();
  }

  private long use(AllocationBudget shared, Random random) {
    try (AllocationBudget request = shared.child("request", random.nextInt(1500), 2048)) {
      long answered = 0;
      List<Long> addresses = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        request.tryAllocate(1 + random.nextInt(1000), 256).ifPresent(addresses::add);
      }
      for (long address : addresses) {
        allocator.free(address);
        answered++;
      }
      return answered;
    } catch (BfcOutOfMemoryException e) {
      return 0;
    }
  }
}
