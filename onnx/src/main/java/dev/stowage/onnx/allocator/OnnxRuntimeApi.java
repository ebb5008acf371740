package dev.stowage.onnx.allocator;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What of ONNX Runtime's C API it takes to register an allocator.
 *
 * <p>Calls take microseconds: they are for setting up and for statistics.
 */
@SuppressWarnings("restricted") // these are the calls that this module has its right for
final class OnnxRuntimeApi {

  /*
   * The API is a table of functions, in which a published slot never changes; a library has those of
   * older versions, too. Pointers are longs here, 0 being none; what is passed for the time of a
   * call is a segment.
   */

  /** The first version with GetStats: ONNX Runtime 1.23. */
  static final int VERSION = 23;

  private static final int CREATE_STATUS = 0;
  private static final int GET_ERROR_MESSAGE = 2;
  private static final int CREATE_ENV = 3;
  private static final int CREATE_CPU_MEMORY_INFO = 69;
  private static final int RELEASE_ENV = 92;
  private static final int RELEASE_STATUS = 93;
  private static final int REGISTER_ALLOCATOR = 176;
  private static final int UNREGISTER_ALLOCATOR = 177;
  private static final int CREATE_KEY_VALUE_PAIRS = 295;
  private static final int ADD_KEY_VALUE_PAIR = 296;
  private static final int GET_KEY_VALUE = 297;
  private static final int RELEASE_KEY_VALUE_PAIRS = 300;
  private static final int ALLOCATOR_GET_STATS = 319;
  private static final int GET_SHARED_ALLOCATOR = 376;
  private static final int SLOTS = 390;

  private static final int FAILED = 1;
  private static final int WARNINGS = 2;
  private static final int DEVICE_ALLOCATOR = 0;
  private static final int DEFAULT_MEMORY = 0;

  /** Where users say that ONNX Runtime's own class finds the library. */
  private static final String LIBRARY_FOLDER = "onnxruntime.native.path";

  private static final String GET_API_BASE = "OrtGetApiBase";

  private final MemorySegment table;

  private OnnxRuntimeApi(MemorySegment table) {
    this.table = table;
  }

  /**
   * {@return the API of the library that the Java classes of ONNX Runtime have loaded}
   *
   * @throws IllegalCallerException if the module has no native access
   * @throws IllegalStateException if the library cannot be found, or is older than 1.23
   */
  static OnnxRuntimeApi ofLoadedLibrary() {
    checkNativeAccess();
    Optional<String> folder = Optional.ofNullable(System.getProperty(LIBRARY_FOLDER));
    MemorySegment getApiBase =
        SymbolLookup.loaderLookup()
            .find(GET_API_BASE)
            .or(() -> folder.flatMap(OnnxRuntimeApi::findIn))
            .orElseThrow(() -> notFound(folder));
    return of(getApiBase);
  }

  private static void checkNativeAccess() {
    try {
      MemorySegment _ = MemorySegment.NULL.reinterpret(0);
    } catch (IllegalCallerException e) {
      Module module = OnnxRuntimeApi.class.getModule();
      throw new IllegalCallerException(
          "an allocator for ONNX Runtime needs native access: run with --enable-native-access="
              + (module.isNamed() ? module.getName() : "ALL-UNNAMED"),
          e);
    }
  }

  private static Optional<MemorySegment> findIn(String folder) {
    Path library = Path.of(folder, System.mapLibraryName("onnxruntime"));
    try {
      return SymbolLookup.libraryLookup(library, Arena.global()).find(GET_API_BASE);
    } catch (IllegalArgumentException absent) {
      return Optional.empty();
    }
  }

