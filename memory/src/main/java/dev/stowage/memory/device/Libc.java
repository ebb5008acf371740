package dev.stowage.memory.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The functions of the C library that map pages, on Linux and macOS. */
final class Libc {

  /*
   * A function returns an integer. For a failure, errno is captured directly after the call, because
   * the JVM would change it. Sizes and addresses have 64 bits on every JDK 25.
   */

  static final int ENOMEM = 12;

  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(PathElement.groupElement("errno")).withInvokeExactBehavior();

  private static final MethodHandle MMAP =
      handle(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MUNMAP =
      handle("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle MPROTECT =
      handle("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle MADVISE =
      handle("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle GETPAGESIZE =
      handle("getpagesize", FunctionDescriptor.of(JAVA_INT));

  private Libc() {}

  @SuppressWarnings("restricted") // the native calls of this module
  private static MethodHandle handle(String function, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(function),
        type,
        Linker.Option.captureCallState("errno"));
  }

  /**
   * The result of a call.
   *
   * @param value the result of the function; -1 for a failure
   * @param errno the error code of a failure
   */
  record Answer(long value, int errno) {

    boolean isFailure() {
      return value == -1;
    }

    boolean isOutOfMemory() {
      return isFailure() && errno == ENOMEM;
    }

    /** {@return the exception for a failed call; after munmap, ENOMEM means too many mappings} */
    DeviceException exception(String call) {
      DeviceException failure = new DeviceException(call, errno, errnoName(errno));
      return errno == ENOMEM
          ? new DeviceException("too many mappings; raise vm.max_map_count of the system", failure)
          : failure;
    }
  }

  static Answer mmap(long bytes, int protection, int flags) {
    return call(state -> (long) MMAP.invokeExact(state, 0L, bytes, protection, flags, -1, 0L));
  }

  static Answer munmap(long address, long bytes) {
    return call(state -> (int) MUNMAP.invokeExact(state, address, bytes));
  }

  static Answer mprotect(long address, long bytes, int protection) {
    return call(state -> (int) MPROTECT.invokeExact(state, address, bytes, protection));
  }

  static Answer madvise(long address, long bytes, int advice) {
    return call(state -> (int) MADVISE.invokeExact(state, address, bytes, advice));
  }

  static long pageBytes() {
    return call(state -> (int) GETPAGESIZE.invokeExact(state)).value();
  }

  private interface Function {
    long call(MemorySegment state) throws Throwable;
  }

  private static Answer call(Function function) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long value = function.call(state);
      return new Answer(value, (int) ERRNO.get(state, 0L));
    } catch (Throwable thrown) {
      throw new AssertionError("a function of the C library does not throw", thrown);
    }
  }

  /** {@return the name of an error of the functions above} */
  static String errnoName(int errno) {
    return switch (errno) {
      case 1 -> "EPERM";
      case 9 -> "EBADF";
      case 11, 35 -> "EAGAIN";
      case ENOMEM -> "ENOMEM";
      case 13 -> "EACCES";
      case 14 -> "EFAULT";
      case 16 -> "EBUSY";
      case 19 -> "ENODEV";
      case 22 -> "EINVAL";
      default -> "errno";
    };
  }
}
