package dev.stowage.bench;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * C functions with the cheapest calls of the JDK: critical, with addresses as numbers.
 *
 * <p>The JVM compiles only handles in static final fields into direct calls.
 */
@SuppressWarnings("restricted") // calls C functions
final class NativeFunctions {

  private final SymbolLookup library;

  private NativeFunctions(SymbolLookup library) {
    this.library = library;
  }

  /** {@return the functions of the process} */
  static NativeFunctions ofProcess() {
    return new NativeFunctions(Linker.nativeLinker().defaultLookup());
  }

  /**
   * {@return the functions of a library}
   *
   * @param fileName the file name of the library
   * @throws IllegalArgumentException if the loader does not find or load it
   */
  static NativeFunctions of(String fileName) {
    return new NativeFunctions(SymbolLookup.libraryLookup(fileName, Arena.global()));
  }

  /** {@return true if the loader loads a library} */
  static boolean isPresent(String fileName) {
    try {
      SymbolLookup.libraryLookup(fileName, Arena.global());
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** {@return the function {@code void* name(size_t)}} */
  MethodHandle malloc(String name) {
    return critical(find(name), FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
  }

  /** {@return the function {@code void name(void*)}} */
  MethodHandle free(String name) {
    return critical(find(name), FunctionDescriptor.ofVoid(JAVA_LONG));
  }

  /** {@return a function that neither blocks nor calls back} */
  static MethodHandle critical(MemorySegment address, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(address, type, Linker.Option.critical(false));
  }

  private MemorySegment find(String name) {
    Optional<MemorySegment> address = library.find(name);
    return address.orElseThrow(
        () -> new IllegalStateException("the library has no function " + name));
  }

  /**
   * {@return an address that a function returned}
   *
   * @throws OutOfMemoryError if it is 0
   */
  static long given(long address, long bytes) {
    if (address == 0) {
      throw new OutOfMemoryError("the allocation failed: bytes=" + bytes);
    }
    return address;
  }

  /** Throws an error of a method handle, which declares Throwable. */
  static AssertionError rethrown(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw new AssertionError("a C function threw an exception", thrown);
  }
}
