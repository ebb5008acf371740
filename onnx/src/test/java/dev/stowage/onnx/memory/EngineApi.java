package dev.stowage.onnx.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

/** The functions of ONNX Runtime's C API on allocators, for tests. */
@SuppressWarnings("restricted") // tests make these calls
final class EngineApi {

  /** The first version of the API with statistics. */
  static final int VERSION = 23;

  private static final int CREATE_ENV = 3;
  private static final int CREATE_CPU_MEMORY_INFO = 69;
  private static final int RELEASE_ENV = 92;
  private static final int CREATE_ALLOCATOR = 131;
  private static final int REGISTER_ALLOCATOR = 176;
  private static final int UNREGISTER_ALLOCATOR = 177;
  private static final int CREATE_PAIRS = 295;
  private static final int ADD_PAIR = 296;
  private static final int GET_VALUE = 297;
  private static final int GET_STATISTICS = 319;
  private static final int SLOTS = 390;
  private static final int WARNINGS = 2;
  private static final int DEVICE = 0;
  private static final int ARENA = 1;

  private final MemorySegment table;
  private final long env;

  EngineApi() {
    OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL); // loads the library
    MemorySegment base =
        pointer((long) invoke(SymbolLookup.loaderLookup().findOrThrow("OrtGetApiBase"), JAVA_LONG));
    this.table =
        pointer((long) invoke(base.get(ADDRESS, 0), JAVA_LONG, VERSION))
            .reinterpret(SLOTS * ADDRESS.byteSize());
    try (Arena local = Arena.ofConfined()) {
      this.env = create(CREATE_ENV, WARNINGS, local.allocateFrom("test"));
    }
  }

  private static MemorySegment pointer(long address) {
    return MemorySegment.ofAddress(address).reinterpret(ADDRESS.byteSize());
  }

  long deviceMemory() {
    return create(CREATE_CPU_MEMORY_INFO, DEVICE, 0);
  }

  void register(long allocator) {
    call(REGISTER_ALLOCATOR, env, allocator);
  }

  void unregister(long memoryInfo) {
    call(UNREGISTER_ALLOCATOR, env, memoryInfo);
    invokeVoid(RELEASE_ENV, env);
  }

  /** {@return the arena of a session, an {@code OrtAllocator}} */
  long arena(OrtSession session) throws ReflectiveOperationException {
    Field handle = OrtSession.class.getDeclaredField("nativeHandle");
    handle.setAccessible(true);
    return create(
        CREATE_ALLOCATOR, handle.getLong(session), create(CREATE_CPU_MEMORY_INFO, ARENA, 0));
  }

  /** {@return a statistic of an arena} */
  long statistic(long arena, String key) {
    long pairs = create(GET_STATISTICS, arena);
    try (Arena local = Arena.ofConfined()) {
      long value = (long) invoke(function(GET_VALUE), JAVA_LONG, pairs, local.allocateFrom(key));
      return Long.parseLong(
          MemorySegment.ofAddress(value).reinterpret(Long.MAX_VALUE).getString(0));
    }
  }

  /** {@return a function of an allocator, by its index in the fields} */
  static MemorySegment function(long allocator, int field) {
    return MemorySegment.ofAddress(allocator)
        .reinterpret((field + 1) * ADDRESS.byteSize())
        .getAtIndex(ADDRESS, field);
  }

  /** {@return new pairs of keys and values} */
  long pairs(Map<String, String> values) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment result = local.allocate(ADDRESS);
      invokeVoid(CREATE_PAIRS, result);
      long pairs = result.get(JAVA_LONG, 0);
      values.forEach((key, value) ->
          invokeVoid(ADD_PAIR, pairs, local.allocateFrom(key), local.allocateFrom(value)));
      return pairs;
    }
  }

  private long create(int slot, Object... arguments) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment result = local.allocate(ADDRESS);
      call(slot, Stream.concat(Arrays.stream(arguments), Stream.of(result)).toArray());
      return result.get(JAVA_LONG, 0);
    }
  }

  private void call(int slot, Object... arguments) {
    long status = (long) invoke(function(slot), JAVA_LONG, arguments);
    if (status != 0) {
      throw new AssertionError("ONNX Runtime rejects a call: slot=" + slot);
    }
  }

  private MemorySegment function(int slot) {
    return table.getAtIndex(ADDRESS, slot);
  }

  private void invokeVoid(int slot, Object... arguments) {
    invoke(function(slot), FunctionDescriptor.ofVoid(layouts(arguments)), arguments);
  }

  private static Object invoke(MemorySegment function, MemoryLayout result, Object... arguments) {
    return invoke(function, FunctionDescriptor.of(result, layouts(arguments)), arguments);
  }

  static Object invoke(MemorySegment function, FunctionDescriptor type, Object... arguments) {
    try {
      return Linker.nativeLinker().downcallHandle(function, type).invokeWithArguments(arguments);
    } catch (Throwable thrown) {
      throw new AssertionError("a C function threw an exception", thrown);
    }
  }

  private static MemoryLayout[] layouts(Object... arguments) {
    return Arrays.stream(arguments)
        .map(argument ->
            switch (argument) {
              case Integer _ -> JAVA_INT;
              case Long _ -> JAVA_LONG;
              default -> ADDRESS;
            })
        .toArray(MemoryLayout[]::new);
  }
}
