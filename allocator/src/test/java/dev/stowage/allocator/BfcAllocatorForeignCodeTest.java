package dev.stowage.allocator;

import static dev.stowage.allocator.WaitingRequest.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices and listeners that throw or call back, also if they are called for a waiting request. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BfcAllocatorForeignCodeTest {

  private static final long MIB = 1 << 20;

  private static UncheckedIOException broken() {
    return new UncheckedIOException(new java.io.IOException("broken"));
  }

  private static BfcAllocator listened(RecordingListener listener) {
    return new BfcAllocator(
        "gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(256), listener);
  }

  // Devices.

  @Test
  void free_deviceThrowsForAWaitingRequest_onlyThatRequestFails() throws Exception {
    AtomicBoolean isBroken = new AtomicBoolean();
    AtomicBoolean isFull = new AtomicBoolean();
    ScriptedRegions device =
        ScriptedRegions.giving(bytes -> {
          if (isBroken.get()) {
            throw broken();
          }
          return bytes <= MIB && !isFull.get();
        });
    BfcAllocator allocator = new BfcAllocator("gpu", device, BfcOptions.expandable());
    long[] held = {allocator.allocate(MIB), allocator.allocate(MIB), allocator.allocate(MIB)};
    isFull.set(true);
    // The device has refused 2 MiB, and now throws. The first request would get the exception
    // itself.
    WaitingRequest first = waiting(allocator, 2 * MIB);
    WaitingRequest second = waiting(allocator, MIB);
    WaitingRequest third = waiting(allocator, 2 * MIB);
    isBroken.set(true);
    allocator.free(held[1]);
    assertThat(first.failure()).isInstanceOf(UncheckedIOException.class);
    assertThat(second.address()).isEqualTo(held[1]);
    assertThat(third.failure()).isInstanceOf(UncheckedIOException.class);
    assertThat(allocator.waitingRequests()).isZero();
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(3 * MIB);
    allocator.internals().checkInvariants();
  }

  /** A device that provides regions and does not take them back. */
  private static final class ThrowsWhereMemoryComesBack implements SubAllocator {

    @Override
    public OptionalLong allocate(long bytes) {
      return OptionalLong.of(1 << 30);
    }

    @Override
    public void free(long address, long bytes) {
      throw broken();
    }

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      throw broken();
    }
  }

  @Test
  void free_deviceThrowsWhenTheEndIsTrimmed_isDoneAndServesWaiters() throws Exception {
    BfcAllocator allocator =
        new BfcAllocator(
            "gpu",
            new ThrowsWhereMemoryComesBack(),
            BfcOptions.expandable().withLimit(1024).withTrimThreshold(256).withSplitThreshold(1));
    long address = allocator.allocate(1024);
    WaitingRequest request = waiting(allocator, 256);
    assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> allocator.free(address));
    assertThat(request.address()).isEqualTo(address);
    assertThat(allocator.statistics().bytesInUse()).isEqualTo(256);
    allocator.internals().checkInvariants();
  }

  // Listeners.

  @Test
  void reuse_listenerThrows_takesNothing() {
    List<String> throwing = new ArrayList<>();
    RecordingListener listener =
        RecordingListener.onBoth(event -> {
          if (throwing.contains(event)) {
            throw broken();
          }
        });
    BfcAllocator allocator = listened(listener);
    AllocationBudget budget = AllocationBudget.root("budget", allocator, 1 << 20);
    for (String event : List.of("freed", "allocated")) {
      long address = budget.allocate(200);
      throwing.add(event);
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(() -> budget.tryReuse(address, 100));
      throwing.clear();
      assertThat(allocator.allocations()).isEmpty();
      assertThat(budget.account().usedBytes()).isZero();
      allocator.internals().checkInvariants();
    }
  }

  @Test
  void allocate_listenerThrows_takesNothing() {
    RecordingListener listener =
        RecordingListener.onAllocated(allocation -> {
          throw broken();
        });
    BfcAllocator allocator = listened(listener);
    AllocationBudget budget = AllocationBudget.root("all", allocator, 256);
    for (int i = 0; i < 2; i++) {
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(() -> allocator.allocate(100));
      assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> budget.allocate(100));
    }
    assertThat(allocator.statistics().bytesInUse()).isZero();
    assertThat(budget.account().usedBytes()).isZero();
    assertThat(listener.heard())
        .containsExactly("allocated 1", "allocated 2", "allocated 3", "allocated 4");
    allocator.internals().checkInvariants();
  }

  @Test
  void free_listenerThrowsForAWaitingRequest_onlyThatRequestFails() throws Exception {
    RecordingListener listener =
        RecordingListener.onAllocated(allocation -> {
          if (allocation.id() == 2) {
            throw broken();
          }
        });
    BfcAllocator allocator = listened(listener);
    long address = allocator.allocate(256);
    WaitingRequest first = waiting(allocator, 256);
    WaitingRequest second = waiting(allocator, 256);
    allocator.free(address);
    assertThat(first.failure()).isInstanceOf(UncheckedIOException.class);
    assertThat(second.address()).isEqualTo(address);
    assertThat(listener.heard())
        .containsExactly("allocated 1", "freed 1", "allocated 2", "allocated 3");
    allocator.internals().checkInvariants();
  }

  @Test
  void free_listenerThrows_isDoneAndServesWaiters() throws Exception {
    BfcAllocator allocator =
        listened(
            RecordingListener.onFreed(id -> {
              throw broken();
            }));
    AllocationBudget budget = AllocationBudget.root("all", allocator, 256);
    long address = budget.allocate(256);
    WaitingRequest request = waiting(allocator, 256);
    assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> allocator.free(address));
    assertThat(budget.account().usedBytes()).isZero();
    assertThat(request.address()).isEqualTo(address);
    allocator.internals().checkInvariants();
  }

  @Test
  void listener_callsTheAllocator_isRefusedAndNothingHappens() throws Exception {
    AtomicReference<Runnable> call = new AtomicReference<>(() -> {});
    BfcAllocator allocator =
        listened(RecordingListener.onAllocated(allocation -> call.get().run()));
    long address = allocator.allocate(256);
    WaitingRequest first = waiting(allocator, 256);
    WaitingRequest second = waiting(allocator, 256);
    call.set(() -> {
      call.set(() -> {});
      for (Runnable back :
          new Runnable[] {
            () -> allocator.free(address),
            () -> allocator.allocate(1),
            () -> allocator.tryAllocate(1, 1),
            allocator::trim,
            allocator::close
          }) {
        assertThatIllegalStateException()
            .isThrownBy(back::run)
            .withMessage(
                "the listener of allocator 'gpu' must not call it; call the allocator after the callback has returned");
      }
      // Not caught:
      allocator.free(address);
    });
    allocator.free(address);
    assertThat(first.failure())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the listener of allocator 'gpu' must not call it; call the allocator after the callback has returned");
    assertThat(second.address()).isEqualTo(address);
    allocator.free(address);
    assertThat(allocator.statistics().bytesInUse()).isZero();
    allocator.internals().checkInvariants();
  }

  // Devices that break their contract, and visitors.

  /** A device that provides given addresses, and records the regions that come back. */
  private static final class Giving implements SubAllocator {

    private final Deque<Long> addresses = new ArrayDeque<>();
    private final List<Long> takenBack = new ArrayList<>();
    private boolean throwsOnce;

    Giving(long... addresses) {
      LongStream.of(addresses).forEach(this.addresses::add);
    }

    @Override
    public OptionalLong allocate(long bytes) {
      return addresses.isEmpty() ? OptionalLong.empty() : OptionalLong.of(addresses.remove());
    }

    @Override
    public void free(long address, long bytes) {
      if (throwsOnce) {
        throwsOnce = false;
        throw broken();
      }
      takenBack.add(address);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4 * MIB, 4 * MIB + 256, 5 * MIB - 256, 2 * MIB + 256})
  void allocate_deviceReturnsAHeldRegion_isAnErrorAndChangesNothing(long second) {
    BfcAllocator allocator =
        new BfcAllocator("gpu", new Giving(4 * MIB, second), BfcOptions.growing());
    long address = allocator.allocate(MIB);
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.allocate(MIB))
        .withMessage(
            "the sub-allocator of 'gpu' returned a region of 2097152 bytes at %s, which overlaps the one of 1048576 bytes at 4194304",
            second);
    allocator.internals().checkInvariants();
    allocator.free(address);
    allocator.internals().checkInvariants();
    allocator.close();
  }

  @Test
  void allocate_regionsSideBySide_isNoOverlap() {
    BfcAllocator allocator =
        new BfcAllocator("gpu", new Giving(4 * MIB, 2 * MIB, 5 * MIB), BfcOptions.growing());
    for (int i = 0; i < 3; i++) {
      allocator.allocate(MIB << i);
    }
    allocator.internals().checkInvariants();
  }

  @Test
  void free_insideARegionAtTheLargestAddresses_describesTheChunk() {
    BfcAllocator allocator =
        new BfcAllocator("gpu", new Giving(Long.MAX_VALUE - MIB + 1), BfcOptions.growing());
    allocator.allocate(MIB / 4);
    assertThatIllegalStateException()
        .isThrownBy(() -> allocator.free(Long.MAX_VALUE))
        .withMessageContaining("nothing to free at 9223372036854775807: already free, inside");
    allocator.internals().checkInvariants();
  }

  @Test
  void close_deviceThrowsForARegion_givesTheOthersBackAndThatOneWhenAskedAgain() {
    Giving device = new Giving(0, 4 * MIB, 8 * MIB);
    BfcAllocator allocator = new BfcAllocator("gpu", device, BfcOptions.growing());
    for (int i = 0; i < 3; i++) {
      allocator.free(allocator.allocate(MIB << i));
    }
    device.throwsOnce = true;
    assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(allocator::close);
    assertThat(device.takenBack).containsExactly(4 * MIB, 8 * MIB);
    assertThat(allocator.statistics().reservedBytes()).isEqualTo(MIB);
    allocator.internals().checkInvariants();
    allocator.close();
    allocator.close();
    assertThat(device.takenBack).containsExactly(4 * MIB, 8 * MIB, 0L);
    assertThat(allocator.statistics().reservedBytes()).isZero();
    allocator.internals().checkInvariants();
  }

  @Test
  void trim_deviceThrowsForARegion_keepsItForUse() {
    Giving device = new Giving(0, 4 * MIB);
    BfcAllocator allocator = new BfcAllocator("gpu", device, BfcOptions.growing());
    long[] addresses = {allocator.allocate(MIB), allocator.allocate(2 * MIB)};
    allocator.free(addresses[0]);
    allocator.free(addresses[1]);
    device.throwsOnce = true;
    assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(allocator::trim);
    assertThat(device.takenBack).containsExactly(0L);
    allocator.internals().checkInvariants();
    assertThat(allocator.allocate(2 * MIB)).isEqualTo(4 * MIB);
    allocator.free(4 * MIB);
    assertThat(allocator.trim().bytes()).isEqualTo(2 * MIB);
    assertThat(device.takenBack).containsExactly(0L, 4 * MIB);
  }

  @Test
  void allocate_visitorThrows_givesTheRegionBack() {
    Giving device = new Giving(0, 4 * MIB);
    BfcAllocator allocator =
        new BfcAllocator(
            "gpu", new VisitedSubAllocator(device, new Throwing(true)), BfcOptions.growing());
    assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> allocator.allocate(MIB));
    assertThat(device.takenBack).containsExactly(0L);
    assertThat(allocator.statistics().reservedBytes()).isZero();
  }

  @Test
  void close_visitorThrows_keepsTheRegionThatIsInItsCareStill() {
    Giving device = new Giving(0);
    BfcAllocator allocator =
        new BfcAllocator(
            "gpu", new VisitedSubAllocator(device, new Throwing(false)), BfcOptions.growing());
    allocator.free(allocator.allocate(MIB));
    assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(allocator::close);
    assertThat(device.takenBack).isEmpty();
    assertThat(allocator.statistics().reservedBytes()).isEqualTo(MIB);
  }

  @Test
  void visitor_deviceThrowsWhereMemoryComesBack_seesItAgain() {
    List<String> seen = new ArrayList<>();
    SubAllocator visited =
        new VisitedSubAllocator(
            new ThrowsWhereMemoryComesBack(),
            new RegionVisitor() {
              @Override
              public void added(long address, long bytes) {
                seen.add("+" + bytes);
              }

              @Override
              public void removed(long address, long bytes) {
                seen.add("-" + bytes);
              }
            });
    long address = visited.allocate(1024).orElseThrow();
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> visited.resize(address, 1024, 256));
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> visited.free(address, 1024));
    assertThat(seen).containsExactly("+1024", "-768", "+768", "-1024", "+1024");
  }

  private record Throwing(boolean isOfAdded) implements RegionVisitor {

    @Override
    public void added(long address, long bytes) {
      if (isOfAdded) {
        throw broken();
      }
    }

    @Override
    public void removed(long address, long bytes) {
      throw broken();
    }
  }
}
