package dev.stowage.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.MemoryRefusedException;
import dev.stowage.cuda.standin.Kind;
import dev.stowage.cuda.standin.StandIn;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.OnnxRuntimeAllocator;
import dev.stowage.onnxruntime.OnnxRuntimeOptions;
import dev.stowage.onnxruntime.OnnxRuntimeReport.TagUsage;
import dev.stowage.onnxruntime.RunPermit;
import dev.stowage.onnxruntime.SessionMemory;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Memory of a device that is registered with ONNX Runtime, over the stand-in for the driver. ONNX
 * Runtime has no provider for it here, so the tests call the functions of its {@code OrtAllocator},
 * and let ONNX Runtime allocate a tensor there.
 */
@SuppressWarnings("restricted") // calls of C functions
class OnnxRuntimeOnDeviceTest {

  /** The first version of the API with streams. */
  private static final int API_VERSION = 23;

  private static final int ALLOC = 1;
  private static final int FREE = 2;
  private static final int RESERVE = 4;
  private static final int ALLOC_ON_STREAM = 6;
  private static final int FIELDS = 7;

  private static final int CREATE_TENSOR = 48;
  private static final int RELEASE_VALUE = 96;
  private static final int FLOAT = 1;
  private static final int OUTPUTS_ON_THE_HOST = -1;

  private static final long LIMIT_BYTES = 1 << 20;
  private static final int COLUMNS = 16;
  private static final byte[] MODEL = MatMulModel.of(3, COLUMNS);

  @RegisterExtension final StandIn standIn = new StandIn();

  private final OrtEnvironment environment = OrtEnvironment.getEnvironment(); // loads the library
  private final OnnxRuntimeApi api = OnnxRuntimeApi.ofLoadedLibrary();
  private long env;
  private CudaDevice device;
  private OnnxRuntimeAllocator gpu;

  @BeforeEach
  void register() {
    env = api.createEnv();
    device = CudaDevice.open(standIn::functions, 0, CudaOptions.fixed());
    gpu = OnnxRuntimeAllocator.registerCuda("gpu", device, 0, limitedTo(LIMIT_BYTES));
  }

  @AfterEach
  void close() {
    gpu.close();
    device.close();
    assertThat(shared()).as("the allocator that is left").isZero();
    api.releaseEnv(env);
  }

  private static OnnxRuntimeOptions limitedTo(long bytes) {
    return OnnxRuntimeOptions.of(BfcOptions.growing().withLimit(bytes));
  }

  /** {@return the registered {@code OrtAllocator}} */
  private long shared() {
    return api.sharedAllocator(env, api.createMemoryInfo("Cuda", 0, 0));
  }

  private static long field(long allocator, int index) {
    return MemorySegment.ofAddress(allocator)
        .reinterpret(FIELDS * ADDRESS.byteSize())
        .getAtIndex(JAVA_LONG, index);
  }

  /** Calls a function of an {@code OrtAllocator}, whose first argument it is. */
  private static long call(long allocator, int index, long... arguments) {
    MemoryLayout[] types = new MemoryLayout[arguments.length + 1];
    Arrays.fill(types, JAVA_LONG);
    List<Object> all = new ArrayList<>(List.of(allocator));
    Arrays.stream(arguments).forEach(all::add);
    FunctionDescriptor type =
        index == FREE ? FunctionDescriptor.ofVoid(types) : FunctionDescriptor.of(JAVA_LONG, types);
    try {
      Object result =
          Linker.nativeLinker()
              .downcallHandle(MemorySegment.ofAddress(field(allocator, index)), type)
              .invokeWithArguments(all);
      return result instanceof Long address ? address : 0;
    } catch (Throwable thrown) {
      throw new AssertionError("a C function threw an exception", thrown);
    }
  }

  /** {@return the start of an {@code OrtSyncStream} of 1.29: its functions, and the handle} */
  private static MemorySegment stream(long handle, Arena arena) {
    MemorySegment stream = arena.allocate(JAVA_LONG, 8);
    stream.setAtIndex(JAVA_LONG, 1, handle);
    return stream;
  }

  @Test
  void functions_ofTheRegisteredAllocator_useMemoryOfTheDevice() {
    long allocator = shared();
    assertThat(MemorySegment.ofAddress(allocator).reinterpret(4).get(JAVA_INT, 0))
        .isEqualTo(API_VERSION);
    long tensor = call(allocator, ALLOC, 1000);
    long weights = call(allocator, RESERVE, 2000);
    assertThat(device.hasRange(tensor, 1000)).isTrue();
    assertThat(device.hasRange(weights, 2000)).isTrue();
    assertThat(gpu.report().tags())
        .extracting(TagUsage::tag, TagUsage::requestedBytesInUse)
        .containsExactly(Tuple.tuple("weights", 2000L), Tuple.tuple("tensors", 1000L));
    assertThat(api.statistic(allocator, "InUse")).hasValue("" + (1024 + 2048));
    call(allocator, FREE, tensor);
    call(allocator, FREE, weights);
    call(allocator, FREE, 0);
    assertThat(gpu.statistics().bytesInUse()).isZero();
  }

