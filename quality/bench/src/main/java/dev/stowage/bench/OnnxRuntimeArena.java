package dev.stowage.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import ai.onnxruntime.OrtEnvironment;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/**
 * The arena of an ONNX Runtime session with the CPU provider and default options. It lives as long
 * as the process.
 *
 * @param allocator the address of its {@code OrtAllocator}
 * @param allocFunction {@code void* Alloc(OrtAllocator*, size_t)}
 * @param freeFunction {@code void Free(OrtAllocator*, void*)}
 */
@SuppressWarnings("restricted") // reads fields of a C structure
record OnnxRuntimeArena(long allocator, MemorySegment allocFunction, MemorySegment freeFunction) {

  /*
   * An arena belongs to a session, and a session needs a model. GetSharedAllocator returns a plain
   * allocator over malloc, even if an arena is registered.
   */
  private static final int CREATE_SESSION_FROM_ARRAY = 8;
  private static final int CREATE_SESSION_OPTIONS = 10;
  private static final int SET_INTRA_OP_NUM_THREADS = 24;
  private static final int CREATE_ALLOCATOR = 131;

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

  /** {@return true if ONNX Runtime has a library for this machine} */
  static boolean isPresent() {
    try {
      OrtEnvironment.getEnvironment();
      return true;
    } catch (LinkageError absent) {
      return false;
    }
  }

  /**
   * {@return a new arena}
   *
   * @throws IllegalStateException if ONNX Runtime rejects a call
   */
  static OnnxRuntimeArena create() {
    OrtEnvironment.getEnvironment(); // loads the library
    OnnxRuntimeApi api = OnnxRuntimeApi.ofLoadedLibrary();
    try (Arena local = Arena.ofConfined()) {
      long options = api.create(CREATE_SESSION_OPTIONS);
      api.call(SET_INTRA_OP_NUM_THREADS, options, 1);
      MemorySegment model = local.allocateFrom(JAVA_BYTE, MODEL);
      long session =
          api.create(CREATE_SESSION_FROM_ARRAY, api.createEnv(), model, model.byteSize(), options);
      long allocator =
          api.create(
              CREATE_ALLOCATOR, session, api.createMemoryInfo(OnnxRuntimeApi.ARENA_ALLOCATOR));
      // Only an arena counts extensions.
      if (api.statistic(allocator, "NumArenaExtensions").isEmpty()) {
        throw new IllegalStateException("ONNX Runtime returned an allocator that is not an arena");
      }
      // The fields of an OrtAllocator are its version and its functions, Alloc and Free first.
      MemorySegment fields = MemorySegment.ofAddress(allocator).reinterpret(3 * ADDRESS.byteSize());
      return new OnnxRuntimeArena(
          allocator, fields.getAtIndex(ADDRESS, 1), fields.getAtIndex(ADDRESS, 2));
    }
  }
}
