package dev.stowage.onnxbudget.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ai.onnxruntime.OrtSession;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The arena of a session of ONNX Runtime, for requests of a test. */
@SuppressWarnings("restricted") // a test makes these calls
final class EngineArenaCalls {

  private static final FunctionDescriptor ALLOC =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final FunctionDescriptor FREE = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG);
  private static final int CREATE_ALLOCATOR = 131;
  private static final int ALLOCATE = 1;
  private static final int RELEASE = 2;
  private static final int RESERVE = 4;

  private final OnnxRuntimeApi api = OnnxRuntimeApi.ofLoadedLibrary();
  private final long arena;

  EngineArenaCalls(OrtSession session) throws ReflectiveOperationException {
    Field handle = OrtSession.class.getDeclaredField("nativeHandle");
    handle.setAccessible(true);
    this.arena =
        api.create(
            CREATE_ALLOCATOR,
            handle.getLong(session),
            api.createMemoryInfo(OnnxRuntimeApi.ARENA_ALLOCATOR));
  }

  /** {@return the statistic of the arena after requests, whose remaining memory is then freed} */
  long totalAllocatedBytes(List<Request> requests) {
    Map<Integer, Long> addresses = new HashMap<>();
    for (Request request : requests) {
      switch (request) {
        case Request.Allocate(int id, long bytes) ->
            addresses.put(id, (long) invoke(ALLOCATE, ALLOC, arena, bytes));
        case Request.Reserve(int id, long bytes) ->
            addresses.put(id, (long) invoke(RESERVE, ALLOC, arena, bytes));
        case Request.Free(int id) ->
            invoke(RELEASE, FREE, arena, Objects.requireNonNull(addresses.remove(id)));
      }
    }
    long bytes = Long.parseLong(api.statistic(arena, "TotalAllocated").orElseThrow());
    addresses.values().forEach(address -> invoke(RELEASE, FREE, arena, address));
    return bytes;
  }

  private Object invoke(int field, FunctionDescriptor type, Object... arguments) {
    MemorySegment function =
        MemorySegment.ofAddress(arena)
            .reinterpret((field + 1) * ADDRESS.byteSize())
            .getAtIndex(ADDRESS, field);
    try {
      return Linker.nativeLinker().downcallHandle(function, type).invokeWithArguments(arguments);
    } catch (Throwable thrown) {
      throw new AssertionError("a C function threw an exception", thrown);
    }
  }
}