  @Test
  void allocOnStream_anotherStream_waitsForTheDevice() {
    long allocator = shared();
    try (Arena arena = Arena.ofConfined()) {
      long first = stream(0x11, arena).address();
      long second = stream(0x22, arena).address();
      long address = call(allocator, ALLOC_ON_STREAM, 1000, first);
      call(allocator, FREE, address);
      assertThat(call(allocator, ALLOC_ON_STREAM, 1000, first)).isEqualTo(address);
      call(allocator, FREE, address);
      assertThat(gpu.report().deviceWaits()).isZero();
      assertThat(call(allocator, ALLOC_ON_STREAM, 1000, second)).isEqualTo(address);
      assertThat(gpu.report().deviceWaits()).isOne();
      call(allocator, FREE, address);
      assertThat(call(allocator, ALLOC_ON_STREAM, 1000, 0)).isEqualTo(address);
      assertThat(gpu.report().deviceWaits()).isEqualTo(2);
      call(allocator, FREE, address);
    }
  }

  @Test
  void allocOnStream_waitFails_checkThrows() {
    long allocator = shared();
    long address = call(allocator, ALLOC, 1000);
    call(allocator, FREE, address);
    standIn.fail("cuCtxSynchronize", 1, StandIn.UNKNOWN);
    call(allocator, FREE, call(allocator, ALLOC, 1000));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(gpu::check)
        .withMessageContaining("cuCtxSynchronize on device 'cuda:0 Stand-in A' failed");
  }

  @Test
  void alloc_beyondTheLimit_isMemoryOfTheDriverAndCheckThrows() {
    long allocator = shared();
    long address = call(allocator, ALLOC, LIMIT_BYTES + 1);
    assertThat(device.hasRange(address, LIMIT_BYTES + 1)).isTrue();
    assertThat(standIn.usedBytes(0)).isGreaterThan(LIMIT_BYTES);
    assertThatExceptionOfType(BfcOutOfMemoryException.class)
        .isThrownBy(gpu::check)
        .withMessageStartingWith(
            "allocator 'gpu' is out of memory for 'tensors': 1 MiB (1,048,577 bytes) requested.");
    call(allocator, FREE, address);
    assertThat(standIn.usedBytes(0)).isZero();
    assertThat(gpu.report().overflow().refusedRequests()).isOne();
  }

  @Test
  void alloc_manyThreads_memoryIsDisjoint() throws Exception {
    long allocator = shared();
    try (Arena arena = Arena.ofShared();
        ExecutorService executor = Executors.newFixedThreadPool(4)) {
      List<Future<?>> threads = new ArrayList<>();
      for (int thread = 1; thread <= 4; thread++) {
        byte value = (byte) thread;
        long stream = stream(thread, arena).address();
        threads.add(
            executor.submit(() -> {
              byte[] read = new byte[3000];
              for (int i = 0; i < 200; i++) {
                long address = call(allocator, ALLOC_ON_STREAM, read.length, stream);
                device.fill(address, read.length, value);
                device.copyToHost(address, MemorySegment.ofArray(read));
                call(allocator, FREE, address);
                assertThat(read).containsOnly(value);
              }
            }));
      }
      for (Future<?> thread : threads) {
        thread.get();
      }
    }
    gpu.check();
    assertThat(gpu.statistics().bytesInUse()).isZero();
  }

  // ONNX Runtime itself.

