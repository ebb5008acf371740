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
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Memory as ONNX Runtime sees it: an {@code OrtAllocator}, whose functions call it. */
@SuppressWarnings("unused") // what the engine calls, and what it says there of itself
final class EngineCalls {

  /*
   * OrtAllocator, 8 bytes each, as of API 23 (pointers are longs):
   *
   *   version | Alloc | Free | Info | Reserve | GetStats | AllocOnStream, which we have none of
   *
   * One that is registered lives as long as the process, some KiB: a session keeps its allocator for
   * as long as it is open, also where that was unregistered in between, and nobody tells when the
   * last one is closed. A Shrink, which a later version has, would never be called for an allocator that
   * was registered (tried with 1.29).
   */

  static final int ALLOC = 1;
  static final int FREE = 2;
  private static final int INFO = 3;
  private static final int RESERVE = 4;
  private static final int GET_STATS = 5;
  private static final int FIELDS = 7;

  static final FunctionDescriptor ALLOC_TYPE =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);
  static final FunctionDescriptor FREE_TYPE = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor INFO_TYPE = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);

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

  /**
   * {@return the address of a new {@code OrtAllocator}}
   *
   * @param arena how long it can be called
   */
  static long newAllocator(
      String name, OnnxRuntimeApi api, EngineMemory memory, long memoryInfo, Arena arena) {
    EngineCalls calls = new EngineCalls(name, api, memory, memoryInfo);
    MemorySegment fields = arena.allocate(JAVA_LONG, FIELDS);
    fields.set(JAVA_INT, 0, OnnxRuntimeApi.VERSION);
    fields.setAtIndex(JAVA_LONG, ALLOC, calls.function("allocate", ALLOC_TYPE, arena));
    fields.setAtIndex(JAVA_LONG, FREE, calls.function("free", FREE_TYPE, arena));
    fields.setAtIndex(JAVA_LONG, INFO, calls.function("info", INFO_TYPE, arena));
    fields.setAtIndex(JAVA_LONG, RESERVE, calls.function("reserve", ALLOC_TYPE, arena));
    fields.setAtIndex(JAVA_LONG, GET_STATS, calls.function("statistics", ALLOC_TYPE, arena));
    return fields.address();
  }

  @SuppressWarnings("restricted") // this is what this module has its right for
  private long function(String method, FunctionDescriptor type, Arena arena) {
    try {
      MethodHandle function =
          MethodHandles.lookup().findVirtual(EngineCalls.class, method, type.toMethodType());
      return Linker.nativeLinker().upcallStub(function.bindTo(this), type, arena).address();
    } catch (ReflectiveOperationException absent) {
      throw new LinkageError(method + " is a method of this class", absent);
    }
  }

  // What the engine calls; in front of all arguments is the OrtAllocator itself.

  private long allocate(long self, long bytes) {
    return memory.allocate(bytes);
  }

  private void free(long self, long address) {
    memory.free(address);
  }

  private long info(long self) {
    return memoryInfo;
  }

  private long reserve(long self, long bytes) {
    return memory.reserve(bytes);
  }

  /** Writes where the statistics are to an address, and {@return a failure, or null} */
  @SuppressWarnings("restricted") // the engine gives a pointer
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
