package dev.stowage.onnx.allocator;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Memory of the C library for requests that no allocator answers; no limit holds for it. */
final class OverflowMemory {

  /*
   * The JDK's arenas would zero it, and count it against -XX:MaxDirectMemorySize. malloc is the one
   * function for this that every C library has, so that the alignment is made here.
   */

  /** What the engine's kernels need. */
  static final long ALIGNMENT_BYTES = 64;

  /** Where there is no memory. */
  static final long NONE = 0;

  private final MethodHandle malloc;
  private final MethodHandle free;

  /** What malloc gave and how many bytes were asked for, by the address that was handed out. */
  private final ConcurrentHashMap<Long, Block> blocks = new ConcurrentHashMap<>();

  private final AtomicLong bytesInUse = new AtomicLong();
  private final AtomicLong peakBytesInUse = new AtomicLong();

  private record Block(long base, long bytes) {}

  OverflowMemory() {
    malloc = handle("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    free = handle("free", FunctionDescriptor.ofVoid(JAVA_LONG));
  }

  @SuppressWarnings("restricted") // this is what this module has its right for
  private static MethodHandle handle(String function, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(function), type);
  }

  /** {@return the address of fresh bytes, or {@link #NONE} if the machine has no more} */
  long allocate(long bytes) {
    if (bytes > Long.MAX_VALUE - ALIGNMENT_BYTES) {
      return NONE;
    }
    long base = malloc(bytes + ALIGNMENT_BYTES);
    if (base == NONE) {
      return NONE;
    }
    long address = (base + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    boolean noted = false;
    try {
      blocks.put(address, new Block(base, bytes));
      noted = true;
    } finally {
      if (!noted) {
        free(base);
      }
    }
    peakBytesInUse.accumulateAndGet(bytesInUse.addAndGet(bytes), Math::max);
    return address;
  }

  /** Frees what is at an address, and {@return whether it was allocated here} */
  boolean freed(long address) {
    if (blocks.isEmpty()) {
      return false;
    }
    Block block = blocks.remove(address);
    if (block == null) {
      return false;
    }
    bytesInUse.addAndGet(-block.bytes());
    free(block.base());
    return true;
  }

  long count() {
    return blocks.size();
  }

  long bytesInUse() {
    return bytesInUse.get();
  }

  long peakBytesInUse() {
    return peakBytesInUse.get();
  }

  private long malloc(long bytes) {
    try {
      return (long) malloc.invokeExact(bytes);
    } catch (Throwable thrown) {
      throw new AssertionError("malloc throws nothing", thrown);
    }
  }

  private void free(long base) {
    try {
      free.invokeExact(base);
    } catch (Throwable thrown) {
      throw new AssertionError("free throws nothing", thrown);
    }
  }
}
