package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testing.Seeds;
import dev.stowage.testkit.SimulatedDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes after the end of an allocation of a device are found when it is freed, and by checks. */
class DeviceOverrunTest {

  private static final DevicePoolOptions DEBUGGING = DevicePoolOptions.standard().withDebugging();

  private final SimulatedDevice device = new SimulatedDevice("gpu", 4 << 20);
  private final DevicePool pool =
      DevicePool.open("pool", device, BfcOptions.growing().withFirstRegion(4096), DEBUGGING);

  private final DeviceStream stream = device.openStream();

  @AfterEach
  void nothingIsLeft() {
    stream.close();
    pool.close();
    device.close();
  }

  private void write(long address, long offset) {
    device.fill(address + offset, 1, (byte) 7);
  }

  @Test
  void free_writtenAfterItsEnd_namesTheAllocationAndFreesIt() {
    long address = AllocationTag.of("layer1").call(() -> pool.allocate(1000, stream));
    write(address, 1003);
    assertThatIllegalStateException()
        .isThrownBy(() -> pool.free(address))
        .withMessage(
            "pool 'pool': memory after the end of an allocation was written to: at 0x%x, offset 1003 of allocation 1 'layer1' of 1000 bytes, is 07 FD FD FD FD FD FD FD instead of FD",
            address + 1003);
    assertThat(pool.statistics().bytesInUse()).isZero();
    pool.checkSlack();
    pool.checkInvariants();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 16, 240, 241, 255, 256, 1024, 4096, 100_000})
  void free_writtenRightAfterItsEnd_isFoundForEverySize(long bytes) {
    for (int offset : new int[] {0, 15}) {
      long address = pool.allocate(bytes, stream);
      write(address, bytes + offset);
      assertThatIllegalStateException()
          .isThrownBy(() -> pool.free(address))
          .withMessageContaining("offset " + (bytes + offset) + " of allocation ")
          .withMessageContaining(" of " + bytes + " bytes, is 07");
    }
  }

  @Test
  void checkSlack_writtenAfterTheEndOfLiveMemory_isReportedOnce() {
    long address = pool.allocate(10, stream);
    write(address, 11);
    assertThatIllegalStateException().isThrownBy(pool::checkSlack);
    pool.checkSlack();
    pool.free(address);
  }

  @Test
  void checkSlack_notInDebugMode_namesTheOption() {
    try (DevicePool fast = DevicePool.open("fast", device, BfcOptions.growing())) {
      assertThatIllegalStateException()
          .isThrownBy(fast::checkSlack)
          .withMessage(
              "pool 'fast' does not check slack: open it with DevicePoolOptions.withDebugging()");
    }
  }

  @Test
  void close_writtenAfterTheEndInAPrivatePool_changesNothing() throws Exception {
    DevicePool graph = pool.openPrivatePool("graph", BfcOptions.growing().withFirstRegion(4096));
    for (int i = 0; i < 2; i++) {
      long address = graph.allocate(1000, stream);
      write(address, 1000);
      String message =
          "pool 'pool/graph': memory after the end of an allocation was written to: at";
      if (i == 0) {
        assertThatIllegalStateException().isThrownBy(pool::close).withMessageStartingWith(message);
      } else {
        assertThatIllegalStateException()
            .isThrownBy(() -> pool.closeWithin(Duration.ZERO))
            .withMessageStartingWith(message);
      }
      graph.free(address);
      pool.free(pool.allocate(10, stream));
    }
    long leaked = graph.allocate(10, stream);
    assertThat(pool.closeWithin(Duration.ZERO).isClosed()).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> graph.free(leaked));
    graph.close();
  }

  @Test
  void allocate_fillFails_leavesNothing() {
    long first = pool.allocate(10, stream);
    device.failAt(1); // the fill
    assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> pool.allocate(10, stream));
    assertThat(pool.allocations()).hasSize(1);
    device.failAt(1); // the copy of the slack
    assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> pool.free(first));
    assertThat(pool.allocations()).isEmpty();
    pool.checkInvariants();
  }

  @Test
  void allocate_zeroBytes_isRejectedAsWithoutDebugging() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.allocate(PoolRequest.of(0), stream))
        .withMessage("bytes must be positive: bytes=0");
  }

  static LongStream seeds() {
    return Seeds.of(100);
  }

  private record Live(long address, long bytes, boolean isOverrun) {}

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_exactlyTheOverrunsAreFound(long seed) {
    Random random = new Random(seed);
    List<Live> live = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      if (live.size() < 20 && random.nextInt(100) < 60) {
        long bytes = 1 + random.nextLong(1L << (1 + random.nextInt(13)));
        long address = pool.allocate(bytes, stream);
        device.fill(address, bytes, (byte) random.nextInt()); // changes no slack of others
        boolean isOverrun = random.nextInt(5) == 0;
        if (isOverrun) {
          write(address, bytes + random.nextInt(16));
        }
        live.add(new Live(address, bytes, isOverrun));
      } else if (!live.isEmpty()) {
        Live freed = live.remove(random.nextInt(live.size()));
        DeviceStream[] users =
            random.nextBoolean() ? new DeviceStream[0] : new DeviceStream[] {stream};
        boolean isFound = false;
        try {
          pool.free(freed.address(), users);
          pool.queuedBytes(); // frees it, since the simulated work is done
          pool.free(pool.allocate(1, stream)); // reports it
        } catch (IllegalStateException found) {
          isFound = true;
          assertThat(found).hasMessageContaining(" of " + freed.bytes() + " bytes, is 07");
        }
        assertThat(isFound).isEqualTo(freed.isOverrun());
      }
      pool.checkInvariants();
    }
    for (Live each : live) {
      if (each.isOverrun()) {
        assertThatIllegalStateException().isThrownBy(() -> pool.free(each.address()));
      } else {
        pool.free(each.address());
      }
    }
  }
}
