package dev.stowage.onnxruntime;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.MemoryRefusedException;
import dev.stowage.allocator.MonitoredAllocator;
import dev.stowage.allocator.TrimResult;
import dev.stowage.memory.device.Device;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.capi.EngineTelemetry;
import dev.stowage.onnxruntime.capi.LibraryCopies;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.lang.foreign.Arena;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;

/**
 * A BFC allocator for sessions of ONNX Runtime. They share its memory of the host or of a GPU,
 * instead of an arena for each session:
 *
 * {@snippet :
 * try (HostMemory host = HostMemory.open();
 *     OnnxRuntimeAllocator allocator =
 *         OnnxRuntimeAllocator.register("engine", host, BfcOptions.expandable());
 *     OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
 *   allocator.configure(options);
 *   try (OrtSession session = environment.createSession("model.onnx", options);
 *       OrtSession.Result result = session.run(inputs)) {
 *     allocator.check();
 *     System.out.println(allocator.report());
 *   }
 * }
 * }
 *
 * <p>Memory that a session keeps, such as weights and their form for kernels, has the tag {@code
 * weights}. All other memory has the tag {@code tensors}. Both are below the {@link
 * dev.stowage.allocator.AllocationTag} of the thread that creates or runs the session. Requests of
 * ONNX Runtime's own threads have no parent tag. Weights and tensors use the same regions and the
 * same limit. ONNX Runtime allocates weights of more than 127 bytes from this allocator only if the
 * session's entry {@code session.disable_prepacking} is {@code 1}. A request for 0 bytes takes 1
 * byte.
 *
 * <p>ONNX Runtime does not recover from a failed allocation. If the allocator refuses a request or
 * fails, the request therefore gets memory outside the limit, from the C library or the driver of
 * the device, and the outputs are correct. {@link #check()} throws the failure after the run. If
 * there is no such memory either, the logger {@code dev.stowage.onnxruntime} reports an error, and
 * ONNX Runtime ends the process, or kernels of the GPU fail.
 *
 * <p>ONNX Runtime 1.29 and newer report the use of models to their vendor. Only the environment
 * variable {@code ORT_DISABLE_TELEMETRY=1} of the process prevents this. If it is not set, the
 * logger {@code dev.stowage.onnxruntime} warns when an allocator is registered.
 *
 * <p>Some libraries, such as DJL, give ONNX Runtime's environment a thread pool of their own. Start
 * them before you register an allocator: they fail with "one already exists" if the environment
 * exists. Call {@code Engine.getEngine("OnnxRuntime")} of DJL first.
 *
 * <p>ONNX Runtime has one allocator of host memory for each process, so only one can be registered
 * at a time. Any number of threads and sessions can use it concurrently. Threads of ONNX Runtime
 * also call the listener. The memory of each GPU, and the memory of the host that is pinned for it,
 * have allocators of their own.
 */
public final class OnnxRuntimeAllocator implements AutoCloseable {

  private static final System.Logger LOGGER =
      System.getLogger(OnnxRuntimeAllocator.class.getPackageName());

  /*
   * ONNX Runtime's environment, one for each process, has the registered allocator. The statistics
   * of that allocator show whether it is an OnnxRuntimeAllocator. This class needs no static state
   * for that. Versions before 1.23 have no statistics, and refuse a second allocator.
   */

  private static final String USE_REGISTERED_ALLOCATORS = "session.use_env_allocators";

  /** With this entry, ONNX Runtime reserves memory for weights, so that they are not tensors. */
  private static final String RESERVE_WEIGHTS = "session.use_device_allocator_for_initializers";

  private static final int DEFAULT_MEMORY = 0;
  private static final int OUTPUTS_ON_THE_HOST = -1;

  private final EngineMemory memory;
  private final Registration registration;

  private OnnxRuntimeAllocator(EngineMemory memory, Registration registration) {
    this.memory = memory;
    this.registration = registration;
  }

