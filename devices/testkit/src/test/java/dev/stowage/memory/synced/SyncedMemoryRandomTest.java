package dev.stowage.memory.synced;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.testing.Seeds;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any operations on buffers of two devices, with too little memory and with calls that fail,
 * against a model.
 */
class SyncedMemoryRandomTest {

  private static final long NEVER = 1L << 60;

  static LongStream seeds() {
    return Seeds.of(150);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_agreeWithTheModelAndLeakNothing(long seed) {
    Random random = new Random(seed);
    long poolBytes = 4096L * (1 + random.nextInt(4));
    try (HostMemory host = HostMemory.open();
        MemoryPool pool =
            MemoryPool.open("pool", host, BfcOptions.growing().withLimit(poolBytes))) {
      Run run = new Run(random, pool);
      for (int i = 0; i < 1000; i++) {
        run.step();
      }
      run.end();
      assertThat(pool.statistics().bytesInUse()).isZero();
    }
  }

  /** Data of a range that the test keeps. */
  private sealed interface Kept {
    int offset();

    int count();
  }

  private record KeptSegment(int offset, int count, MemorySegment segment) implements Kept {}

  private record KeptData(int offset, int count, DeviceData data) implements Kept {}

  /** A buffer, its model, and the data that the test keeps. */
  private static final class Tested {

    final int bytes;
    final SyncedMemory buffer;
    final ModelBuffer model;
    final List<Kept> kept = new ArrayList<>();

    /** The caller's memory: two on each side, so that one is never in use. */
    final MemorySegment[] hostMemory;

    final long[][] deviceMemory;
    boolean wrappedHost;
    int wraps;

    Tested(
        int bytes,
        SyncedMemory buffer,
        boolean isConnected,
        MemorySegment[] hostMemory,
        long[][] deviceMemory) {
      this.bytes = bytes;
      this.buffer = buffer;
      this.model = new ModelBuffer(bytes, 3, isConnected);
      this.hostMemory = hostMemory;
      this.deviceMemory = deviceMemory;
    }
  }

  /** Two devices with some buffers, with parameters from the seed. */
  private static final class Run {

    private final Random random;
    private final MemoryPool pool;
    private final Arena mine = Arena.ofConfined();
    private final List<SimulatedDevice> devices = new ArrayList<>();
    private final List<DevicePool> allocators = new ArrayList<>();
    private final List<DeviceStream> streams = new ArrayList<>();
    private final List<Tested> all = new ArrayList<>();
    private final int failures;
    private final int wraps;
    private final boolean ranges;
    private final boolean isConnected;

    Run(Random random, MemoryPool pool) {
      this.random = random;
      this.pool = pool;
      failures = new int[] {0, 5, 30}[random.nextInt(3)];
      wraps = random.nextInt(2) * 4;
      ranges = random.nextInt(4) > 0;
      int buffers = 1 + random.nextInt(4);
      int largest = 1 + random.nextInt(3000);
      for (int i = 0; i < 2; i++) {
        long bytes = 20L * buffers * 3328 + 256L * random.nextInt(60);
        SimulatedDevice device = new SimulatedDevice("gpu" + i, bytes);
        devices.add(device);
        streams.add(device.openStream());
        long limit = 256L * (1 + random.nextInt(60));
        BfcOptions options =
            random.nextBoolean()
                ? BfcOptions.growing()
                : BfcOptions.expandable().withTrimThreshold(1); // which gives regions back
        allocators.add(DevicePool.open("gpu" + i, device, options.withLimit(limit)));
      }
      boolean pooled = random.nextBoolean();
      isConnected = random.nextBoolean();
      if (isConnected) {
        devices.get(0).connect(devices.get(1));
      }
      for (int i = 0; i < buffers; i++) {
        int bytes = 1 + random.nextInt(largest);
        all.add(tested("buffer" + i, bytes, pooled));
      }
    }

    private Tested tested(String name, int bytes, boolean pooled) {
      DevicePool first = allocators.get(0);
      DevicePool second = allocators.get(1);
      long[][] deviceMemory = new long[2][2];
      for (int i = 0; i < 4; i++) {
        deviceMemory[i / 2][i % 2] = devices.get(i / 2).allocate(bytes).orElseThrow();
      }
      return new Tested(
          bytes,
          pooled
              ? SyncedMemory.of(name, bytes, pool, first, second)
              : SyncedMemory.of(name, bytes, first, second),
          isConnected,
          new MemorySegment[] {mine.allocate(bytes), mine.allocate(bytes)},
          deviceMemory);
    }

    void step() {
      Tested tested = all.get(random.nextInt(all.size()));
      int device = random.nextInt(2);
      int dice = random.nextInt(100);
      if (dice < 25) {
        use(tested, 0, dice < 12);
      } else if (dice < 60) {
        use(tested, 1 + device, dice < 40);
      } else if (dice < 70) {
        push(tested, device);
      } else if (dice < 75) {
        synchronize(device);
      } else if (dice < 90) {
        writeKeptData(tested);
      } else if (dice < 90 + wraps) {
        wrap(tested, random.nextInt(3));
      } else {
        devices.get(device).runNext();
      }
      check(tested);
    }

    private void use(Tested tested, int side, boolean writing) {
      int offset = writing && ranges ? random.nextInt(tested.bytes) : 0;
      int count = writing && ranges ? random.nextInt(tested.bytes - offset + 1) : tested.bytes;
      CopyCounts before = tested.buffer.copies();
      boolean done =
          attempt(
              tested,
              () -> {
                Kept kept = ask(tested, side, writing, offset, count);
                if (!(side == 0 && tested.wrappedHost)) {
                  tested.kept.add(kept);
                }
              });
      if (done) {
        ModelBuffer.Copied copied = tested.model.bring(side);
        checkCopied(tested, before, copied);
        if (writing) {
          tested.model.write(side, offset, count);
        }
      }
    }

    private Kept ask(Tested tested, int side, boolean writing, int offset, int count) {
      SyncedMemory buffer = tested.buffer;
      if (side == 0) {
        return new KeptSegment(
            offset, count, writing ? buffer.mutableCpuData(offset, count) : buffer.cpuData());
      }
      Device device = devices.get(side - 1);
      return new KeptData(
          offset,
          count,
          writing ? buffer.mutableGpuData(device, offset, count) : buffer.gpuData(device));
    }

    private static void checkCopied(Tested tested, CopyCounts before, ModelBuffer.Copied expected) {
      CopyCounts after = tested.buffer.copies();
      if (!tested.model.isInexact()) {
        assertThat(after.bytesToDevices() - before.bytesToDevices())
            .isEqualTo(expected.toDevices());
        assertThat(after.bytesToHost() - before.bytesToHost()).isEqualTo(expected.toHost());
        assertThat(after.bytesBetweenDevices() - before.bytesBetweenDevices())
            .isEqualTo(expected.betweenDevices());
      }
    }

    private void push(Tested tested, int device) {
      boolean hasSource =
          tested.model.isCurrent(0) || (isConnected && tested.model.isCurrent(2 - device));
      if (hasSource && !tested.model.isCurrent(1 + device)) {
        CopyCounts before = tested.buffer.copies();
        boolean done =
            attempt(
                tested,
                () -> {
                  tested.buffer.asyncGpuPush(streams.get(device));
                });
        if (done) {
          checkCopied(tested, before, tested.model.bring(1 + device));
        }
      }
    }

    private void synchronize(int device) {
      try {
        streams.get(device).synchronize();
      } catch (DeviceException failed) {
        assertThat(failed).hasMessageContaining("of device 'gpu" + device + "' failed");
      }
    }

    private void wrap(Tested tested, int side) {
      byte value = (byte) random.nextInt();
      int which = tested.wraps++ % 2;
      streams.forEach(stream -> synchronize(streams.indexOf(stream)));
      boolean done =
          attempt(
              tested,
              () -> {
                if (side == 0) {
                  tested.buffer.setCpuData(tested.hostMemory[which].fill(value));
                } else {
                  long address = tested.deviceMemory[side - 1][which];
                  SimulatedDevice device = devices.get(side - 1);
                  device.fill(address, tested.bytes, value);
                  tested.buffer.setGpuData(device, address);
                }
              });
      if (done) {
        tested.wrappedHost |= side == 0;
        tested.model.wrap(side, value);
      } else {
        tested.wraps++; // use the same memory next time: the other may be in use
      }
    }

    /** Runs an operation that can fail and {@return true if it completes} */
    private boolean attempt(Tested tested, Runnable operation) {
      if (random.nextInt(100) < failures) {
        devices.get(random.nextInt(2)).failAt(1 + random.nextInt(3));
      }
      List<Long> inUse = bytesInUse();
      try {
        operation.run();
        return true;
      } catch (BfcOutOfMemoryException full) {
        assertThat(full.getMessage())
            .matches("(?s)allocator '(gpu[01]|pool)' is out of memory for .*");
      } catch (DeviceException failed) {
        if (isOfTheReturn(tested, failed)) {
          return true;
        }
        noteFailure(tested, failed);
      } finally {
        devices.forEach(device -> device.failAt(NEVER));
      }
      assertThat(bytesInUse()).isEqualTo(inUse);
      return false;
    }

    private List<Long> bytesInUse() {
      return Stream.concat(
              allocators.stream().map(DevicePool::statistics), Stream.of(pool.statistics()))
          .map(AllocatorStatistics::bytesInUse)
          .toList();
    }

    /**
     * {@return true if the operation has completed, and only returned memory stays with the
     * allocator}
     */
    private static boolean isOfTheReturn(Tested tested, DeviceException failed) {
      return String.valueOf(failed.getMessage())
          .matches(
              "returning memory of buffer '%s' to device 'gpu[01]' failed: .*"
                  .formatted(tested.buffer.name()));
    }

    private static void noteFailure(Tested tested, DeviceException failed) {
      String name = "'" + tested.buffer.name() + "'";
      String message = String.valueOf(failed.getMessage());
      if (message.startsWith("pushing buffer " + name)) {
        tested.model.loseAll(message.contains("'gpu0'") ? 1 : 2);
      } else if (!message.startsWith("fill of device")) { // a fill of the test
        assertThat(message)
            .matches("(copying bytes \\[\\d+, \\d+\\) of|zeroing) buffer " + name + ".*");
        assertThat(failed).hasCauseInstanceOf(DeviceException.class);
      }
    }

    /** Writes through something that was handed out some time ago, if it lives. */
    private void writeKeptData(Tested tested) {
      if (tested.kept.isEmpty()) {
        return;
      }
      Kept kept = tested.kept.get(random.nextInt(tested.kept.size()));
      byte value = (byte) random.nextInt();
      boolean written =
          switch (kept) {
            case KeptSegment(_, _, MemorySegment segment) -> {
              if (segment.isReadOnly() || !segment.scope().isAlive()) {
                yield false;
              }
              segment.fill(value);
              yield true;
            }
            case KeptData(_, int count, DeviceData data) -> {
              if (data.isReadOnly() || !data.isLive()) {
                yield false;
              }
              if (count > 0) {
                data.fill(value);
              }
              yield true;
            }
          };
      if (written) {
        tested.model.fill(kept.offset(), kept.count(), value);
      }
    }

    /** Checks the head and the contents of live data. */
    private void check(Tested tested) {
      tested.buffer.checkInvariants();
      assertThat(tested.buffer.head()).isEqualTo(tested.model.head());
      for (int side = 1; side <= 2; side++) {
        assertThat(tested.buffer.isCurrentOn(devices.get(side - 1)))
            .isEqualTo(tested.model.isCurrent(side));
      }
      tested.kept.removeIf(kept -> !isLive(kept));
      for (Kept kept : tested.kept) {
        assertThat(read(kept)).isEqualTo(tested.model.contents(kept.offset(), kept.count()));
      }
      while (tested.kept.size() > 6) {
        tested.kept.removeFirst();
      }
    }

    private static boolean isLive(Kept kept) {
      return switch (kept) {
        case KeptSegment(_, _, MemorySegment segment) -> segment.scope().isAlive();
        case KeptData(_, _, DeviceData data) -> data.isLive();
      };
    }

    private static byte[] read(Kept kept) {
      return switch (kept) {
        case KeptSegment(_, _, MemorySegment segment) -> segment.toArray(ValueLayout.JAVA_BYTE);
        case KeptData(_, int count, DeviceData data) -> {
          MemorySegment host = MemorySegment.ofArray(new byte[count]);
          if (count > 0) {
            data.copyTo(host);
          }
          yield host.toArray(ValueLayout.JAVA_BYTE);
        }
      };
    }

    void end() {
      streams.forEach(stream -> synchronize(streams.indexOf(stream)));
      for (Tested tested : all) {
        try {
          tested.buffer.close();
        } catch (DeviceException pushed) {
          assertThat(pushed).hasMessageStartingWith("pushing buffer ");
        }
        tested.kept.forEach(kept -> assertThat(isLive(kept)).isFalse());
      }
      for (int i = 0; i < 2; i++) {
        assertThat(allocators.get(i).statistics().bytesInUse()).isZero();
        allocators.get(i).close();
        SimulatedDevice device = devices.get(i);
        for (Tested tested : all) {
          for (long address : tested.deviceMemory[i]) {
            device.free(address, tested.bytes); // never freed by the buffer
          }
        }
        streams.get(i).close();
        assertThat(device.availableBytes()).isEqualTo(device.totalBytes());
        device.close();
      }
      mine.close();
    }
  }
}
