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

/** How functions of the OpenCL library are found and called. */
final class Linkage {

  /*
   * OpenCL's handles are opaque pointers: longs here, 0 being none. So are its sizes on every
   * machine that has a JDK 25. Host memory is handed over as a segment, which thereby stays alive
   * while the call lasts.
   */

  private final Linker linker = Linker.nativeLinker();
  private final SymbolLookup library;

  Linkage(SymbolLookup library) {
    this.library = library;
  }

  /**
   * {@return a function that answers an error's code}
   *
   * @throws java.util.NoSuchElementException if the library does not have it
   */
  MethodHandle code(String function, MemoryLayout... arguments) {
    return handle(function, FunctionDescriptor.of(JAVA_INT, arguments));
  }

  /** {@return a function that answers something else, and tells an error by its last argument} */
  MethodHandle made(String function, MemoryLayout result, MemoryLayout... arguments) {
    return handle(function, FunctionDescriptor.of(result, arguments));
  }

  @SuppressWarnings("restricted") // these are the calls that this module has its right for
  private MethodHandle handle(String function, FunctionDescriptor type) {
    return linker.downcallHandle(library.findOrThrow(function), type);
  }

  /** A call that answers an error's code. */
  interface Call {
    int invoke() throws Throwable;
  }

  /** A call that answers a handle, or another pointer, and writes an error's code. */
  interface MakingCall<T> {
    T invoke(MemorySegment error) throws Throwable;
  }

  /** {@return what a call answered} */
  static int code(Call call) {
    try {
      return call.invoke();
    } catch (RuntimeException thrown) { // the JDK's: a segment has ended, or is another thread's
      throw thrown;
    } catch (Throwable thrown) {
      throw new AssertionError("a function of OpenCL throws nothing", thrown);
    }
  }

  /**
   * Calls a function.
   *
   * @throws dev.stowage.memory.device.DeviceException if it fails
   */
  static void check(Supplier<String> description, Call call) {
    int code = code(call);
    if (code != OpenClError.SUCCESS) {
      throw OpenClError.exception(description.get(), code);
    }
  }

  /**
   * {@return what a function made}
   *
   * @throws dev.stowage.memory.device.DeviceException if it fails
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
      throw new AssertionError("a function of OpenCL throws nothing", thrown);
    }
  }
}
