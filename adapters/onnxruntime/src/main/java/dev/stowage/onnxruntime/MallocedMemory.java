package dev.stowage.onnxruntime;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.allocator.SubAllocator;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

/** Memory of the C library, aligned for the kernels of ONNX Runtime. */
final class MallocedMemory implements SubAllocator {

  /*
   * The JDK's arenas would zero the memory and count it against -XX:MaxDirectMemorySize. Every C
   * library has malloc, but some have no function for aligned memory. This class therefore aligns
   * the address, and stores the result of malloc in the 8 bytes before it.
   */

  /** The alignment that kernels of ONNX Runtime require. */
  static final long ALIGNMENT_BYTES = 64;

  private static final long NONE = 0;
  private static final long EXTRA_BYTES = JAVA_LONG.byteSize() + ALIGNMENT_BYTES - 1;

  private final MethodHandle malloc;
  private final MethodHandle free;

  MallocedMemory() {
    malloc = handle("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    free = handle("free", FunctionDescriptor.ofVoid(JAVA_LONG));
  }

  @SuppressWarnings("restricted") // this module needs native access for such calls
  private static MethodHandle handle(String function, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(function), type);
  }

  @Override
  public OptionalLong allocate(long bytes) {
    long base = bytes > Long.MAX_VALUE - EXTRA_BYTES ? NONE : malloc(bytes + EXTRA_BYTES);
    if (base == NONE) {
      return OptionalLong.empty();
    }
    long address = (base + EXTRA_BYTES) & -ALIGNMENT_BYTES;
    stored(address).set(JAVA_LONG, 0, base);
    return OptionalLong.of(address);
  }

  @Override
  public void free(long address, long bytes) {
    free(stored(address).get(JAVA_LONG, 0));
  }

  @SuppressWarnings("restricted") // within the result of malloc
  private static MemorySegment stored(long address) {
    return MemorySegment.ofAddress(address - JAVA_LONG.byteSize())
        .reinterpret(JAVA_LONG.byteSize());
  }

  /** {@return 1: all sizes are possible} */
  @Override
  public long granularityBytes() {
    return 1;
  }

  /** {@return false: a block keeps its size} */
  @Override
  public boolean canLengthen() {
    return false;
  }

  private long malloc(long bytes) {
    try {
      return (long) malloc.invokeExact(bytes);
    } catch (Throwable thrown) {
      throw new AssertionError("malloc threw an exception", thrown);
    }
  }

  private void free(long base) {
    try {
      free.invokeExact(base);
    } catch (Throwable thrown) {
      throw new AssertionError("free threw an exception", thrown);
    }
  }
}
