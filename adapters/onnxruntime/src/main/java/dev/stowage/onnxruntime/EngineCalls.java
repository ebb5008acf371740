package dev.stowage.onnxruntime;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongUnaryOperator;

/** An {@code OrtAllocator} of ONNX Runtime. Its functions allocate from an {@link EngineMemory}. */
@SuppressWarnings(
    "unused") // ONNX Runtime calls the functions, with arguments that they do not need
final class EngineCalls {

  /*
   * The fields of an OrtAllocator of API 23, 8 bytes each:
   *
   *   version | Alloc | Free | Info | Reserve | GetStats | AllocOnStream
   *
   * AllocOnStream is null for memory of the host, so that ONNX Runtime calls Alloc in its place.
   *
   * All OrtAllocators of an EngineMemory have the same functions. The first argument of a function
   * is the address of the OrtAllocator, which leads to the account of the session. A registered
   * OrtAllocator (56 bytes, and some KiB for the functions) is never freed: an open session uses
   * its allocator even after it was unregistered, and ONNX Runtime does not report when the last
   * session is closed. Later versions also have Shrink, which ONNX Runtime does not call for
   * registered allocators (tested with
   * 1.29).
   */

  static final int ALLOC = 1;
  static final int FREE = 2;
  private static final int INFO = 3;
  private static final int RESERVE = 4;
  private static final int GET_STATS = 5;
  private static final int ALLOC_ON_STREAM = 6;
  private static final int FIELDS = 7;

  static final FunctionDescriptor ALLOC_TYPE =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);
  static final FunctionDescriptor FREE_TYPE = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor ALLOC_ON_STREAM_TYPE =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor INFO_TYPE = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);

  /** The key in the statistics of an allocator of this class; its value is the allocator's name. */
  static final String NAME_KEY = "Stowage";

  private final String name;
  private final OnnxRuntimeApi api;
  private final EngineMemory memory;
  private final long memoryInfo;
  private final Arena arena;
  private final long allocate;
  private final long free;
  private final long info;
  private final long reserve;
  private final long statistics;

  /** 0 for memory of the host. */
  private final long allocateOnStream;

  /** The accounts of open sessions by the addresses of their allocators. */
  private final Map<Long, SessionAccount> accounts = new ConcurrentHashMap<>();

  /**
   * Creates the functions.
   *
   * @param arena the arena of the functions, which can be called until the arena is closed
   */
  EngineCalls(String name, OnnxRuntimeApi api, EngineMemory memory, long memoryInfo, Arena arena) {
    this.name = name;
    this.api = api;
    this.memory = memory;
    this.memoryInfo = memoryInfo;
    this.arena = arena;
    this.allocate = function("allocate", ALLOC_TYPE);
    this.free = function("free", FREE_TYPE);
    this.info = function("info", INFO_TYPE);
    this.reserve = function("reserve", ALLOC_TYPE);
    this.statistics = function("statistics", ALLOC_TYPE);
    this.allocateOnStream = memory.isStreamOrdered() ? allocateOnStream(api.streamHandles()) : 0;
  }

  /**
   * {@return the address of a new function that allocates memory for a stream}
   *
   * @param handles the handles of streams
   */
  private long allocateOnStream(LongUnaryOperator handles) {
    MethodType type =
        ALLOC_ON_STREAM_TYPE.toMethodType().insertParameterTypes(0, LongUnaryOperator.class);
    return stub(method("allocateOnStream", type).bindTo(handles), ALLOC_ON_STREAM_TYPE);
  }

  /** {@return the address of a new {@code OrtAllocator} for sessions without an account} */
  long newAllocator() {
    MemorySegment fields = arena.allocate(JAVA_LONG, FIELDS);
    fields.set(JAVA_INT, 0, api.version());
    fields.setAtIndex(JAVA_LONG, ALLOC, allocate);
    fields.setAtIndex(JAVA_LONG, FREE, free);
    fields.setAtIndex(JAVA_LONG, INFO, info);
    fields.setAtIndex(JAVA_LONG, RESERVE, reserve);
    fields.setAtIndex(JAVA_LONG, GET_STATS, statistics);
    fields.setAtIndex(JAVA_LONG, ALLOC_ON_STREAM, allocateOnStream);
    return fields.address();
  }

  /** {@return the address of a new {@code OrtAllocator} for a session with an account} */
  long newAllocator(SessionAccount account) {
    long address = newAllocator();
    accounts.put(address, account);
    return address;
  }

  /** Charges later memory of a session to no account. */
  void remove(SessionAccount account) {
    accounts.values().removeIf(account::equals); // one for each session that was loaded
  }

  private SessionAccount account(long self) {
    return accounts.getOrDefault(self, memory.otherSessions());
  }

  private long function(String name, FunctionDescriptor type) {
    return stub(method(name, type.toMethodType()), type);
  }

  private MethodHandle method(String name, MethodType type) {
    try {
      return MethodHandles.lookup().findVirtual(EngineCalls.class, name, type).bindTo(this);
    } catch (ReflectiveOperationException absent) {
      throw new LinkageError("EngineCalls has no method " + name, absent);
    }
  }

  @SuppressWarnings("restricted") // this module needs native access for such calls
  private long stub(MethodHandle function, FunctionDescriptor type) {
    return Linker.nativeLinker().upcallStub(function, type, arena).address();
  }

  // The functions of the OrtAllocator, which is their first argument.

  private long allocate(long self, long bytes) {
    return memory.allocate(account(self), bytes);
  }

  private long allocateOnStream(LongUnaryOperator handles, long self, long bytes, long stream) {
    long handle = stream == 0 ? StreamOrder.UNKNOWN : handles.applyAsLong(stream);
    return memory.allocate(account(self), bytes, handle);
  }

  private void free(long self, long address) {
    memory.free(address);
  }

  private long info(long self) {
    return memoryInfo;
  }

  private long reserve(long self, long bytes) {
    return memory.reserve(account(self), bytes);
  }

  /** Stores the address of the statistics and {@return the address of a failure, or 0} */
  @SuppressWarnings("restricted") // the result is a C pointer
  private long statistics(long self, long result) {
    try {
      MemorySegment.ofAddress(result)
          .reinterpret(JAVA_LONG.byteSize())
          .set(JAVA_LONG, 0, api.keyValuePairs(statistics()));
      return 0;
    } catch (Throwable thrown) {
      return failure(thrown);
    }
  }

  private long failure(Throwable thrown) {
    try {
      return api.failure(
          String.format(Locale.ROOT, "allocator '%s' has no statistics: %s", name, thrown));
    } catch (Throwable _) {
      return 0; // ONNX Runtime then has neither statistics nor a message
    }
  }

  /** {@return the statistics that an arena of ONNX Runtime has, with the same keys} */
  private Map<String, String> statistics() {
    AllocatorStatistics now = memory.statistics();
    Map<String, String> values = new LinkedHashMap<>();
    values.put("Limit", "" + now.limitBytes());
    values.put("InUse", "" + now.bytesInUse());
    values.put("TotalAllocated", "" + now.reservedBytes());
    values.put("MaxInUse", "" + now.peakBytesInUse());
    values.put("NumAllocs", "" + now.allocations());
    values.put("NumReserves", "" + memory.reservations());
    values.put("NumArenaExtensions", "" + memory.extensions());
    values.put("NumArenaShrinkages", "" + memory.trims());
    values.put("MaxAllocSize", "" + now.largestChunkBytes());
    values.put(NAME_KEY, name);
    return values;
  }
}
