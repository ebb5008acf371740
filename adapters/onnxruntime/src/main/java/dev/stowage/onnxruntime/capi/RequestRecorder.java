package dev.stowage.onnxruntime.capi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * An allocator of ONNX Runtime that reports its calls to a listener and takes memory from ONNX
 * Runtime's own allocator without an arena.
 *
 * <p>Sessions use it if they are created with {@code session.use_env_allocators}. The functions of
 * the allocator, some KiB, stay in memory, because ONNX Runtime does not report their last call.
 */
@SuppressWarnings({"restricted", "unused"}) // ONNX Runtime calls the functions
public final class RequestRecorder implements AutoCloseable {

  private static final FunctionDescriptor ALLOC =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor FREE = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor INFO = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);

  private static final int ALLOCATOR_ALLOC = 75;
  private static final int ALLOCATOR_FREE = 76;
  private static final int GET_DEFAULT_ALLOCATOR = 78;
  private static final int FIELDS = 7;

  private final OnnxRuntimeApi api;
  private final RequestListener listener;
  private final long env;
  private final long memoryInfo;
  private final long memory;

  /** The requests whose memory is in use, by addresses. */
  private final Map<Long, Integer> ids = new HashMap<>();

  private int count;

  private RequestRecorder(OnnxRuntimeApi api, RequestListener listener) {
    this.api = api;
    this.listener = listener;
    this.env = api.createEnv();
    this.memoryInfo = api.createMemoryInfo(OnnxRuntimeApi.DEVICE_ALLOCATOR);
    this.memory = api.create(GET_DEFAULT_ALLOCATOR);
  }

  /**
   * {@return an allocator that is registered until it is closed}
   *
   * @param api the functions of ONNX Runtime
   * @param listener receives the calls
   * @throws IllegalStateException if the process has another registered allocator
   */
  public static RequestRecorder register(OnnxRuntimeApi api, RequestListener listener) {
    RequestRecorder recorder = new RequestRecorder(api, listener);
    MemorySegment fields = Arena.global().allocate(JAVA_LONG, FIELDS);
    fields.set(JAVA_INT, 0, api.version());
    fields.setAtIndex(JAVA_LONG, 1, recorder.function("allocate", ALLOC));
    fields.setAtIndex(JAVA_LONG, 2, recorder.function("free", FREE));
    fields.setAtIndex(JAVA_LONG, 3, recorder.function("info", INFO));
    fields.setAtIndex(JAVA_LONG, 4, recorder.function("reserve", ALLOC));
    fields.setAtIndex(JAVA_LONG, 5, recorder.function("statistics", ALLOC));
    try {
      api.registerAllocator(recorder.env, fields.address());
    } catch (IllegalStateException rejected) {
      api.releaseEnv(recorder.env);
      throw rejected;
    }
    return recorder;
  }

  private long function(String method, FunctionDescriptor type) {
    try {
      MethodHandle function =
          MethodHandles.lookup().findVirtual(RequestRecorder.class, method, type.toMethodType());
      return Linker.nativeLinker()
          .upcallStub(function.bindTo(this), type, Arena.global())
          .address();
    } catch (ReflectiveOperationException absent) {
      throw new LinkageError("RequestRecorder has no method " + method, absent);
    }
  }

  // The functions of the OrtAllocator, which is their first argument.

  private synchronized long allocate(long self, long bytes) {
    int id = count;
    long address = take(bytes);
    listener.allocated(id, bytes);
    return address;
  }

  private synchronized long reserve(long self, long bytes) {
    int id = count;
    long address = take(bytes);
    listener.reserved(id, bytes);
    return address;
  }

  private long take(long bytes) {
    long address = api.create(ALLOCATOR_ALLOC, memory, Math.max(1, bytes));
    ids.put(address, count++);
    return address;
  }

  private synchronized void free(long self, long address) {
    if (address != 0) {
      listener.freed(Objects.requireNonNull(ids.remove(address)));
      api.call(ALLOCATOR_FREE, memory, address);
    }
  }

  private long info(long self) {
    return memoryInfo;
  }

  /**
   * Stores the address of the statistics and {@return the address of a failure, or 0}
   *
   * <p>Without an allocation in the statistics before an operator, ONNX Runtime does not ask for
   * those after it.
   */
  private synchronized long statistics(long self, long result) {
    listener.statisticsRead();
    MemorySegment.ofAddress(result)
        .reinterpret(JAVA_LONG.byteSize())
        .set(JAVA_LONG, 0, api.keyValuePairs(Map.of("NumAllocs", "1")));
    return 0;
  }

  /** Removes the allocator, after its sessions have been closed. */
  @Override
  public void close() {
    api.unregisterAllocator(env, memoryInfo);
    api.releaseEnv(env);
  }
}
