package dev.stowage.cuda;

import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;

/** A check of the order of queued copies on two streams. */
final class QueuedOrder {

  private static final int COPY_COUNT = 32;

  private QueuedOrder() {}

  /**
   * {@return a sentence on the copies that passed}
   *
   * <p>Two streams take turns. Each waits for the other one, copies the last block to the next, and
   * overwrites the block before, which the other stream has just read. Without the order, a block
   * has other bytes at the end.
   *
   * @throws AssertionError if a block has wrong bytes
   */
  static String check(CudaDevice device, int blockBytes) {
    long bytes = (long) blockBytes * (COPY_COUNT + 1);
    long address = device.allocate(bytes).orElseThrow();
    try (DeviceStream first = device.openStream();
        DeviceStream second = device.openStream()) {
      device.fill(address, bytes, (byte) 0);
      first.fill(address, blockBytes, (byte) 77);
      DeviceStream[] streams = {first, second};
      for (int i = 0; i < COPY_COUNT; i++) {
        long block = address + (long) i * blockBytes;
        streams[i % 2].copy(block, block + blockBytes, blockBytes);
        streams[i % 2].fill(block, blockBytes, (byte) i);
        try (DeviceEvent event = streams[i % 2].record()) {
          streams[1 - i % 2].waitFor(event);
        }
      }
      first.synchronize();
      second.synchronize();
      for (int i = 0; i <= COPY_COUNT; i++) {
        byte[] read = new byte[blockBytes];
        device.copyToHost(address + (long) i * blockBytes, MemorySegment.ofArray(read));
        byte[] expected = new byte[blockBytes];
        Arrays.fill(expected, i == COPY_COUNT ? (byte) 77 : (byte) i);
        if (!Arrays.equals(read, expected)) {
          throw new AssertionError("queued copies were out of order: block=" + i);
        }
      }
    } finally {
      device.free(address, bytes);
    }
    return String.format(
        Locale.ROOT,
        "%d queued copies of %,d bytes on two streams were in order.%n",
        COPY_COUNT,
        blockBytes);
  }
}
