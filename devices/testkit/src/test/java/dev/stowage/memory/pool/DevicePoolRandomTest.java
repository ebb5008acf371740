package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testing.Seeds;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Buffers on several streams that are written, read and freed while all of that is queued. */
class DevicePoolRandomTest {

  private final Arena arena = Arena.ofShared();
  private final SimulatedDevice device = new SimulatedDevice("simulated", 1 << 20);

  @AfterEach
  void end() {
    arena.close();
  }

  static LongStream seeds() {
    return Seeds.of(200);
  }

  /** Every buffer is written, read back later by its stream, and freed before either happened. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOrderOfWork_manyStreams_readsMatchTheWrites(long seed) throws Exception {
    Random random = new Random(seed);
    List<MemorySegment> results = new ArrayList<>();
    List<Byte> expected = new ArrayList<>();
    List<DeviceStream> streams = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      streams.add(device.openStream());
    }
    BfcOptions options =
        random.nextBoolean() ? BfcOptions.expandable() : BfcOptions.oneRegion(64 << 10);
    try (DevicePool pool = DevicePool.open("pool", device, options.withSplitThreshold(256))) {
      for (int step = 0; step < 200; step++) {
        DeviceStream stream = streams.get(random.nextInt(4));
        byte value = (byte) random.nextInt();
        MemorySegment result = arena.allocate(1 + random.nextInt(8000));
        long address = pool.allocate(result.byteSize(), stream);
        stream.fill(address, result.byteSize(), value);
        stream.copyToHost(address, result);
        pool.free(address, stream);
        pool.checkInvariants();
        results.add(result);
        expected.add(value);
        for (int k = random.nextInt(4); k > 0; k--) {
          device.runNext();
        }
        if (random.nextInt(10) == 0) {
          streams.get(random.nextInt(4)).synchronize();
        }
      }
      assertThat(pool.closeWithin(Duration.ofDays(1)).isClosed()).isTrue();
    }
    streams.forEach(DeviceStream::close);
    for (int i = 0; i < results.size(); i++) {
      MemorySegment result = results.get(i);
      byte[] filled = new byte[(int) result.byteSize()];
      Arrays.fill(filled, expected.get(i));
      assertThat(result.mismatch(MemorySegment.ofArray(filled))).isEqualTo(-1);
    }
    device.close();
  }
}