  /** {@return what is wrong, and what helps} */
  static IllegalStateException notFound(Optional<String> folder) {
    String library = System.mapLibraryName("onnxruntime");
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "the library of ONNX Runtime is not found: its Java classes were loaded by another class loader than Stowage's, and %s: run with -D%s=FOLDER, the folder of a copy of %s, which both then use",
            folder
                .map(path ->
                    String.format(Locale.ROOT, "%s has no %s with %s", path, library, GET_API_BASE))
                .orElse("-D" + LIBRARY_FOLDER + " is not set"),
            LIBRARY_FOLDER,
            library));
  }

  private static OnnxRuntimeApi of(MemorySegment getApiBase) {
    MemorySegment base =
        MemorySegment.ofAddress((long) invoke(getApiBase, JAVA_LONG))
            .reinterpret(2 * ADDRESS.byteSize());
    long table = (long) invoke(base.get(ADDRESS, 0), JAVA_LONG, VERSION);
    if (table == 0) {
      String version = text((long) invoke(base.getAtIndex(ADDRESS, 1), JAVA_LONG));
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "ONNX Runtime %s is too old for a Stowage allocator: expected 1.%d or newer",
              version,
              VERSION));
    }
    return new OnnxRuntimeApi(
        MemorySegment.ofAddress(table).reinterpret(SLOTS * ADDRESS.byteSize()));
  }

  /**
   * {@return the engine's environment}
   *
   * <p>A process has one, which is that of the Java classes; it lives until it was released as
   * often as this was called.
   */
  long createEnv() {
    try (Arena local = Arena.ofConfined()) {
      return create(CREATE_ENV, WARNINGS, local.allocateFrom("stowage"));
    }
  }

  void releaseEnv(long env) {
    invokeVoid(RELEASE_ENV, env);
  }

  /** {@return a description of host memory from an allocator that is no arena of the engine} */
  long createMemoryInfo() {
    // As an arena, an allocator that is not the engine's own is refused.
    return create(CREATE_CPU_MEMORY_INFO, DEVICE_ALLOCATOR, DEFAULT_MEMORY);
  }

  void registerAllocator(long env, long allocator) {
    call(REGISTER_ALLOCATOR, env, allocator);
  }

  void unregisterAllocator(long env, long memoryInfo) {
    call(UNREGISTER_ALLOCATOR, env, memoryInfo);
  }

  /**
   * {@return the allocator that sessions share: the one that is registered, or the engine's own}
   */
  long sharedAllocator(long env, long memoryInfo) {
    return create(GET_SHARED_ALLOCATOR, env, memoryInfo);
  }

  /** {@return what an allocator says under a key of its statistics, or empty if it says nothing} */
  Optional<String> statistic(long allocator, String key) {
    long pairs = create(ALLOCATOR_GET_STATS, allocator);
    try (Arena local = Arena.ofConfined()) {
      long value =
          (long) invoke(function(GET_KEY_VALUE), JAVA_LONG, pairs, local.allocateFrom(key));
      return value == 0 ? Optional.empty() : Optional.of(text(value));
    } finally {
      invokeVoid(RELEASE_KEY_VALUE_PAIRS, pairs);
    }
  }

  /** {@return new pairs of the engine} */
  long keyValuePairs(Map<String, String> values) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment result = local.allocate(ADDRESS);
      invokeVoid(CREATE_KEY_VALUE_PAIRS, result);
      long pairs = result.get(JAVA_LONG, 0);
      values.forEach((key, value) ->
          invokeVoid(
              ADD_KEY_VALUE_PAIR, pairs, local.allocateFrom(key), local.allocateFrom(value)));
      return pairs;
    }
  }

  /** {@return a new status that tells the engine of a failure} */
  long failure(String message) {
    try (Arena local = Arena.ofConfined()) {
      return (long) invoke(function(CREATE_STATUS), JAVA_LONG, FAILED, local.allocateFrom(message));
    }
  }

  /** Calls a function and {@return what it stores at its last argument, which is added} */
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
      String message = text((long) invoke(function(GET_ERROR_MESSAGE), JAVA_LONG, status));
      invokeVoid(RELEASE_STATUS, status);
      throw new IllegalStateException("ONNX Runtime: " + message);
    }
  }

  private MemorySegment function(int slot) {
    return table.getAtIndex(ADDRESS, slot);
  }

  private static String text(long address) {
    return MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
  }

  private void invokeVoid(int slot, Object... arguments) {
    invoke(function(slot), FunctionDescriptor.ofVoid(layouts(arguments)), arguments);
  }

  private static Object invoke(MemorySegment function, MemoryLayout result, Object... arguments) {
    return invoke(function, FunctionDescriptor.of(result, layouts(arguments)), arguments);
  }

  private static Object invoke(
      MemorySegment function, FunctionDescriptor type, Object... arguments) {
    try {
      return Linker.nativeLinker().downcallHandle(function, type).invokeWithArguments(arguments);
    } catch (Throwable thrown) {
      throw new AssertionError("a function of ONNX Runtime throws nothing", thrown);
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