  /**
   * {@return a new allocator, which sessions can use from now on}
   *
   * <p>The first call takes some hundred milliseconds, later calls tens of milliseconds.
   *
   * @param name the name in messages and reports
   * @param host provides the regions
   * @param options the options of the allocator; {@link BfcOptions#expandable()} reserves least
   * @throws IllegalCallerException if the module has no native access
   * @throws IllegalStateException if another allocator is registered, if the library of ONNX
   *     Runtime is not found, or if it is older than 1.20
   */
  public static OnnxRuntimeAllocator register(String name, HostMemory host, BfcOptions options) {
    return register(name, host, OnnxRuntimeOptions.of(options));
  }

  /**
   * {@return a new allocator, which sessions can use from now on, with a listener}
   *
   * @param name the name in messages and reports
   * @param host provides the regions
   * @param options the options of the allocator
   * @param listener is called for each request and free, for example a {@code TraceRecorder};
   *     {@link #check()} throws the first exception of the listener, and the request succeeds in
   *     any case
   * @throws IllegalCallerException if the module has no native access
   * @throws IllegalStateException if another allocator is registered, if the library of ONNX
   *     Runtime is not found, or if it is older than 1.20
   */
  public static OnnxRuntimeAllocator register(
      String name, HostMemory host, BfcOptions options, AllocationListener listener) {
    return register(name, host, OnnxRuntimeOptions.of(options).withListener(listener));
  }

  /**
   * {@return a new allocator, which sessions can use from now on, with all options}
   *
   * @param name the name in messages and reports
   * @param host provides the regions
   * @param options the options
   * @throws IllegalCallerException if the module has no native access
   * @throws IllegalStateException if another allocator is registered, if the library of ONNX
   *     Runtime is not found, or if it is older than 1.20
   */
  public static OnnxRuntimeAllocator register(
      String name, HostMemory host, OnnxRuntimeOptions options) {
    return register(
        name,
        EngineRegions.ofHost(new ReplayableRegions(host.newSubAllocator(options.allocator()))),
        options,
        api -> api.createMemoryInfo(OnnxRuntimeApi.DEVICE_ALLOCATOR));
  }

  /**
   * {@return a new allocator of the memory of a GPU, which sessions with the CUDA provider can use
   * from now on}
   *
   * <p>ONNX Runtime frees memory of a GPU while queued work still uses it. The same stream, which a
   * session uses again in its next run, can have the memory at once. If another stream gets it, the
   * request first waits until the GPU has completed all work ({@link
   * OnnxRuntimeReport#deviceWaits()}). Runs at the same time have different streams. They wait
   * least if few runs are active at the same time.
   *
   * <p>No session of the process may capture CUDA graphs ({@code enable_cuda_graph}): a graph uses
   * memory that ONNX Runtime has freed, and requests cannot wait for the GPU during a capture. A
   * request that cannot wait gets memory outside the limit.
   *
   * @param name the name in messages and reports
   * @param device the GPU; a {@code CudaDevice} of {@code stowage-cuda}
   * @param ordinal the number of the GPU, as in {@code SessionOptions.addCUDA(ordinal)}
   * @param options the options
   * @throws IllegalArgumentException if {@code ordinal < 0}, or if the device is not this GPU
   * @throws IllegalCallerException if the module has no native access
   * @throws IllegalStateException if another allocator of this memory is registered, if the library
   *     of ONNX Runtime is not found, or if it is older than 1.23
   */
  public static OnnxRuntimeAllocator registerCuda(
      String name, Device device, int ordinal, OnnxRuntimeOptions options) {
    checkDevice(name, device, ordinal);
    return register(
        name,
        EngineRegions.ofDevice(device, options.allocator()),
        options,
        api -> gpuMemoryInfo(api, "Cuda", ordinal, DEFAULT_MEMORY));
  }

