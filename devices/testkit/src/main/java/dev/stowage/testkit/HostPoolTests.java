package dev.stowage.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.pool.MemoryBlock;
import dev.stowage.memory.pool.MemoryPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Tests of pools with segments: of the device itself, and of its staging memory. */
abstract class HostPoolTests {

  private static final int BYTES = 100_000;

  abstract Device open();

  @Test
  void memoryPool_ofTheDevice_hasItsMemoryOrIsRejected() {
    try (Device device = open()) {
      if (device.isHostAddressable()) {
        checkSharedMemory(device);
      } else {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> MemoryPool.open("pool", device, BfcOptions.growing()))
            .withMessage(
                "pool 'pool' cannot have segments in the memory of device '%s', which the host cannot access; use a DevicePool, or MemoryPool.openStaging for host memory with fast copies",
                device.name());
      }
    }
  }

  /** The device reads and writes the bytes of segments. */
  private static void checkSharedMemory(Device device) {
    byte[] contents = Contents.bytes(1, BYTES);
    byte[] others = Contents.bytes(2, BYTES);
    try (MemoryPool pool = MemoryPool.open("pool", device, BfcOptions.growing());
        MemoryBlock block = pool.allocate(BYTES)) {
      MemorySegment segment = block.segment();
      assertThat(segment.mismatch(MemorySegment.ofArray(new byte[BYTES]))).isEqualTo(-1);
      segment.copyFrom(MemorySegment.ofArray(contents));
      byte[] read = new byte[BYTES];
      device.copyToHost(segment.address(), MemorySegment.ofArray(read));
      Contents.checkSame(read, contents);
      device.copyFromHost(MemorySegment.ofArray(others), segment.address());
      Contents.checkSame(Contents.read(segment), others);
    }
  }

  @Test
  void stagingPool_segments_areCopiedInStreams() {
    byte[] contents = Contents.bytes(3, BYTES);
    try (Device device = open();
        MemoryPool pool = MemoryPool.openStaging("staging", device, BfcOptions.growing());
        DeviceStream stream = device.openStream()) {
      long bytes = Math.max(BYTES, Contents.regionBytes(device));
      long address = device.allocate(bytes).orElseThrow();
      try (Arena arena = pool.openArena()) {
        MemorySegment source = arena.allocate(BYTES, 64);
        MemorySegment target = arena.allocate(BYTES, 64);
        source.copyFrom(MemorySegment.ofArray(contents));
        stream.copyFromHost(source, address);
        stream.copyToHost(address, target);
        stream.synchronize();
        Contents.checkSame(Contents.read(target), contents);
      }
      device.free(address, bytes);
      assertThat(pool.statistics().reservedBytes()).isPositive();
      pool.trim();
      assertThat(pool.statistics().reservedBytes()).isZero();
    }
  }

  @Test
  void stagingPool_closedAfterItsDevice_returnsItsMemory() {
    Device device = open();
    try (MemoryPool pool = MemoryPool.openStaging("staging", device, BfcOptions.growing());
        MemoryBlock block = pool.allocate(BYTES)) {
      device.close();
      assertThat(block.segment().fill((byte) 1).byteSize()).isEqualTo(BYTES);
    }
  }
}
