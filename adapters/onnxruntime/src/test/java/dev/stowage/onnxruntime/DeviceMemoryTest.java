package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testing.Seeds;
import dev.stowage.testkit.SimulatedDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory of a device, whose streams run their work late and in any order. */
class DeviceMemoryTest {

  private static final long LIMIT_BYTES = 64 << 10;
  private static final long DEVICE_BYTES = 2 * LIMIT_BYTES;
  private static final int STREAMS = 3;

  private final SimulatedDevice device = new SimulatedDevice("gpu", DEVICE_BYTES);

  private EngineMemory memory(BfcOptions options) {
    return new EngineMemory(
        "gpu",
        EngineRegions.ofDevice(device, options),
        OnnxRuntimeOptions.of(options),
        Optional::empty);
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
    Assertions.assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(memory::throwFailures);
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
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            OnnxRuntimeAllocator.registerCudaPinned(
                "pinned", device, 0, options.withGrowthAlarm(1)))
        .withMessage(
            "allocator 'pinned' of a GPU cannot watch the memory of the process: register it"
                + " without a growth alarm");
    try (OnnxRuntimeAllocator _ = OnnxRuntimeAllocator.registerCuda("gpu", device, 0, options);
        OnnxRuntimeAllocator _ = OnnxRuntimeAllocator.registerCuda("other", device, 1, options)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> OnnxRuntimeAllocator.registerCuda("again", device, 0, options))
          .withMessage(
              "allocator 'again' cannot be registered with ONNX Runtime: allocator 'gpu' is"
                  + " registered; close that one first");
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

  /** Streams write tensors, read them and free them at once, with and without permits. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyWorkOfSeveralStreams_readsWhatItHasWritten(long seed) throws Exception {
    Random random = new Random(seed);
    EngineMemory memory = memory(BfcOptions.growing().withLimit(LIMIT_BYTES));
    SessionAccount session = memory.admission().open("session", SessionLimits.none());
    List<DeviceStream> streams = new ArrayList<>();
    for (int stream = 0; stream < STREAMS; stream++) {
      streams.add(device.openStream());
    }
    try (Arena arena = Arena.ofShared()) {
      for (int run = 0; run < 30; run++) {
        RunAccount permit = memory.admission().admit(session, 8 << 10, Duration.ZERO);
        int stream = random.nextInt(STREAMS);
        for (int step = 0; step < 12; step++) {
          boolean isInRun = random.nextBoolean();
          SessionAccount account = isInRun ? session : memory.otherSessions();
          int used = isInRun ? stream : random.nextInt(STREAMS);
          memory
              .admission()
              .call(permit, () -> step(random, memory, account, used, streams, arena));
          memory.checkInvariants();
        }
        while (!tensors.isEmpty()) {
          readAndFree(memory, tensors.removeLast(), streams, arena);
        }
        memory.admission().closeRun(permit);
      }
      device.synchronize();
      for (Copy copy : copies) {
        assertThat(copy.bytes().toArray(ValueLayout.JAVA_BYTE))
            .as(copy.tensor()::toString)
            .containsOnly(copy.tensor().value());
      }
    }
    streams.forEach(DeviceStream::close);
    memory.closeSession(session);
    memory.close(() -> {});
    device.close();
  }

  private boolean step(
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
    return true;
  }

  private void readAndFree(
      EngineMemory memory, Tensor tensor, List<DeviceStream> streams, Arena arena) {
    Copy copy = new Copy(tensor, arena.allocate(tensor.bytes()));
    streams.get(tensor.stream()).copyToHost(tensor.address(), copy.bytes());
    copies.add(copy);
    memory.free(tensor.address());
  }
}
