package dev.stowage.litert.engine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The functions of a loaded library of TensorFlow Lite, and of the C library.
 *
 * <p>A call takes microseconds, because its method handle is created for the call.
 */
@SuppressWarnings("restricted") // the process of this package has the right to make these calls
final class LiteApi {

  private static final Linker LINKER = Linker.nativeLinker();

  /** {@code TfLiteQuantizationParams}: the scale and the zero point. */
  static final MemoryLayout QUANTIZATION = MemoryLayout.structLayout(JAVA_FLOAT, JAVA_INT);

  private final SymbolLookup library;

  private LiteApi(SymbolLookup library) {
    this.library = library;
  }

  /**
   * {@return the functions of a library}
   *
   * @throws IllegalArgumentException if the library cannot be loaded
   */
  static LiteApi load(Path library) {
    return new LiteApi(SymbolLookup.libraryLookup(library, Arena.global()));
  }

  /**
   * {@return the address of a function}
   *
   * @throws IllegalStateException if the library does not have it
   */
  MemorySegment function(String name) {
    return library
        .find(name)
        .or(() -> LINKER.defaultLookup().find(name))
        .orElseThrow(() ->
            new IllegalStateException(
                "this library of TensorFlow Lite is of another version, expected one with the function "
                    + name));
  }

  /** Calls a function without a result; arguments are {@code int}, {@code long} or segments. */
  void call(String name, Object... arguments) {
    invoke(name, FunctionDescriptor.ofVoid(layouts(arguments)), arguments);
  }

  int callInt(String name, Object... arguments) {
    return (int) invoke(name, FunctionDescriptor.of(JAVA_INT, layouts(arguments)), arguments);
  }

  long callLong(String name, Object... arguments) {
    return (long) invoke(name, FunctionDescriptor.of(JAVA_LONG, layouts(arguments)), arguments);
  }

  MemorySegment callAddress(String name, Object... arguments) {
    return (MemorySegment)
        invoke(name, FunctionDescriptor.of(ADDRESS, layouts(arguments)), arguments);
  }

  /** Calls a function that returns a structure, which {@code memory} holds. */
  MemorySegment callStruct(String name, MemoryLayout type, Arena memory, MemorySegment argument) {
    return (MemorySegment)
        invoke(name, FunctionDescriptor.of(type, ADDRESS), (SegmentAllocator) memory, argument);
  }

  /** {@return the bytes at an address} */
  static MemorySegment segment(MemorySegment address, long bytes) {
    return address.reinterpret(bytes);
  }

  /** {@return the text at an address; empty for the null pointer} */
  static String text(MemorySegment address) {
    return address.address() == 0 ? "" : address.reinterpret(Long.MAX_VALUE).getString(0);
  }

  private Object invoke(String name, FunctionDescriptor type, Object... arguments) {
    try {
      return LINKER.downcallHandle(function(name), type).invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
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
