package dev.stowage.memory.pool;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Fills memory that no caller has. */
final class Filling {

  /*
   * A critical call of memset costs 2 ns, a usual one 8 ns. From 32 bytes, it is faster than
   * MemorySegment.fill; from 1 KiB, three times as fast. A garbage collection waits for a critical call,
   * so that only small ranges are filled by one: 32 KiB take some microseconds, also if pages are new.
   */
  private static final long CRITICAL_BYTES = 32;

  private static final long USUAL_BYTES = 32 << 10;

  private static final MethodHandle CRITICAL_MEMSET = memset(Linker.Option.critical(false));
  private static final MethodHandle MEMSET = memset();

  private Filling() {}

  @SuppressWarnings("restricted") // a native call of this module
  private static MethodHandle memset(Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("memset"),
        FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG),
        options);
  }

  static void fill(long address, long bytes, byte value) {
    if (bytes < CRITICAL_BYTES) {
      RawMemory.segment(address, bytes, Arena.global()).fill(value);
    } else {
      try {
        if (bytes < USUAL_BYTES) {
          CRITICAL_MEMSET.invokeExact(address, (int) value, bytes);
        } else {
          MEMSET.invokeExact(address, (int) value, bytes);
        }
      } catch (Throwable thrown) {
        throw new AssertionError("memset does not throw", thrown);
      }
    }
  }
}
