package dev.stowage.onnxruntime.capi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

/**
 * The functions of ONNX Runtime's C API that manage environments and allocators.
 *
 * <p>A call takes microseconds, because its method handle is created for the call.
 */
@SuppressWarnings("restricted") // this module is the one with the right to make these calls
public final class OnnxRuntimeApi {

  /*
   * The API is a table of functions. A published slot never changes, and a library also has the slots
   * of older versions. A pointer is a long, and 0 is the null pointer. Memory that is passed only for
   * the time of a call is a segment.
   *
   * The version of the API is the minor version of ONNX Runtime. An older API than NEWEST lacks the
   * statistics of allocators, and the registered one cannot be identified or replaced. ONNX Runtime
   * writes to the standard error if it is asked for a version that it lacks.
   */

  /** The oldest version of the API in the tests of Stowage. */
  private static final int OLDEST = 20;

  /** The newest version of the API that Stowage uses, the first one with statistics. */
  private static final int NEWEST = 23;

  private static final int CREATE_STATUS = 0;
  private static final int GET_ERROR_MESSAGE = 2;
  private static final int CREATE_ENV = 3;
  private static final int CREATE_MEMORY_INFO = 68;
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
  private static final int GET_STREAM_HANDLE = 384;
  private static final int SLOTS = 390;
  private static final int SLOTS_OF_OLDEST = 285;

  private static final int FAILED = 1;
  private static final int WARNINGS = 2;
  private static final int DEFAULT_MEMORY = 0;

  /** The type of an allocator that is not an arena of ONNX Runtime. */
  public static final int DEVICE_ALLOCATOR = 0;

  /** The type of an arena of ONNX Runtime. */
  public static final int ARENA_ALLOCATOR = 1;

  /** The system property with the folder of the library for ONNX Runtime's Java classes. */
  private static final String LIBRARY_FOLDER = "onnxruntime.native.path";

  private static final String GET_API_BASE = "OrtGetApiBase";

  /** A part of the message of versions before 1.23 if another allocator is registered. */
  private static final String ALREADY_REGISTERED = "already been registered";

  private final int version;
  private final MemorySegment table;

  private OnnxRuntimeApi(int version, MemorySegment table) {
    this.version = version;
    this.table = table;
  }

