package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.Seeds;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory of a device, whose streams run their work late and in any order. */
class DeviceMemoryTest {

  private static final long LIMIT_BYTES = 64 << 10;
  private static final long DEVICE_BYTES = 2 * LIMIT_BYTES;
  private static final int STREAMS = 3;

  private final SimulatedDevice device = new SimulatedDevice("gpu", DEVICE_BYTES);

  /** True if the device cannot be synchronized, as while a CUDA graph is captured. */
  private boolean isCapturing;

  private EngineMemory memory(BfcOptions options) {
    StreamOrder order = new StreamOrder(this::synchronize);
    return new EngineMemory(
        "gpu", EngineRegions.ofDevice(device, options, order), OnnxRuntimeOptions.of(options));
  }

  private void synchronize() {
    if (isCapturing) {
      throw new DeviceException(
          "cuCtxSynchronize of device 'gpu'", 900, "STREAM_CAPTURE_UNSUPPORTED");
    }
    device.synchronize();
  }

  @Test
  void allocate_beyondTheLimit_isMemoryOfTheDeviceOutsideIt() {
    EngineMemory memory = memory(BfcOptions.growing().withLimit(LIMIT_BYTES));
    long address = memory.allocate(LIMIT_BYTES + 1);
    assertThat(device.hasRange(address, LIMIT_BYTES + 1)).isTrue();
    assertThat(memory.report().overflow())
        .isEqualTo(new OnnxRuntimeReport.Overflow(1, LIMIT_BYTES + 1, LIMIT_BYTES + 1));
    assertThat(memory.report().toString())
        .contains("refused requests: 1; their memory outside the limit: 65,537 bytes in use");
    memory.free(address);
    assertThat(device.availableBytes()).isEqualTo(DEVICE_BYTES);
    assertThatExceptionOfType(BfcOutOfMemoryException.class).isThrownBy(memory::throwFailures);
    memory.close(() -> {});
    device.close();
  }

  @Test
  void allocate_moreThanTheDeviceHas_isNothing() {
    EngineMemory memory = memory(BfcOptions.growing());
    assertThat(memory.allocate(DEVICE_BYTES + 1)).isZero();
    memory.checkInvariants();
    memory.close(() -> {});
    device.close();
  }

  @Test
  void report_memoryMovesToAnotherStream_countsTheWait() {
    EngineMemory memory = memory(BfcOptions.oneRegion(LIMIT_BYTES));
    SessionAccount session = memory.otherSessions();
    memory.free(memory.allocate(session, LIMIT_BYTES, 1));
    memory.free(memory.allocate(session, LIMIT_BYTES, 1));
    assertThat(memory.report().deviceWaits()).isZero();
    memory.free(memory.allocate(session, LIMIT_BYTES, 2));
    assertThat(memory.report().deviceWaits()).isOne();
    assertThat(memory.report().toString())
        .endsWith("allocations that waited for work of other streams: 1");
    memory.close(() -> {});
    device.close();
  }

  @Test
  void allocate_deviceCannotWait_isMemoryThatWasNeverUsed() throws Exception {
    EngineMemory memory = memory(BfcOptions.oneRegion(LIMIT_BYTES));
    SessionAccount session = SessionAccount.of("session", memory.account());
    isCapturing = true;
    for (SessionAccount each : List.of(memory.otherSessions(), session)) {
      long used = memory.allocate(memory.otherSessions(), 1000, 1);
      memory.free(used);
      long again = memory.allocate(memory.otherSessions(), 1000, 1);
      assertThat(again).isEqualTo(used);
      memory.free(again);
      long unused = memory.allocate(each, 1000, 2);
      assertThat(unused).isNotIn(OverflowMemory.NONE, used);
      assertThat(device.hasRange(unused, 1000)).isTrue();
      memory.checkInvariants();
      assertThatIllegalStateException()
          .isThrownBy(each.failures()::throwFirst)
          .withMessageContaining("STREAM_CAPTURE_UNSUPPORTED");
      isCapturing = false;
      memory.free(unused);
      isCapturing = true;
    }
    assertThat(memory.report().overflow().bytesInUse()).isZero();
    isCapturing = false;
    memory.close(() -> {});
    device.close();
  }

  @Test
  void allocate_deviceCannotWaitAndHasNoOtherMemory_isNothing() {
    EngineMemory memory = memory(BfcOptions.oneRegion(DEVICE_BYTES));
    SessionAccount session = memory.otherSessions();
    memory.free(memory.allocate(session, 1000, 1));
    isCapturing = true;
    assertThat(memory.allocate(session, 1000, 2)).isZero();
    memory.checkInvariants();
    isCapturing = false;
    assertThat(memory.allocate(session, 1000, 2)).isNotZero();
  }

