package dev.stowage.onnx.allocator;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.stowage.core.bfc.AllocationListener;
import dev.stowage.core.bfc.AllocatorStatistics;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import dev.stowage.core.bfc.TrimResult;
import dev.stowage.memory.device.HostMemory;
import java.lang.foreign.Arena;
import java.util.Locale;
import java.util.Optional;

/**
 * A BFC allocator that sessions of ONNX Runtime take their host memory from, instead of an arena
 * each:
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
 * <p>What sessions keep, weights and what kernels make of them, bears the tag {@code weights}, all
 * else {@code tensors}, below the {@link dev.stowage.core.bfc.AllocationTag} of the thread that
 * creates or runs the session; what threads of the engine's own ask for is below none. Both come
 * from the same regions and count against the same limit, where the engine's arena takes weights
 * beside. Weights above 127 bytes come from here only with the session's entry {@code
 * session.disable_prepacking} of {@code 1}; else the engine keeps them where it has read them, as
 * it does with its own arena. A request for no bytes takes one.
 *
 * <p>The engine can be told of no failure while it runs. What the allocator refuses, or fails at,
 * is answered with memory of the C library, outside the limit, so that the outputs are right even
 * then; {@link #check()} tells after the run. Only where the machine has no more memory at all is
 * that an end: the engine ends the process, after an error of the logger {@code
 * dev.stowage.onnx.allocator}.
 *
 * <p>The engine has one allocator for host memory, and so a process has one of these at a time.
 * Safe for use by many threads and sessions; every listener is called by threads of the engine,
 * too.
 */
public final class OnnxRuntimeAllocator implements AutoCloseable {

  /*
   * The engine's environment is one for the process, and holds what is registered. What is registered
   * there says in its statistics whether it is one of these, so that nothing of that is kept here.
   */

  private final OnnxRuntimeApi api;
  private final EngineMemory memory;
  private final long env;
  private final long memoryInfo;

  /** What is registered. */
  private final long allocator;

  private OnnxRuntimeAllocator(
      OnnxRuntimeApi api, EngineMemory memory, long env, long memoryInfo, long allocator) {
    this.api = api;
    this.memory = memory;
    this.env = env;
    this.memoryInfo = memoryInfo;
    this.allocator = allocator;
  }

  /**
   * {@return an allocator that sessions can use from now on}
   *
   * <p>The first time takes some tens of milliseconds.
   *
   * @param name how messages call it
   * @param host what gives regions
   * @param options how it grows, splits and gives up; {@link BfcOptions#expandable()} holds least
   * @throws IllegalCallerException if the module has no native access
   * @throws IllegalStateException if another one is registered; if the library of ONNX Runtime is
   *     not found; or if it is older than 1.23
   */
  public static OnnxRuntimeAllocator register(String name, HostMemory host, BfcOptions options) {
    return register(name, host, options, Optional.empty());
  }

  /**
   * {@return an allocator that sessions can use from now on, and that tells someone what it does}
   *
   * @param name how messages call it
   * @param host what gives regions
   * @param options how it grows, splits and gives up
   * @param listener who hears of each request and free, such as a {@link
   *     dev.stowage.core.trace.TraceRecorder}; what it throws is told by {@link #check()}, and the
   *     request is answered even so
   * @throws IllegalCallerException if the module has no native access
   * @throws IllegalStateException if another one is registered; if the library of ONNX Runtime is
   *     not found; or if it is older than 1.23
   */
  public static OnnxRuntimeAllocator register(
      String name, HostMemory host, BfcOptions options, AllocationListener listener) {
    return register(name, host, options, Optional.of(listener));
  }

  private static synchronized OnnxRuntimeAllocator register(
      String name, HostMemory host, BfcOptions options, Optional<AllocationListener> listener) {
    OrtEnvironment.getEnvironment(); // which loads the library
    OnnxRuntimeApi api = OnnxRuntimeApi.ofLoadedLibrary();
    long env = api.createEnv();
    boolean registered = false;
    try {
      long memoryInfo = api.createMemoryInfo();
      checkNoneRegistered(name, api, env, memoryInfo);
      EngineMemory memory =
          new EngineMemory(
              name, new ReplayableRegions(host.newSubAllocator(options)), options, listener);
      WarmUp.run(api);
      long allocator = EngineCalls.newAllocator(name, api, memory, memoryInfo, Arena.global());
      api.registerAllocator(env, allocator);
      registered = true;
      return new OnnxRuntimeAllocator(api, memory, env, memoryInfo, allocator);
    } finally {
      if (!registered) {
        api.releaseEnv(env);
      }
    }
  }

  private static void checkNoneRegistered(
      String name, OnnxRuntimeApi api, long env, long memoryInfo) {
    Optional<String> other =
        api.statistic(api.sharedAllocator(env, memoryInfo), EngineCalls.NAME_KEY);
    if (other.isPresent()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "allocator '%s' cannot be registered with ONNX Runtime, which has '%s': close that first",
              name,
              other.get()));
    }
  }

  /**
   * Lets sessions that are created with some options use the allocator that is registered then.
   *
   * @param options the sessions' options
   * @throws OrtException if the engine refuses
   */
  @SuppressWarnings(
      "exports") // Who has sessions has the engine's module, which ours can do without.
  public void configure(OrtSession.SessionOptions options) throws OrtException {
    options.addConfigEntry("session.use_env_allocators", "1");
  }

  /**
   * Tells what went wrong since the last time, and forgets it: to be called after a run, or after
   * creating a session.
   *
   * <p>Where several sessions run at once, it tells of any of them.
   *
   * @throws BfcOutOfMemoryException if a request was refused: the first one, with the allocator as
   *     it was then; {@link #report()} counts all
   * @throws IllegalStateException if the listener threw, or the system failed to give or take back
   *     memory, with that as its cause; a refused request is told the next time
   */
  public void check() {
    memory.raiseFailures();
  }

  /** {@return what sessions hold, and have used; costs O(chunks)} */
  public OnnxRuntimeReport report() {
    return memory.report();
  }

  /**
   * {@return what the allocator holds and has done; what was answered outside it is not counted}
   */
  public AllocatorStatistics statistics() {
    return memory.statistics();
  }

  /**
   * Gives what it can back to the system: wholly free regions and the free ends of expandable ones.
   *
   * <p>It is what the engine's run option {@code memory.enable_memory_arena_shrinkage} is for its
   * own arena; with this one, that option lets a run fail.
   *
   * @return how many bytes, and what pins the rest
   * @throws IllegalStateException if the allocator is closed
   */
  public TrimResult trim() {
    return memory.trim();
  }

  /**
   * Takes the allocator out of the engine and gives its memory back; does nothing if that is done.
   *
   * <p>All that sessions and results hold has to be freed before, as by closing them: memory that
   * the engine may touch is never taken from it. A session that holds none may be open still; if it
   * is used again it gets memory of the C library, and the logger {@code
   * dev.stowage.onnx.allocator} warns. Some KiB stay with the engine for the life of the process.
   *
   * @throws IllegalStateException if sessions or results hold memory; nothing changes
   * @throws dev.stowage.memory.device.DeviceException if the system does not take a region back; to
   *     close again is to try again
   */
  @Override
  public void close() {
    synchronized (OnnxRuntimeAllocator.class) {
      memory.close(() -> {
        // Others may have registered theirs in its place.
        if (api.sharedAllocator(env, memoryInfo) == allocator) {
          api.unregisterAllocator(env, memoryInfo);
        }
        api.releaseEnv(env);
      });
    }
  }

  /** {@return "allocator" and its name} */
  @Override
  public String toString() {
    return memory.toString();
  }
}
