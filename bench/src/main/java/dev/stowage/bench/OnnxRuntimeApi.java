package dev.stowage.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * ONNX Runtime's C API: a table of functions in which a published slot never changes.
 *
 * <p>Calls are slow and meant for setting up alone.
 */
@SuppressWarnings("restricted") // What this class is for.
final class OnnxRuntimeApi {

  private static final int API_VERSION = 23;
  private static final int GET_ERROR_MESSAGE = 2;
  private static final int GET_KEY_VALUE = 297;
  private static final int SLOTS = 400;

  private final MemorySegment table;

  private OnnxRuntimeApi(MemorySegment table) {
    this.table = table;
  }

  /** {@return the API of a library} */
  static OnnxRuntimeApi of(SymbolLookup library) {
    MemorySegment getApiBase = library.findOrThrow("OrtGetApiBase");
    MemorySegment base = (MemorySegment) invoke(getApiBase, ADDRESS);
    MemorySegment getApi = base.reinterpret(ADDRESS.byteSize()).get(ADDRESS, 0);
    MemorySegment table = (MemorySegment) invoke(getApi, ADDRESS, API_VERSION);
    return new OnnxRuntimeApi(table.reinterpret(SLOTS * ADDRESS.byteSize()));
  }

  /**
   * Calls a function.
   *
   * @throws IllegalStateException with ONNX Runtime's message if it fails
   */
  void call(int slot, Object... arguments) {
    MemorySegment status = (MemorySegment) invoke(function(slot), ADDRESS, arguments);
    if (status.address() != 0) {
      throw new IllegalStateException(
          "ONNX Runtime: "
              + text((MemorySegment) invoke(function(GET_ERROR_MESSAGE), ADDRESS, status)));
    }
  }

  /**
   * Calls a function and {@return what it stores at its last argument, which is added}
   *
   * @throws IllegalStateException with ONNX Runtime's message if it fails
   */
  MemorySegment create(int slot, Object... arguments) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment result = local.allocate(ADDRESS);
      call(slot, Stream.concat(Arrays.stream(arguments), Stream.of(result)).toArray());
      return result.get(ADDRESS, 0);
    }
  }

  /** {@return the value of a key among pairs, or empty if there is none} */
  Optional<String> value(MemorySegment pairs, String key) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment value =
          (MemorySegment) invoke(function(GET_KEY_VALUE), ADDRESS, pairs, local.allocateFrom(key));
      return value.address() == 0 ? Optional.empty() : Optional.of(text(value));
    }
  }

  private MemorySegment function(int slot) {
    return table.getAtIndex(ADDRESS, slot);
  }

  private static String text(MemorySegment start) {
    return start.reinterpret(Long.MAX_VALUE).getString(0);
  }

  private static Object invoke(MemorySegment function, MemoryLayout result, Object... arguments) {
    MemoryLayout[] layouts =
        Arrays.stream(arguments).map(OnnxRuntimeApi::layout).toArray(MemoryLayout[]::new);
    try {
      return Linker.nativeLinker()
          .downcallHandle(function, FunctionDescriptor.of(result, layouts))
          .invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw NativeFunctions.rethrown(e);
    }
  }

  private static MemoryLayout layout(Object argument) {
    return switch (argument) {
      case Integer _ -> JAVA_INT;
      case Long _ -> JAVA_LONG;
      default -> ADDRESS;
    };
  }
}
