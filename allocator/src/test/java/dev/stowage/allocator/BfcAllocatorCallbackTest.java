package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each callback tries each operation of the allocator that calls it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BfcAllocatorCallbackTest {

  /** A call of foreign code by the allocator, and an operation that leads to it. */
  enum Callback {
    DEVICE_ALLOCATE("sub-allocator"),
    DEVICE_FREE("sub-allocator"),
    DEVICE_LENGTHEN("sub-allocator"),
    DEVICE_SHORTEN("sub-allocator"),
    VISITOR_ADDED("sub-allocator"),
    VISITOR_REMOVED("sub-allocator"),
    LISTENER_ALLOCATED("listener"),
    LISTENER_FREED("listener"),
    LISTENER_FAILED("listener");

    private final String caller;

    Callback(String caller) {
      this.caller = caller;
    }
  }

  enum Operation {
    ALLOCATE,
    ALLOCATE_ALIGNED,
    TRY_ALLOCATE,
    ALLOCATE_WAITING,
    ALLOCATE_CHARGED,
    TRY_ALLOCATE_CHARGED,
    FREE,
    FREE_WRONG,
    TRIM,
    CLOSE
  }

  static Stream<Arguments> all() {
    return Stream.of(Callback.values())
        .flatMap(callback ->
            Stream.of(Operation.values()).map(operation -> Arguments.of(callback, operation)));
  }

  /** An allocator whose callbacks run an action once, at one place. */
  private static final class Rig {

    private final AtomicReference<Runnable> action = new AtomicReference<>(() -> {});
    private final List<String> calls = new ArrayList<>();
    private final Callback place;
    private final BfcAllocator allocator;
    private final AllocationBudget budget;
    private final AllocationBudget otherBudget;
    private final long kept;
    private final long freed;

    Rig(Callback place) {
      this.place = place;
      allocator =
          new BfcAllocator(
              "gpu",
              new VisitedSubAllocator(device(), visitor()),
              BfcOptions.expandable().withLimit(1 << 20).withSplitThreshold(1),
              listener());
      budget = AllocationBudget.root("one", allocator, 1 << 20);
      otherBudget = budget.child("two", 0, 1 << 20);
      kept = budget.allocate(1024);
      freed = allocator.allocate(2048);
    }

    private void at(Callback where) {
      calls.add(where.name());
      if (where == place) {
        action.getAndSet(() -> {}).run();
      }
    }

    private SubAllocator device() {
      ScriptedRegions device = ScriptedRegions.ascending().resizing();
      return new SubAllocator() {
        @Override
        public OptionalLong allocate(long bytes) {
          at(Callback.DEVICE_ALLOCATE);
          return device.allocate(bytes);
        }

        @Override
        public void free(long address, long bytes) {
          at(Callback.DEVICE_FREE);
          device.free(address, bytes);
        }

        @Override
        public boolean resize(long address, long bytes, long newBytes) {
          at(newBytes > bytes ? Callback.DEVICE_LENGTHEN : Callback.DEVICE_SHORTEN);
          return device.resize(address, bytes, newBytes);
        }
      };
    }

    private RegionVisitor visitor() {
      return new RegionVisitor() {
        @Override
        public void added(long address, long bytes) {
          at(Callback.VISITOR_ADDED);
        }

        @Override
        public void removed(long address, long bytes) {
          at(Callback.VISITOR_REMOVED);
        }
      };
    }

    private AllocationListener listener() {
      return new AllocationListener() {
        @Override
        public void allocated(Allocation allocation) {
          at(Callback.LISTENER_ALLOCATED);
        }

        @Override
        public void freed(long id) {
          at(Callback.LISTENER_FREED);
        }

        @Override
        public void failed(long bytes) {
          at(Callback.LISTENER_FAILED);
        }
      };
    }

    /** Runs operations that lead to all callbacks, up to the first failure. */
    void lead() {
      allocator.allocate(4096);
      allocator.free(freed);
      allocator.tryAllocate(2 << 20, 256);
      long end = allocator.allocate(8192);
      allocator.free(end);
      allocator.trim();
      allocator.free(kept);
      allocator.allocations().forEach(allocation -> allocator.free(allocation.address()));
      allocator.trim();
      allocator.allocate(256);
    }

    void run(Operation operation) {
      switch (operation) {
        case ALLOCATE -> allocator.allocate(256);
        case ALLOCATE_ALIGNED -> allocator.allocate(256, 4096);
        case TRY_ALLOCATE -> allocator.tryAllocate(256, 256);
        case ALLOCATE_WAITING -> waiting();
        case ALLOCATE_CHARGED -> budget.allocate(256);
        case TRY_ALLOCATE_CHARGED -> budget.tryAllocate(256, 256);
        case FREE -> allocator.free(kept);
        case FREE_WRONG -> allocator.free(1);
        case TRIM -> allocator.trim();
        case CLOSE -> allocator.close();
      }
    }

    private void waiting() {
      try {
        allocator.allocateOrWait(256, 256, Duration.ofDays(1));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    /** {@return everything that can be read from the allocator} */
    String state() {
      allocator.internals().checkInvariants();
      return String.join(
          "\n",
          allocator.statistics().toString(),
          allocator.regions().toString(),
          allocator.allocations().toString(),
          calls.toString(),
          budget.account().usedBytes()
              + " of one, "
              + otherBudget.account().usedBytes()
              + " of two");
    }
  }

  private static void assertRefused(Rig rig, Operation operation) {
    assertThatIllegalStateException()
        .isThrownBy(() -> rig.run(operation))
        .withMessage(
            "the %s of allocator 'gpu' must not call it; call the allocator after the callback has returned",
            rig.place.caller);
  }

  @ParameterizedTest
  @MethodSource("all")
  void callback_callsTheAllocatorAndCatchesTheRefusal_changesNothing(
      Callback callback, Operation operation) {
    Rig rig = new Rig(callback);
    Rig quiet = new Rig(callback);
    rig.action.set(() -> {
      String before = rig.state();
      assertRefused(rig, operation);
      assertThat(rig.state()).isEqualTo(before);
    });
    rig.lead();
    quiet.lead();
    assertThat(rig.calls).contains(callback.name());
    assertThat(rig.state()).isEqualTo(quiet.state());
    rig.allocator.close();
  }

  @ParameterizedTest
  @MethodSource("all")
  void callback_callsTheAllocatorAndLetsTheRefusalPass_isAsIfItHadThrown(
      Callback callback, Operation operation) {
    Rig rig = new Rig(callback);
    Rig throwing = new Rig(callback);
    rig.action.set(() -> rig.run(operation));
    throwing.action.set(() -> {
      throw new IllegalStateException("mine");
    });
    assertThat(catchThrowable(rig::lead))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the %s of allocator 'gpu' must not call it; call the allocator after the callback has returned",
            callback.caller);
    assertThat(catchThrowable(throwing::lead)).hasMessage("mine");
    assertThat(rig.state()).isEqualTo(throwing.state());
    // Allowed again:
    rig.allocator.free(rig.allocator.allocate(256));
    rig.allocator.close();
  }

  @ParameterizedTest
  @MethodSource("all")
  void callback_ofAnotherAllocator_callsThisOneAsUsual(Callback callback, Operation operation) {
    Rig other = new Rig(callback);
    Rig rig = new Rig(callback);
    other.action.set(() -> {
      if (operation == Operation.FREE_WRONG) {
        assertThatIllegalStateException()
            .isThrownBy(() -> rig.run(operation))
            .withMessageContaining("nothing to free at 1");
      } else {
        rig.run(operation);
      }
    });
    other.lead();
    other.allocator.internals().checkInvariants();
    rig.allocator.internals().checkInvariants();
  }

  /** A callback may read, and other threads wait for it. */
  @Test
  void otherThread_allocatesDuringACallback_waitsAndSucceeds() throws Exception {
    Rig rig = new Rig(Callback.DEVICE_ALLOCATE);
    AtomicReference<FutureTask<Long>> other = new AtomicReference<>();
    rig.allocator.free(rig.kept);
    rig.allocator.free(rig.freed);
    rig.allocator.trim();
    rig.action.set(() -> {
      FutureTask<Long> task = new FutureTask<>(() -> rig.allocator.allocate(512));
      other.set(task);
      Thread thread = Thread.ofPlatform().daemon().start(task);
      while (thread.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      assertThat(task.isDone()).isFalse();
      assertThat(rig.allocator.statistics().bytesInUse()).isZero();
    });
    rig.allocator.allocate(256);
    rig.allocator.free(other.get().get());
    assertThat(rig.allocator.statistics().bytesInUse()).isEqualTo(256);
    rig.allocator.internals().checkInvariants();
  }
}
