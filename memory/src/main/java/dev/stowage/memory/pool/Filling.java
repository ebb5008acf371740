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
   * From about 1 KiB, memset writes twice as fast as MemorySegment.fill, and a garbage collection does
   * not wait for it.
   */
  private static final long MEMSET_BYTES = 1024;

  private static final MethodHandle MEMSET = memset();

  private Filling() {}

  @SuppressWarnings("restricted") // a native call of this module
  private static MethodHandle memset() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("memset"),
        FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG));
  }

  static void fill(long address, long bytes, byte value) {
    if (bytes < MEMSET_BYTES) {
      RawMemory.segment(address, bytes, Arena.global()).fill(value);
    } else {
      try {
        MEMSET.invokeExact(address, (int) value, bytes);
      } catch (Throwable thrown) {
        throw new AssertionError("memset does not throw", thrown);
      }
    }
  }
}