  /**
   * {@return a new allocator of host memory, pinned for a GPU; sessions with the CUDA provider can
   * use it from now on}
   *
   * <p>The provider copies from and to such memory. Set a limit, because other programs cannot use
   * pinned memory.
   *
   * @param name the name in messages and reports
   * @param device the GPU; a {@code CudaDevice} of {@code stowage-cuda}
   * @param ordinal the number of the GPU, as in {@code SessionOptions.addCUDA(ordinal)}
   * @param options the options
   * @throws IllegalArgumentException if {@code ordinal < 0}, or if the device is not this GPU
   * @throws IllegalCallerException if the module has no native access
   * @throws IllegalStateException if another allocator of this memory is registered, if the library
   *     of ONNX Runtime is not found, or if it is older than 1.23
   */
  public static OnnxRuntimeAllocator registerCudaPinned(
      String name, Device device, int ordinal, OnnxRuntimeOptions options) {
    checkDevice(name, device, ordinal);
    return register(
        name,
        EngineRegions.ofStaging(device),
        options,
        api -> gpuMemoryInfo(api, "CudaPinned", ordinal, OUTPUTS_ON_THE_HOST));
  }

  private static long gpuMemoryInfo(OnnxRuntimeApi api, String kind, int ordinal, int memory) {
    api.checkStreams();
    return api.createMemoryInfo(kind, ordinal, memory);
  }

