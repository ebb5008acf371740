package dev.stowage.cuda.standin;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of the C library. */
final class CLibrary {

  private static final long ALIGNMENT_BYTES = 512;

  /** The contents of new memory, so that no caller takes it for cleared. */
  private static final byte NEW = (byte) 0xA5;

  private static final MethodHandle ALLOCATE =
      find("aligned_alloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FREE = find("free", FunctionDescriptor.ofVoid(ADDRESS));
  private static final MethodHandle THREAD = find("pthread_self", FunctionDescriptor.of(JAVA_LONG));

  private CLibrary() {}

  @SuppressWarnings("restricted") // the declarations are those of the standards
  private static MethodHandle find(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  /**
   * {@return new memory, for any thread}
   *
   * <p>Memory of an arena would count towards the JVM's limit, which is that of the heap.
   *
   * @throws CallFailure if the memory has run out
   */
  @SuppressWarnings("restricted") // the size is that of the allocation
  static MemorySegment allocate(long bytes) {
    long rounded = (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    MemorySegment memory;
    try {
      memory = (MemorySegment) ALLOCATE.invokeExact(ALIGNMENT_BYTES, rounded);
    } catch (Throwable thrown) {
      throw new AssertionError("a function of the C library throws nothing", thrown);
    }
    Result.OUT_OF_MEMORY.unless(memory.address() != 0);
    return memory.reinterpret(bytes).fill(NEW);
  }

  /** Frees memory, which must not be used from now on. */
  static void free(MemorySegment memory) {
    try {
      FREE.invokeExact(memory);
    } catch (Throwable thrown) {
      throw new AssertionError("a function of the C library throws nothing", thrown);
    }
  }

  /**
   * {@return the thread of the operating system}
   *
   * <p>For a virtual thread, it is the carrier, as for a library in C.
   */
  static long thread() {
    try {
      return (long) THREAD.invokeExact();
    } catch (Throwable thrown) {
      throw new AssertionError("a function of the C library throws nothing", thrown);
    }
  }
}
