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
 * Functions of C, called in the cheapest way that there is: critical, with addresses as numbers.
 *
 * <p>Only handles in static final fields are compiled into a direct call.
 */
@SuppressWarnings("restricted") // What this class is for.
final class NativeFunctions {

  private final SymbolLookup library;

  private NativeFunctions(SymbolLookup library) {
    this.library = library;
  }

  /** {@return the functions of the process itself} */
  static NativeFunctions ofProcess() {
    return new NativeFunctions(Linker.nativeLinker().defaultLookup());
  }

  /**
   * {@return the functions of a library}
   *
   * @param fileName as the loader takes it
   * @throws IllegalArgumentException if the loader has none, or refuses it
   */
  static NativeFunctions of(String fileName) {
    return new NativeFunctions(SymbolLookup.libraryLookup(fileName, Arena.global()));
  }

  /** {@return whether the loader takes a library} */
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
    return address.orElseThrow(() -> new IllegalStateException("there is no function " + name));
  }

  /**
   * {@return an address that was given}
   *
   * @throws OutOfMemoryError if it is 0
   */
  static long given(long address, long bytes) {
    if (address == 0) {
      throw new OutOfMemoryError("refused: bytes=" + bytes);
    }
    return address;
  }

  /** {@return never: throws what a handle threw, which declares everything} */
  static AssertionError rethrown(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw new AssertionError("a function of C threw an exception", thrown);
  }
}
