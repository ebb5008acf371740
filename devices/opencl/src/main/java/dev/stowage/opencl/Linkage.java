package dev.stowage.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.function.Supplier;

/** The lookup and calls of functions of the OpenCL library. */
final class Linkage {

  /*
   * Handles of OpenCL are opaque pointers, here longs; 0 is no handle. Sizes are longs on every machine
   * with a JDK 25. Host memory is passed as a segment, which stays alive during the call.
   */

  private final Linker linker = Linker.nativeLinker();
  private final SymbolLookup library;

  Linkage(SymbolLookup library) {
    this.library = library;
  }

  /**
   * {@return a function that returns an error code}
   *
   * @throws java.util.NoSuchElementException if the library does not have the function
   */
  MethodHandle code(String function, MemoryLayout... arguments) {
    return handle(function, FunctionDescriptor.of(JAVA_INT, arguments));
  }

  /** {@return a function that returns another value, and an error code in its last argument} */
  MethodHandle made(String function, MemoryLayout result, MemoryLayout... arguments) {
    return handle(function, FunctionDescriptor.of(result, arguments));
  }

  @SuppressWarnings("restricted") // the native calls of this module
  private MethodHandle handle(String function, FunctionDescriptor type) {
    return linker.downcallHandle(library.findOrThrow(function), type);
  }

  /** A call that returns an error code. */
  interface Call {
    int invoke() throws Throwable;
  }

  /** A call that returns a handle or pointer, and writes an error code. */
  interface MakingCall<T> {
    T invoke(MemorySegment error) throws Throwable;
  }

  /** {@return the result of a call} */
  static int code(Call call) {
    try {
      return call.invoke();
    } catch (
        RuntimeException thrown) { // of the JDK: a segment has ended, or belongs to another thread
      throw thrown;
    } catch (Throwable thrown) {
      throw new AssertionError("a function of OpenCL does not throw", thrown);
    }
  }

  /**
   * Calls a function.
   *
   * @throws dev.stowage.memory.device.DeviceException if the call fails
   */
  static void check(Supplier<String> description, Call call) {
    int code = code(call);
    if (code != OpenClError.SUCCESS) {
      throw OpenClError.exception(description.get(), code);
    }
  }

  /**
   * {@return the handle or pointer that a function returns}
   *
   * @throws dev.stowage.memory.device.DeviceException if the call fails
   */
  static <T> T make(Supplier<String> description, MakingCall<T> call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(JAVA_INT);
      T made = call.invoke(error);
      int code = error.get(JAVA_INT, 0);
      if (code != OpenClError.SUCCESS) {
        throw OpenClError.exception(description.get(), code);
      }
      return made;
    } catch (RuntimeException thrown) {
      throw thrown;
    } catch (Throwable thrown) {
      throw new AssertionError("a function of OpenCL does not throw", thrown);
    }
  }
}