  /**
   * {@return the API of the library that ONNX Runtime's Java classes have loaded}
   *
   * @throws IllegalCallerException if the module has no native access
   * @throws IllegalStateException if the library is not found or is older than 1.20
   */
  public static OnnxRuntimeApi ofLoadedLibrary() {
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
          "ONNX Runtime's C API needs native access: run with --enable-native-access="
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

  /** {@return the exception for a library that is not found; its message names the remedy} */
  static IllegalStateException notFound(Optional<String> folder) {
    String library = System.mapLibraryName("onnxruntime");
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "the library of ONNX Runtime is not found: another class loader than Stowage's loaded its Java classes, and %s; run with -D%s=FOLDER, a folder with a copy of %s, so that both use that copy",
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
    String engine = text((long) invoke(base.getAtIndex(ADDRESS, 1), JAVA_LONG));
    int version = version(engine);
    return of(engine, version, (long) invoke(base.get(ADDRESS, 0), JAVA_LONG, version));
  }

  /** {@return the API with a table of functions, which is 0 if the library lacks the version} */
  static OnnxRuntimeApi of(String engine, int version, long table) {
    if (table == 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the library of ONNX Runtime %s has no version %d of its C API: put another build of com.microsoft.onnxruntime:onnxruntime on the path of the program",
              engine,
              version));
    }
    int slots = version == NEWEST ? SLOTS : SLOTS_OF_OLDEST;
    return new OnnxRuntimeApi(
        version, MemorySegment.ofAddress(table).reinterpret(slots * ADDRESS.byteSize()));
  }

  /**
   * {@return the version of the API to use}
   *
   * @param engine the version of ONNX Runtime, such as {@code 1.29.0}
   * @throws IllegalStateException if Stowage does not fit it
   */
  static int version(String engine) {
    Optional<EngineRelease> release =
        EngineRelease.of(engine)
            .filter(each -> each.major() == 1) // the table of a later major version is unknown
            .filter(each -> each.isSince(OLDEST));
    if (release.isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "ONNX Runtime %s does not fit a Stowage allocator: expected 1.%d or a newer 1.x; put another version of com.microsoft.onnxruntime:onnxruntime on the path of the program",
              engine,
              OLDEST));
    }
    return Math.min(release.get().minor(), NEWEST);
  }

  /** {@return the version of the API, which each {@code OrtAllocator} has in its first field} */
  public int version() {
    return version;
  }

  /**
   * {@return true if allocators have statistics, and the registered one can be identified and
   * replaced: from ONNX Runtime 1.23 on}
   */
  public boolean hasStatistics() {
    return version >= NEWEST;
  }

  /**
   * {@return the environment of ONNX Runtime}
   *
   * <p>A process has one environment, which the Java classes also use. It lives until it has been
   * released once for each call of this method.
   */
  public long createEnv() {
    try (Arena local = Arena.ofConfined()) {
      return create(CREATE_ENV, WARNINGS, local.allocateFrom("stowage"));
    }
  }

  /**
   * Releases the environment once.
   *
   * @param env the environment
   */
  public void releaseEnv(long env) {
    invokeVoid(RELEASE_ENV, env);
  }

  /**
   * {@return a description of host memory}
   *
   * @param allocatorType {@link #DEVICE_ALLOCATOR} or {@link #ARENA_ALLOCATOR}; ONNX Runtime does
   *     not register allocators of other code as arenas
   */
  public long createMemoryInfo(int allocatorType) {
    return create(CREATE_CPU_MEMORY_INFO, allocatorType, DEFAULT_MEMORY);
  }

  /**
   * {@return a description of the memory of a device for allocators that are no arenas}
   *
   * @param name ONNX Runtime's name of the memory, such as {@code Cuda}
   * @param device the number of the device
   * @param kind 0 for memory of the device, and -1 for memory of the host that the device writes
   * @throws IllegalStateException if ONNX Runtime has no such memory
   */
  public long createMemoryInfo(String name, int device, int kind) {
    try (Arena local = Arena.ofConfined()) {
      return create(CREATE_MEMORY_INFO, local.allocateFrom(name), DEVICE_ALLOCATOR, device, kind);
    }
  }

  /**
   * Checks that ONNX Runtime passes the stream of a request to allocators of a GPU.
   *
   * @throws IllegalStateException if it is older than 1.23
   */
  public void checkStreams() {
    checkStreams(version);
  }

  static void checkStreams(int version) {
    if (version < NEWEST) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "ONNX Runtime 1.%d does not fit a Stowage allocator of a GPU: expected 1.%d or newer; put another version of com.microsoft.onnxruntime:onnxruntime_gpu on the path of the program",
              version,
              NEWEST));
    }
  }

  /**
   * {@return a function from an {@code OrtSyncStream} to the handle of the stream in its driver}
   *
   * <p>A call takes nanoseconds.
   */
  public LongUnaryOperator streamHandles() {
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(
                function(GET_STREAM_HANDLE), FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    return stream -> {
      try {
        return (long) handle.invokeExact(stream);
      } catch (Throwable thrown) {
        throw new AssertionError("a C function threw an exception", thrown);
      }
    };
  }

  /**
   * Registers an allocator, which sessions can share from now on.
   *
   * @param env the environment
   * @param allocator an {@code OrtAllocator}
   * @throws IllegalStateException if ONNX Runtime rejects it, as it does before 1.23 if another one
   *     is registered; later versions replace that one
   */
  public void registerAllocator(long env, long allocator) {
    call(REGISTER_ALLOCATOR, env, allocator);
  }

  /**
   * {@return true if ONNX Runtime rejected an allocator because another one is registered}
   *
   * @param rejected the exception of {@link #registerAllocator}
   */
  public static boolean isAlreadyRegistered(IllegalStateException rejected) {
    return String.valueOf(rejected.getMessage()).contains(ALREADY_REGISTERED);
  }

  /**
   * Removes the registered allocator.
   *
   * @param env the environment
   * @param memoryInfo the memory of the allocator
   * @throws IllegalStateException if ONNX Runtime rejects it
   */
  public void unregisterAllocator(long env, long memoryInfo) {
    call(UNREGISTER_ALLOCATOR, env, memoryInfo);
  }

  /**
   * {@return the allocator that sessions share: the registered one, else one of ONNX Runtime; 0 if
   * there is none}
   *
   * @param env the environment
   * @param memoryInfo the memory of the allocator
   */
  public long sharedAllocator(long env, long memoryInfo) {
    return create(GET_SHARED_ALLOCATOR, env, memoryInfo);
  }

  /**
   * {@return the value of a key in the statistics of an allocator, or empty if they lack the key}
   *
   * @param allocator an {@code OrtAllocator}
   * @param key the key
   */
  public Optional<String> statistic(long allocator, String key) {
    long pairs = create(ALLOCATOR_GET_STATS, allocator);
    try (Arena local = Arena.ofConfined()) {
      long value =
          (long) invoke(function(GET_KEY_VALUE), JAVA_LONG, pairs, local.allocateFrom(key));
      return value == 0 ? Optional.empty() : Optional.of(text(value));
    } finally {
      invokeVoid(RELEASE_KEY_VALUE_PAIRS, pairs);
    }
  }

  /**
   * {@return new {@code OrtKeyValuePairs}, which the receiver releases}
   *
   * @param values the pairs
   */
  public long keyValuePairs(Map<String, String> values) {
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

  /**
   * {@return a new {@code OrtStatus} of a failure, which the receiver releases}
   *
   * @param message the message
   */
  public long failure(String message) {
    try (Arena local = Arena.ofConfined()) {
      return (long) invoke(function(CREATE_STATUS), JAVA_LONG, FAILED, local.allocateFrom(message));
    }
  }

  /**
   * Calls a function with one more argument, a pointer to a result.
   *
   * @param slot the index of the function in the table
   * @param arguments the other arguments: {@link Integer}, {@link Long} or {@link MemorySegment}
   * @return the result
   * @throws IllegalStateException if the function fails, with ONNX Runtime's message
   */
  public long create(int slot, Object... arguments) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment result = local.allocate(ADDRESS);
      call(slot, Stream.concat(Arrays.stream(arguments), Stream.of(result)).toArray());
      return result.get(JAVA_LONG, 0);
    }
  }

  /**
   * Calls a function.
   *
   * @param slot the index of the function in the table
   * @param arguments the arguments: {@link Integer}, {@link Long} or {@link MemorySegment}
   * @throws IllegalStateException if the function fails, with ONNX Runtime's message
   */
  public void call(int slot, Object... arguments) {
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