  @Test
  void tensor_ofOnnxRuntime_isInMemoryOfTheDevice() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment shape = arena.allocateFrom(JAVA_LONG, 10, 100);
      long tensor = api.create(CREATE_TENSOR, shared(), shape, 2L, FLOAT);
      assertThat(gpu.statistics().requestedBytesInUse()).isEqualTo(4000);
      assertThat(standIn.alive(Kind.ALLOCATIONS)).isOne();
      release(tensor);
      assertThat(gpu.statistics().bytesInUse()).isZero();
    }
  }

  /** Calls {@code ReleaseValue}, which has no result. */
  private static void release(long value) {
    MemorySegment getApiBase = SymbolLookup.loaderLookup().findOrThrow("OrtGetApiBase");
    Linker linker = Linker.nativeLinker();
    try {
      long base =
          (long) linker.downcallHandle(getApiBase, FunctionDescriptor.of(JAVA_LONG)).invoke();
      MemorySegment getApi = MemorySegment.ofAddress(base).reinterpret(8).get(ADDRESS, 0);
      long table =
          (long)
              linker
                  .downcallHandle(getApi, FunctionDescriptor.of(JAVA_LONG, JAVA_INT))
                  .invoke(API_VERSION);
      MemorySegment release =
          MemorySegment.ofAddress(table)
              .reinterpret((RELEASE_VALUE + 1) * 8L)
              .getAtIndex(ADDRESS, RELEASE_VALUE);
      linker.downcallHandle(release, FunctionDescriptor.ofVoid(JAVA_LONG)).invoke(value);
    } catch (Throwable thrown) {
      throw new AssertionError("a C function threw an exception", thrown);
    }
  }

  private float[] run(OrtSession session) throws OrtException {
    float[] values = new float[5 * COLUMNS];
    for (int index = 0; index < values.length; index++) {
      values[index] = index % 7;
    }
    try (OnnxTensor x =
            OnnxTensor.createTensor(
                environment, FloatBuffer.wrap(values), new long[] {5, COLUMNS});
        OrtSession.Result result = session.run(Map.of("x", x))) {
      FloatBuffer y = ((OnnxTensor) result.get(0)).getFloatBuffer();
      float[] copy = new float[y.remaining()];
      y.get(copy);
      return copy;
    }
  }

  @Test
  void session_ofTheCpu_leavesMemoryOfTheDeviceAlone() throws Exception {
    try (OrtSession.SessionOptions plain = new OrtSession.SessionOptions();
        OrtSession.SessionOptions options = new OrtSession.SessionOptions();
        OrtSession own = environment.createSession(MODEL, plain)) {
      gpu.configure(options);
      try (OrtSession session = environment.createSession(MODEL, options)) {
        assertThat(run(session)).isEqualTo(run(own));
      }
    }
    assertThat(gpu.statistics().allocations()).isZero();
  }

  @Test
  void admit_runsOfASession_allocateFromTheDevice() throws Exception {
    Duration none = Duration.ZERO;
    long[] weights = new long[1];
    try (SessionMemory memory = gpu.openSession("session", 0, Long.MAX_VALUE)) {
      long allocator =
          memory.load(
              4096,
              none,
              () -> { // as a session that keeps the allocator, and has weights
                long registered = shared();
                weights[0] = call(registered, RESERVE, 4096);
                return registered;
              });
      assertThat(allocator).isNotEqualTo(shared());
      try (RunPermit _ = memory.admit(8192, none);
          Arena arena = Arena.ofConfined()) {
        long stream = stream(0x11, arena).address();
        long first = call(allocator, ALLOC_ON_STREAM, 4096, stream);
        call(allocator, FREE, first);
        assertThat(call(allocator, ALLOC, 8192)).isEqualTo(first);
        call(allocator, FREE, first);
        assertThat(memory.peakBytes()).isEqualTo(4096 + 8192);
      }
      assertThatExceptionOfType(MemoryRefusedException.class)
          .isThrownBy(() -> memory.admit(LIMIT_BYTES, none));
      call(allocator, FREE, weights[0]);
      assertThat(gpu.report().deviceWaits()).isOne();
      memory.check();
    }
  }

  @Test
  void permits_ofTheHostAndTheDevice_bothCount() throws Exception {
    Duration none = Duration.ZERO;
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator cpu =
            OnnxRuntimeAllocator.register("cpu", host, limitedTo(LIMIT_BYTES));
        SessionMemory onHost = cpu.openSession("session", 0, Long.MAX_VALUE);
        SessionMemory onDevice = gpu.openSession("session", 0, Long.MAX_VALUE);
        OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      gpu.configure(options); // for both allocators
      try (OrtSession session =
          onHost.load(
              1 << 16,
              none,
              () -> onDevice.load(256, none, () -> environment.createSession(MODEL, options)))) {
        try (RunPermit _ = onHost.admit(1 << 16, none);
            RunPermit _ = onDevice.admit(256, none)) {
          assertThat(run(session)).isNotEmpty();
        }
        assertThat(onHost.peakBytes()).isPositive();
      }
    }
  }

  @Test
  void pinned_ofTheDevice_isPinnedByTheDriver() {
    try (OnnxRuntimeAllocator pinned =
        OnnxRuntimeAllocator.registerCudaPinned("pinned", device, 0, limitedTo(LIMIT_BYTES))) {
      long allocator =
          api.sharedAllocator(env, api.createMemoryInfo("CudaPinned", 0, OUTPUTS_ON_THE_HOST));
      assertThat(allocator).isNotEqualTo(shared());
      assertThat(field(allocator, ALLOC_ON_STREAM)).as("frees follow the last use").isZero();
      long address = call(allocator, ALLOC, 1000);
      long second = call(allocator, ALLOC, 2 * LIMIT_BYTES);
      assertThat(standIn.alive(Kind.PINNED)).isEqualTo(2);
      MemorySegment.ofAddress(second).reinterpret(2 * LIMIT_BYTES).fill((byte) 1);
      call(allocator, FREE, address);
      call(allocator, FREE, second);
      assertThat(pinned.report().overflow().peakBytes()).isEqualTo(2 * LIMIT_BYTES);
      assertThat(pinned.report().deviceWaits()).isZero();
    }
    assertThat(standIn.alive(Kind.PINNED)).isZero();
  }
}
