package dev.stowage.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The arena of a session of ONNX Runtime on its CPU provider, with all defaults; it lives as long
 * as the process.
 *
 * @param allocator its {@code OrtAllocator}
 * @param allocFunction {@code void* Alloc(OrtAllocator*, size_t)}
 * @param freeFunction {@code void Free(OrtAllocator*, void*)}
 */
@SuppressWarnings("restricted") // What this class is for.
record OnnxRuntimeArena(
    MemorySegment allocator, MemorySegment allocFunction, MemorySegment freeFunction) {

  /*
   * Arenas belong to sessions: what GetSharedAllocator gives, even where an arena was registered,
   * is a plain allocator over malloc. A session wants a model.
   */
  private static final int CREATE_ENV = 3;
  private static final int CREATE_SESSION_FROM_ARRAY = 8;
  private static final int CREATE_SESSION_OPTIONS = 10;
  private static final int SET_INTRA_OP_NUM_THREADS = 24;
  private static final int CREATE_CPU_MEMORY_INFO = 69;
  private static final int CREATE_ALLOCATOR = 131;
  private static final int ALLOCATOR_GET_STATS = 319;

  private static final int LOGGING_LEVEL_WARNING = 2;
  private static final int ARENA_ALLOCATOR = 1;
  private static final int MEM_TYPE_DEFAULT = 0;

  /** The smallest model, as protobuf: IR 8, the graph g of y = Identity(x), opset 13. */
  private static final byte[] MODEL =
      HexFormat.of()
          .parseHex(
              "0808"
                  + "3a37"
                  + "0a10"
                  + "0a0178"
                  + "120179"
                  + "22084964656e74697479"
                  + "120167"
                  + "5a0f"
                  + "0a0178"
                  + "120a0a08080112040a020801"
                  + "620f"
                  + "0a0179"
                  + "120a0a08080112040a020801"
                  + "4202100d");

  /** {@return where the library is among the resources, or empty where none fits this machine} */
  static Optional<String> resource() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    boolean arm = System.getProperty("os.arch").equals("aarch64");
    String folder = "/ai/onnxruntime/native/";
    if (system.startsWith("linux")) {
      return Optional.of(folder + (arm ? "linux-aarch64" : "linux-x64") + "/libonnxruntime.so");
    }
    return system.startsWith("mac") && arm
        ? Optional.of(folder + "osx-aarch64/libonnxruntime.dylib")
        : Optional.empty();
  }

  /**
   * {@return a new arena}
   *
   * @throws IllegalStateException if ONNX Runtime refuses
   */
  static OnnxRuntimeArena create() {
    try (Arena local = Arena.ofConfined()) {
      OnnxRuntimeApi api = OnnxRuntimeApi.of(load());
      MemorySegment env =
          api.create(CREATE_ENV, LOGGING_LEVEL_WARNING, local.allocateFrom("stowage-bench"));
      MemorySegment options = api.create(CREATE_SESSION_OPTIONS);
      api.call(SET_INTRA_OP_NUM_THREADS, options, 1);
      MemorySegment model = local.allocateFrom(JAVA_BYTE, MODEL);
      MemorySegment session =
          api.create(CREATE_SESSION_FROM_ARRAY, env, model, model.byteSize(), options);
      MemorySegment info = api.create(CREATE_CPU_MEMORY_INFO, ARENA_ALLOCATOR, MEM_TYPE_DEFAULT);
      MemorySegment allocator = api.create(CREATE_ALLOCATOR, session, info);
      // An OrtAllocator is a version and then its functions, Alloc and Free in front.
      MemorySegment fields = allocator.reinterpret(3 * JAVA_LONG.byteSize());
      OnnxRuntimeArena arena =
          new OnnxRuntimeArena(allocator, fields.get(ADDRESS, 8), fields.get(ADDRESS, 16));
      checkArena(api.create(ALLOCATOR_GET_STATS, allocator), api);
      return arena;
    }
  }

  private static void checkArena(MemorySegment statistics, OnnxRuntimeApi api) {
    // Only arenas count extensions.
    if (api.value(statistics, "NumArenaExtensions").isEmpty()) {
      throw new IllegalStateException("ONNX Runtime gave an allocator that is no arena");
    }
  }

  private static SymbolLookup load() {
    String resource =
        resource().orElseThrow(() -> new IllegalStateException("there is none for this machine"));
    try (InputStream in =
        Objects.requireNonNull(OnnxRuntimeArena.class.getResourceAsStream(resource), resource)) {
      Path file = Files.createTempFile("onnxruntime", ".lib");
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      SymbolLookup library = SymbolLookup.libraryLookup(file, Arena.global());
      // Mapped, it needs its name no more.
      Files.delete(file);
      return library;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