  private static void checkDevice(String name, Device device, int ordinal) {
    if (ordinal < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "allocator '%s' needs the number of a GPU, from 0: ordinal=%d",
              name,
              ordinal));
    }
    if (!device.cudaOrdinal().equals(OptionalInt.of(ordinal))) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "allocator '%s' is for GPU %d, but its device is '%s': open CudaDevice.open(%d)",
              name,
              ordinal,
              device.name(),
              ordinal));
    }
  }

  private static OnnxRuntimeAllocator register(
      String name,
      EngineRegions regions,
      OnnxRuntimeOptions options,
      ToLongFunction<OnnxRuntimeApi> newMemoryInfo) {
    synchronized (OnnxRuntimeAllocator.class) {
      return registered(name, regions, options, newMemoryInfo);
    }
  }

  private static OnnxRuntimeAllocator registered(
      String name,
      EngineRegions regions,
      OnnxRuntimeOptions options,
      ToLongFunction<OnnxRuntimeApi> newMemoryInfo) {
    OrtEnvironment engine = OrtEnvironment.getEnvironment(); // loads the library
    EngineTelemetry.warning(engine.getVersion(), System.getenv())
        .ifPresent(warning -> LOGGER.log(System.Logger.Level.WARNING, warning));
    LibraryCopies.delete();
    OnnxRuntimeApi api = OnnxRuntimeApi.ofLoadedLibrary();
    long env = api.createEnv();
    try {
      long memoryInfo = newMemoryInfo.applyAsLong(api);
      checkNoneRegistered(name, api, env, memoryInfo);
      EngineMemory memory = new EngineMemory(name, regions, options);
      WarmUp.run(api);
      EngineCalls calls = new EngineCalls(name, api, memory, memoryInfo, Arena.global());
      return new OnnxRuntimeAllocator(memory, registration(name, api, calls, env, memoryInfo));
    } catch (Throwable failure) {
      api.releaseEnv(env);
      throw failure;
    }
  }

  private static void checkNoneRegistered(
      String name, OnnxRuntimeApi api, long env, long memoryInfo) {
    long shared = api.hasStatistics() ? api.sharedAllocator(env, memoryInfo) : 0;
    Optional<String> other =
        shared == 0 ? Optional.empty() : api.statistic(shared, EngineCalls.NAME_KEY);
    if (other.isPresent()) {
      throw refused(name, "allocator '" + other.get() + "'");
    }
  }

  private static Registration registration(
      String name, OnnxRuntimeApi api, EngineCalls calls, long env, long memoryInfo) {
    try {
      return Registration.of(api, calls, env, memoryInfo);
    } catch (IllegalStateException rejected) {
      if (!OnnxRuntimeApi.isAlreadyRegistered(rejected)) {
        throw rejected;
      }
      IllegalStateException refused = refused(name, "another allocator");
      refused.initCause(rejected);
      throw refused;
    }
  }

  private static IllegalStateException refused(String name, String other) {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "allocator '%s' cannot be registered with ONNX Runtime: %s is registered; close that one first",
            name,
            other));
  }

  /**
   * Configures sessions to use the allocators that are registered when they are created.
   *
   * <p>If this allocator is of a GPU, the method also tags its weights.
   *
   * @param options the options of the sessions
   * @throws OrtException if ONNX Runtime rejects the entry
   */
  @SuppressWarnings("exports") // a caller that creates sessions requires ONNX Runtime's module
  public void configure(OrtSession.SessionOptions options) throws OrtException {
    options.addConfigEntry(USE_REGISTERED_ALLOCATORS, "1");
    if (memory.isStreamOrdered()) {
      options.addConfigEntry(RESERVE_WEIGHTS, "1");
    }
  }

  /**
   * Opens the memory of one session, with its own admission, peaks and failures.
   *
   * <p>Sessions of ONNX Runtime that are not created in {@link SessionMemory#load} need no such
   * memory. They have no admission: charge their bytes to {@link #account()}.
   *
   * @param name the name in messages, reports and tags
   * @param reservedBytes the bytes that are kept for the session while it is open
   * @param limitBytes the most bytes that are charged to its weights and runs together; {@link
   *     Long#MAX_VALUE} for no limit
   * @return the memory; the caller must close it
   * @throws IllegalArgumentException if {@code name} is empty, or unless {@code 0 <= reservedBytes
   *     <= limitBytes}
   * @throws IllegalStateException if a session of that name is open, or if the allocator is closed
   * @throws MemoryRefusedException if the reservation is not free; reservations do not wait
   */
  public SessionMemory openSession(String name, long reservedBytes, long limitBytes) {
    return new SessionMemory(memory, memory.open(name, reservedBytes, limitBytes), registration);
  }

  /** {@return the parent of the accounts of sessions} */
  public MemoryAccount account() {
    return memory.account();
  }

  /**
   * Throws the first failure since the last call, once. Programs call this method after a run, and
   * after the creation of a session.
   *
   * <p>A failure can belong to any session of the allocator. {@link SessionMemory#check()} throws
   * only the failures of one session.
   *
   * @throws BfcOutOfMemoryException if a request was refused; the message describes the allocator
   *     at the first refusal, and {@link #report()} counts all refusals
   * @throws IllegalStateException if the listener threw an exception, or if the system failed to
   *     provide or take back memory, which is the cause; the next call then throws a refused
   *     request
   */
  public void check() {
    memory.throwFailures();
  }

  /** {@return a report of the memory in use and of past use by tag; takes O(chunks)} */
  public OnnxRuntimeReport report() {
    return memory.report();
  }

  /**
   * {@return this allocator for metrics and management tools, without memory outside the limit}
   *
   * <p>Its failures are the requests that the allocator refused.
   */
  public MonitoredAllocator monitored() {
    return new MonitoredMemory(memory);
  }

  /** {@return the statistics of the allocator, without memory outside the limit} */
  public AllocatorStatistics statistics() {
    return memory.statistics();
  }

  /**
   * Returns free regions and the free ends of expandable regions to the system.
   *
   * <p>Use it in place of ONNX Runtime's run option {@code memory.enable_memory_arena_shrinkage}. A
   * run with this option fails, because this allocator is not an arena of ONNX Runtime.
   *
   * @return the number of bytes, and the allocations that keep the other regions
   * @throws IllegalStateException if the allocator is closed
   */
  public TrimResult trim() {
    return memory.trim();
  }

  /**
   * Removes the allocator from ONNX Runtime and returns its memory. A second call has no effect.
   *
   * <p>The caller must first close all sessions and results that hold memory. A session without
   * memory may stay open. If it is used again, it gets memory outside the limit, on a GPU only
   * while the device is open, and the logger {@code dev.stowage.onnxruntime} warns. Some KiB are
   * never freed, because ONNX Runtime keeps a pointer to them.
   *
   * @throws IllegalStateException if sessions or results hold memory, or the memory of a session is
   *     open; nothing changes then
   * @throws dev.stowage.memory.device.DeviceException if the system does not take a region back;
   *     the next call tries again
   */
  @Override
  public void close() {
    synchronized (OnnxRuntimeAllocator.class) {
      memory.close(registration::close);
    }
  }

  /** {@return "allocator" and its name} */
  @Override
  public String toString() {
    return memory.toString();
  }
}
