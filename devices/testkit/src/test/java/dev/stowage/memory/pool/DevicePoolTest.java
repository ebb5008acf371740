package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.synced.SyncedMemory;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Allocations and frees of memory that queued work still uses, and the wait for that work. */
class DevicePoolTest {

  private final Arena arena = Arena.ofShared();
  private final SimulatedDevice device = new SimulatedDevice("simulated", 1 << 20);

  @AfterEach
  void end() {
    arena.close();
  }

  private MemorySegment bytes(int value) {
    return arena.allocate(4096).fill((byte) value);
  }

  private static byte first(MemorySegment segment) {
    return segment.get(ValueLayout.JAVA_BYTE, 0);
  }

  @Test
  void allocate_freedOnTheSameStream_isTheSameMemoryAtOnce() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      long address = pool.allocate(4096, stream);
      MemorySegment result = bytes(0);
      stream.copyFromHost(bytes(1), address);
      stream.copyToHost(address, result);
      pool.free(address, stream);
      assertThat(pool.queuedBytes()).isEqualTo(4096);

      assertThat(pool.allocate(4096, stream)).isEqualTo(address);
      assertThat(pool.queuedBytes()).isZero();
      stream.fill(address, 4096, (byte) 2);
      stream.synchronize();
      assertThat(first(result)).isEqualTo((byte) 1);
      pool.free(address, stream);
    }
    device.close();
  }

  @Test
  void allocate_withoutAStream_takesNoMemoryOfQueuedWork() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      long scratch = pool.allocate(4096, stream);
      stream.fill(scratch, 4096, (byte) 1);
      pool.free(scratch, stream);

      long elsewhere = pool.allocate(4096);
      assertThat(elsewhere).isNotEqualTo(scratch);
      assertThat(pool.allocate(4096, stream)).isEqualTo(scratch);
      pool.free(scratch);
      pool.free(elsewhere);
    }
    device.close();
  }

  @Test
  void limit_ofAPool_isThatOfBuffersAndOfQueuedWork() {
    try (DevicePool pool =
            DevicePool.open("pool", device, BfcOptions.expandable().withLimit(8192));
        DeviceStream stream = device.openStream();
        SyncedMemory weights = SyncedMemory.of("weights", 4096, pool)) {
      long scratch = pool.allocate(8192, stream);
      stream.fill(scratch, 8192, (byte) 1);
      pool.free(scratch, stream);
      weights.gpuData(); // waits for the work
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocate(4352, stream))
          .withMessageContaining("'weights' holds 4 KiB in 1 allocation.");
    }
    device.close();
  }

  @Test
  void allocate_kernelsNeedMoreThanTheAllocator_isAlignedForThem() {
    SimulatedDevice wide = new SimulatedDevice("wide", 1 << 20, 512);
    try (DevicePool pool = DevicePool.open("pool", wide, BfcOptions.oneRegion(1024));
        DeviceStream stream = wide.openStream();
        DeviceStream other = wide.openStream()) {
      long first = pool.allocate(256, stream);
      long second = pool.allocate(256, stream);
      assertThat(first % 512).isZero();
      assertThat(second).isEqualTo(first + 512);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocate(512, stream))
          .withMessageContaining(": 512 bytes requested.");
      pool.free(second, stream);
      assertThat(pool.allocate(512, other)).isEqualTo(second); // when the first stream is done
    }
    try (DevicePool whole = DevicePool.open("whole", wide, BfcOptions.growing().withLimit(4096));
        DeviceStream stream = wide.openStream()) {
      whole.allocate(4096, stream); // nothing is set aside for an alignment that regions have
    }
    wide.close();
  }

  @Test
  void allocate_freedOnAnotherStream_isOtherMemoryUntilThatIsDone() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream slow = device.openStream();
        DeviceStream fast = device.openStream()) {
      long address = pool.allocate(4096, slow);
      MemorySegment result = bytes(0);
      slow.copyFromHost(bytes(1), address);
      slow.copyToHost(address, result);
      pool.free(address, slow);

      long other = pool.allocate(4096, fast);
      assertThat(other).isNotEqualTo(address);
      fast.fill(other, 4096, (byte) 2);
      fast.synchronize();
      slow.synchronize();
      assertThat(first(result)).isEqualTo((byte) 1);

      assertThat(pool.allocate(4096, fast)).isEqualTo(address);
    }
  }

  @Test
  void allocate_noRoomButQueuedWork_waitsForIt() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.oneRegion(4096));
        DeviceStream slow = device.openStream();
        DeviceStream fast = device.openStream()) {
      long address = pool.allocate(4096, slow);
      MemorySegment result = bytes(0);
      slow.copyFromHost(bytes(1), address);
      slow.copyToHost(address, result);
      pool.free(address, slow);

      assertThat(pool.allocate(4096, fast)).isEqualTo(address);
      assertThat(first(result)).isEqualTo((byte) 1);
      assertThatExceptionOfType(BfcOutOfMemoryException.class)
          .isThrownBy(() -> pool.allocate(256, fast));
    }
  }

  @Test
  void free_usedByTwoStreams_waitsForBoth() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream one = device.openStream();
        DeviceStream two = device.openStream()) {
      long address = pool.allocate(4096, one);
      one.fill(address, 4096, (byte) 1);
      two.waitFor(one.record());
      two.copyToHost(address, bytes(0));
      pool.free(address, one, two);

      // Not even to one of them: the other may not have read it.
      assertThat(pool.allocate(4096, one)).isNotEqualTo(address);
      one.synchronize();
      assertThat(pool.queuedBytes()).isEqualTo(4096);
      two.synchronize();
      assertThat(pool.queuedBytes()).isZero();
    }
  }

  @Test
  void free_withoutStreams_isReusableAtOnce() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      long address = pool.allocate(4096, stream);
      pool.free(address);
      assertThat(pool.statistics().bytesInUse()).isZero();
      assertThat(pool.trim().bytes()).isEqualTo(4096);
    }
  }

  // @throws IllegalStateException if nothing is in use at address
  @Test
  void free_twice_throws() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      long address = pool.allocate(4096, stream);
      stream.fill(address, 4096, (byte) 1);
      pool.free(address, stream);
      for (DeviceStream[] users : new DeviceStream[][] {{stream}, {}}) {
        assertThatIllegalStateException()
            .isThrownBy(() -> pool.free(address, users))
            .withMessage(
                "the memory at 0x100000000000000 is already freed, and queued work still uses it");
      }
      stream.synchronize();
      assertThat(pool.queuedBytes()).isZero();
      assertThatIllegalStateException()
          .isThrownBy(() -> pool.free(address, stream))
          .withMessageContaining("nothing to free");
    }
  }

  // @throws IllegalArgumentException if a stream is of another device
  @Test
  void allocate_streamOfAnotherDevice_throws() {
    try (HostMemory host = HostMemory.open();
        DeviceStream foreign = host.openStream();
        DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      String message = "a stream of device 'host' cannot use memory of device 'simulated'";
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pool.allocate(256, foreign))
          .withMessage(message);
      long address = pool.allocate(256, stream);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> pool.free(address, foreign))
          .withMessage(message);
    }
  }

  @Test
  void allocate_noRoomBeforeWorkThatFails_succeedsAndTheStreamThrows() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.oneRegion(4096));
        DeviceStream first = device.openStream();
        DeviceStream second = device.openStream()) {
      long address = pool.allocate(4096, first);
      first.fill(address, 4096, (byte) 1);
      pool.free(address, first);
      device.failAt(1);
      assertThat(pool.allocate(4096, second)).isEqualTo(address);
      assertThatExceptionOfType(DeviceException.class).isThrownBy(first::synchronize);
    }
  }

  @Test
  void allocate_smallAgainOnItsStream_isTheSameChunk() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      for (long bytes : new long[] {1, 100, 127, 128, 129, 255, 256}) {
        long address = pool.allocate(bytes, stream);
        stream.fill(address, bytes, (byte) 1);
        pool.free(address, stream);
        assertThat(pool.allocate(bytes, stream)).isEqualTo(address);
        pool.free(address);
      }
    }
  }

  @Test
  void free_withAStreamTwice_waitsForIt() {
    try (DevicePool pool = DevicePool.open("pool", device, BfcOptions.expandable());
        DeviceStream stream = device.openStream()) {
      long address = pool.allocate(4096, stream);
      stream.fill(address, 4096, (byte) 1);
      pool.free(address, stream, stream);
      assertThat(pool.allocate(4096, stream)).isEqualTo(address);
    }
  }
}
