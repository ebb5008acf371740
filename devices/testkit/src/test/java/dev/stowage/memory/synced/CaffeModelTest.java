package dev.stowage.memory.synced;

import static dev.stowage.memory.synced.SyncedHead.HEAD_AT_CPU;
import static dev.stowage.memory.synced.SyncedHead.HEAD_AT_GPU;
import static dev.stowage.memory.synced.SyncedHead.SYNCED;
import static dev.stowage.memory.synced.SyncedHead.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testing.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any calls against Caffe's four states and nothing else: the copies that the device counts, the
 * memory that is taken, and two arrays that stand for the two sides.
 */
class CaffeModelTest {

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyCalls_copyAsCaffe(long seed) {
    try (SimulatedGpu gpu = SimulatedGpu.open();
        Arena arena = Arena.ofConfined();
        DeviceStream stream = gpu.device().openStream()) {
      Random random = new Random(seed);
      int bytes = 1 + random.nextInt(600);
      long mine = gpu.device().allocate(bytes).orElseThrow();
      try (SyncedMemory buffer = SyncedMemory.of("x", bytes, gpu.pool())) {
        Run run = new Run(random, gpu, stream, buffer, arena.allocate(bytes), mine);
        for (int i = 0; i < 300; i++) {
          run.step();
          run.buffer.checkInvariants();
        }
      }
      gpu.device().free(mine, bytes);
    }
  }

  /** A buffer, and Caffe's: one value stands for all bytes of a side. */
  private static final class Run {

    private final Random random;
    private final SimulatedGpu gpu;
    private final DeviceStream stream;
    private final SyncedMemory buffer;
    private final MemorySegment hostMemory;
    private final long deviceMemory;

    private SyncedHead head = UNINITIALIZED;
    private byte onHost;
    private byte onDevice;
    private boolean ownsDeviceMemory;
    private boolean hasDeviceMemory;
    private long toDevice;
    private long toHost;

    Run(
        Random random,
        SimulatedGpu gpu,
        DeviceStream stream,
        SyncedMemory buffer,
        MemorySegment hostMemory,
        long deviceMemory) {
      this.random = random;
      this.gpu = gpu;
      this.stream = stream;
      this.buffer = buffer;
      this.hostMemory = hostMemory;
      this.deviceMemory = deviceMemory;
    }

    void step() {
      byte value = (byte) random.nextInt();
      switch (random.nextInt(18)) {
        case 0, 1, 2, 3 -> {
          toCpu();
          check(buffer.cpuData(), onHost);
        }
        case 4, 5, 6 -> {
          toCpu();
          head = HEAD_AT_CPU;
          MemorySegment data = buffer.mutableCpuData();
          check(data, onHost);
          data.fill(value);
          onHost = value;
        }
        case 7, 8, 9, 10 -> {
          toGpu();
          check(buffer.gpuData(), onDevice);
        }
        case 11, 12, 13 -> {
          toGpu();
          head = HEAD_AT_GPU;
          DeviceData data = buffer.mutableGpuData();
          check(data, onDevice);
          data.fill(value);
          onDevice = value;
        }
        case 14 -> setCpuData(value);
        case 15 -> setGpuData(value);
        case 16 -> push();
        default -> stream.synchronize();
      }
      assertThat(buffer.head()).isEqualTo(head);
      assertThat(buffer.copies())
          .isEqualTo(
              new CopyCounts(
                  toDevice, toDevice * buffer.byteSize(), toHost, toHost * buffer.byteSize()));
      assertThat(gpu.bytesInUse() > 0).isEqualTo(ownsDeviceMemory);
    }

    /** Caffe's {@code to_cpu}. */
    private void toCpu() {
      switch (head) {
        case UNINITIALIZED -> {
          onHost = 0;
          head = HEAD_AT_CPU;
        }
        case HEAD_AT_GPU -> {
          onHost = onDevice;
          toHost++;
          head = SYNCED;
        }
        case HEAD_AT_CPU, SYNCED -> {}
      }
    }

    /** Caffe's {@code to_gpu}. */
    private void toGpu() {
      switch (head) {
        case UNINITIALIZED -> {
          allocateOnDevice();
          onDevice = 0;
          head = HEAD_AT_GPU;
        }
        case HEAD_AT_CPU -> {
          allocateOnDevice();
          onDevice = onHost;
          toDevice++;
          head = SYNCED;
        }
        case HEAD_AT_GPU, SYNCED -> {}
      }
    }

    private void allocateOnDevice() {
      ownsDeviceMemory |= !hasDeviceMemory;
      hasDeviceMemory = true;
    }

    private void setCpuData(byte value) {
      stream.synchronize(); // the same memory again: the caller's to order
      buffer.setCpuData(hostMemory.fill(value));
      onHost = value;
      head = HEAD_AT_CPU;
    }

    private void setGpuData(byte value) {
      stream.synchronize();
      gpu.device().fill(deviceMemory, buffer.byteSize(), value);
      buffer.setGpuData(deviceMemory);
      onDevice = value;
      head = HEAD_AT_GPU;
      ownsDeviceMemory = false;
      hasDeviceMemory = true;
    }

    private void push() {
      if (head == HEAD_AT_CPU) {
        toGpu();
        buffer.asyncGpuPush(stream);
      } else {
        assertThatIllegalStateException().isThrownBy(() -> buffer.asyncGpuPush(stream));
      }
    }

    /** Looks at the device's memory, which is no copy of the buffer's. */
    private void check(DeviceData data, byte expected) {
      MemorySegment read = MemorySegment.ofArray(new byte[(int) data.byteSize()]);
      data.copyTo(read);
      check(read, expected);
    }

    private void check(MemorySegment data, byte expected) {
      assertThat(data.toArray(ValueLayout.JAVA_BYTE))
          .hasSize((int) buffer.byteSize())
          .containsOnly(expected);
    }
  }
}
