package dev.stowage.onnxruntime;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.core.bfc.AllocatorStatistics;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * An {@code OrtAllocator} of ONNX Runtime, whose functions allocate from an {@link EngineMemory}.
 */
@SuppressWarnings(
    "unused") // ONNX Runtime calls the functions, with arguments that they do not need
final class EngineCalls {

  /*
   * The fields of an OrtAllocator of API 23, 8 bytes each:
   *
   *   version | Alloc | Free | Info | Reserve | GetStats | AllocOnStream (null)
   *
   * A registered OrtAllocator (some KiB) is never freed: an open session uses its allocator even after
   * it was unregistered, and ONNX Runtime does not report when the last session is closed. Later
   * versions also have Shrink, which ONNX Runtime does not call for registered allocators (tested with
   * 1.29).
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

  /** The key in the statistics of an allocator of this class; its value is the allocator's name. */
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
   * @param arena the arena of its functions, which can be called until the arena is closed
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

  @SuppressWarnings("restricted") // this module needs native access for such calls
  private long function(String method, FunctionDescriptor type, Arena arena) {
    try {
      MethodHandle function =
          MethodHandles.lookup().findVirtual(EngineCalls.class, method, type.toMethodType());
      return Linker.nativeLinker().upcallStub(function.bindTo(this), type, arena).address();
    } catch (ReflectiveOperationException absent) {
      throw new LinkageError("EngineCalls has no method " + method, absent);
    }
  }

  // The functions of the OrtAllocator, which is their first argument.

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