  @Test
  void free_deviceCannotWait_returnsTheMemoryLater() {
    long bytes = LIMIT_BYTES / 2 + 1;
    EngineMemory memory = memory(BfcOptions.oneRegion(LIMIT_BYTES / 2));
    long first = memory.allocate(bytes);
    long second = memory.allocate(bytes);
    memory.free(memory.allocate(1000));
    isCapturing = true;
    memory.free(first);
    memory.checkInvariants();
    assertThat(memory.report().overflow().bytesInUse()).isEqualTo(2 * bytes);
    assertThat(device.hasRange(first, bytes)).isTrue();
    isCapturing = false;
    memory.free(second); // returns both
    assertThat(memory.report().overflow().bytesInUse()).isZero();

    long last = memory.allocate(bytes);
    isCapturing = true;
    memory.free(last);
    assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> memory.close(() -> {}));
    isCapturing = false;
    memory.close(() -> {});
    assertThat(device.availableBytes()).isEqualTo(DEVICE_BYTES);
    device.close();
  }

  @Test
  void close_whileWorkIsQueued_waitsForIt() {
    EngineMemory memory = memory(BfcOptions.growing());
    try (DeviceStream stream = device.openStream()) {
      long address = memory.allocate(memory.otherSessions(), 1000, 1);
      stream.fill(address, 1000, (byte) 1);
      memory.free(address);
      memory.close(() -> {});
      assertThat(device.filled().bytes()).isEqualTo(1000);
    }
    device.close();
  }

  @Test
  void registerCuda_impossibleArguments_areRejected() {
    OnnxRuntimeOptions options = OnnxRuntimeOptions.of(BfcOptions.growing());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OnnxRuntimeAllocator.registerCuda("gpu", device, -1, options))
        .withMessage("allocator 'gpu' needs the number of a GPU, from 0: ordinal=-1");
    Device first = gpu(0);
    try (OnnxRuntimeAllocator _ = OnnxRuntimeAllocator.registerCuda("gpu", first, 0, options);
        OnnxRuntimeAllocator _ = OnnxRuntimeAllocator.registerCuda("other", gpu(1), 1, options)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> OnnxRuntimeAllocator.registerCuda("again", first, 0, options))
          .withMessage(
              "allocator 'again' cannot be registered with ONNX Runtime: allocator 'gpu' is"
                  + " registered; close that one first");
    }
    device.close();
  }

  /** {@return the simulated device as a GPU of CUDA} */
  private Device gpu(int ordinal) {
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (_, method, arguments) ->
                method.getName().equals("cudaOrdinal")
                    ? OptionalInt.of(ordinal)
                    : method.invoke(device, arguments));
  }

  @Test
  void registerCuda_memoryOfAnotherDevice_isRejected() {
    OnnxRuntimeOptions options = OnnxRuntimeOptions.of(BfcOptions.growing());
    try (HostMemory host = HostMemory.open()) {
      for (Device other : List.of(host, device, gpu(1))) {
        String message =
            "allocator 'gpu' is for GPU 0, but its device is '"
                + other.name()
                + "': open CudaDevice.open(0)";
        assertThatIllegalArgumentException()
            .isThrownBy(() -> OnnxRuntimeAllocator.registerCuda("gpu", other, 0, options))
            .withMessage(message);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> OnnxRuntimeAllocator.registerCudaPinned("gpu", other, 0, options))
            .withMessage(message);
      }
    }
    device.close();
  }

  static LongStream seeds() {
    return Seeds.of(50);
  }

  /** Memory with a value that a stream writes, and later reads. */
  private record Tensor(long address, int bytes, byte value, int stream) {}

  /** The copy of a tensor, which has its value after all work has completed. */
  private record Copy(Tensor tensor, MemorySegment bytes) {}

  private final List<Tensor> tensors = new ArrayList<>();
  private final List<Copy> copies = new ArrayList<>();

  /** Streams write tensors, read them and free them at once, with and without an account. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyWorkOfSeveralStreams_readsWhatItHasWritten(long seed) throws Exception {
    Random random = new Random(seed);
    EngineMemory memory = memory(BfcOptions.growing().withLimit(LIMIT_BYTES));
    SessionAccount session = SessionAccount.of("session", memory.account());
    List<DeviceStream> streams = new ArrayList<>();
    for (int stream = 0; stream < STREAMS; stream++) {
      streams.add(device.openStream());
    }
    try (Arena arena = Arena.ofShared()) {
      for (int run = 0; run < 30; run++) {
        int stream = random.nextInt(STREAMS);
        for (int step = 0; step < 12; step++) {
          boolean isInRun = random.nextBoolean();
          SessionAccount account = isInRun ? session : memory.otherSessions();
          int used = isInRun ? stream : random.nextInt(STREAMS);
          step(random, memory, account, used, streams, arena);
          memory.checkInvariants();
        }
        while (!tensors.isEmpty()) {
          readAndFree(memory, tensors.removeLast(), streams, arena);
        }
      }
      device.synchronize();
      for (Copy copy : copies) {
        assertThat(copy.bytes().toArray(ValueLayout.JAVA_BYTE))
            .as(copy.tensor()::toString)
            .containsOnly(copy.tensor().value());
      }
    }
    streams.forEach(DeviceStream::close);
    memory.close(() -> {});
    device.close();
  }

  private void step(
      Random random,
      EngineMemory memory,
      SessionAccount account,
      int stream,
      List<DeviceStream> streams,
      Arena arena) {
    switch (random.nextInt(10)) {
      case 0 -> streams.get(random.nextInt(STREAMS)).synchronize();
      case 1 -> memory.trim();
      case 2, 3, 4 -> {
        if (!tensors.isEmpty()) {
          readAndFree(memory, tensors.remove(random.nextInt(tensors.size())), streams, arena);
        }
      }
      default -> {
        int bytes = 1 + random.nextInt(2000);
        boolean isNamed = random.nextInt(8) > 0;
        long handle = isNamed ? stream + 1 : StreamOrder.UNKNOWN;
        Tensor tensor =
            new Tensor(
                memory.allocate(account, bytes, handle),
                bytes,
                (byte) (1 + tensors.size() + copies.size()),
                stream);
        streams.get(stream).fill(tensor.address(), bytes, tensor.value());
        tensors.add(tensor);
      }
    }
  }

  private void readAndFree(
      EngineMemory memory, Tensor tensor, List<DeviceStream> streams, Arena arena) {
    Copy copy = new Copy(tensor, arena.allocate(tensor.bytes()));
    streams.get(tensor.stream()).copyToHost(tensor.address(), copy.bytes());
    copies.add(copy);
    memory.free(tensor.address());
  }
}
