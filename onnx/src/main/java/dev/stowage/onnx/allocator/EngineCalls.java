package dev.stowage.onnx.allocator;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.core.bfc.AllocatorStatistics;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.Map;

/** Memory as ONNX Runtime sees it: an {@code OrtAllocator}, whose functions call it. */
final class EngineCalls {

  /*
   * OrtAllocator, 8 bytes each, as of API 23 (pointers are longs):
   *
   *   version | Alloc | Free | Info | Reserve | GetStats | AllocOnStream, which we have none of
   *
   * It and its functions live as long as the process, some KiB: a session keeps its allocator for as
   * long as it is open, also where that was unregistered in between, and nobody tells when the last
   * one is closed. A Shrink, which a later version has, would never be called for an allocator that
   * was registered (tried with 1.29).
   */

  private static final int FIELDS = 7;

  /** Under which an allocator of ours is known among the statistics of others. */
  static final String NAME_KEY = "Stowage";

  private final String name;
  private final OnnxRuntimeApi api;
  private final EngineMemory memory;
  private final long memoryInfo;

  private EngineCalls(String name, OnnxRuntimeApi api, EngineMemory memory, long memoryInfo) {
    this.name = name;
    this.api = api;
    this.memory = memory;
    this.memoryInfo = memoryInfo;
  }

  /** {@return the address of a new {@code OrtAllocator}, which stays for ever} */
  static long newAllocator(String name, OnnxRuntimeApi api, EngineMemory memory, long memoryInfo) {
    EngineCalls calls = new EngineCalls(name, api, memory, memoryInfo);
    MemorySegment fields = Arena.global().allocate(JAVA_LONG, FIELDS);
    fields.set(JAVA_INT, 0, OnnxRuntimeApi.VERSION);
    fields.setAtIndex(JAVA_LONG, 1, calls.function("allocate", long.class, long.class));
    fields.setAtIndex(JAVA_LONG, 2, calls.function("free", void.class, long.class));
    fields.setAtIndex(JAVA_LONG, 3, calls.function("info", long.class));
    fields.setAtIndex(JAVA_LONG, 4, calls.function("reserve", long.class, long.class));
    fields.setAtIndex(JAVA_LONG, 5, calls.function("statistics", long.class, long.class));
    return fields.address();
  }

  @SuppressWarnings("restricted") // this is what this module has its right for
  private long function(String method, Class<?> result, Class<?>... arguments) {
    MethodHandle handle = MethodHandles.insertArguments(handle(method, result, arguments), 0, this);
    // In front of all others is the OrtAllocator itself.
    MethodHandle function = MethodHandles.dropArguments(handle, 0, long.class);
    FunctionDescriptor type =
        switch (arguments.length) {
          case 0 -> FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
          default ->
              result == void.class
                  ? FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG)
                  : FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);
        };
    return Linker.nativeLinker().upcallStub(function, type, Arena.global()).address();
  }

  private static MethodHandle handle(String method, Class<?> result, Class<?>... arguments) {
    try {
      return MethodHandles.lookup()
          .findVirtual(EngineCalls.class, method, MethodType.methodType(result, arguments));
    } catch (ReflectiveOperationException absent) {
      throw new LinkageError(method + " is a method of this class", absent);
    }
  }

  @SuppressWarnings("UnusedMethod") // called by the engine
  private long allocate(long bytes) {
    return memory.allocate(bytes);
  }

  @SuppressWarnings("UnusedMethod") // called by the engine
  private void free(long address) {
    memory.free(address);
  }

  @SuppressWarnings("UnusedMethod") // called by the engine
  private long info() {
    return memoryInfo;
  }

  @SuppressWarnings("UnusedMethod") // called by the engine
  private long reserve(long bytes) {
    return memory.reserve(bytes);
  }

  /** Writes where the statistics are to an address, and {@return a failure, or null} */
  @SuppressWarnings({"UnusedMethod", "restricted"}) // called by the engine, with a pointer
  private long statistics(long result) {
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
      return api.failure("allocator '%s' has no statistics: %s".formatted(name, thrown));
    } catch (Throwable _) {
      return 0; // the engine then has no statistics, and no reason
    }
  }

  /** {@return the numbers that the engine's own arena gives, under the same names} */
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
