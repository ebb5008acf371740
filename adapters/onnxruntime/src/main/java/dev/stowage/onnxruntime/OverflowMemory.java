package dev.stowage.onnxruntime;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Memory of the C library for requests that the allocator refuses. It has no limit. */
final class OverflowMemory {

  /*
   * The JDK's arenas would zero the memory and count it against -XX:MaxDirectMemorySize. malloc is
   * the only function that every C library has, so this class aligns the address.
   */

  /** The alignment that kernels of ONNX Runtime require. */
  static final long ALIGNMENT_BYTES = 64;

  /** The address of no memory. */
  static final long NONE = 0;

  private final MethodHandle malloc;
  private final MethodHandle free;

  /** The result of malloc and the requested bytes, by the aligned address. */
  private final ConcurrentHashMap<Long, Block> blocks = new ConcurrentHashMap<>();

  private final AtomicLong bytesInUse = new AtomicLong();
  private final AtomicLong peakBytesInUse = new AtomicLong();

  private record Block(long base, long bytes) {}

  OverflowMemory() {
    malloc = handle("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    free = handle("free", FunctionDescriptor.ofVoid(JAVA_LONG));
  }

  @SuppressWarnings("restricted") // this module needs native access for such calls
  private static MethodHandle handle(String function, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(function), type);
  }

  /** {@return the address of new memory, or {@link #NONE} if malloc fails} */
  long allocate(long bytes) {
    if (bytes > Long.MAX_VALUE - ALIGNMENT_BYTES) {
      return NONE;
    }
    long base = malloc(bytes + ALIGNMENT_BYTES);
    if (base == NONE) {
      return NONE;
    }
    long address = (base + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    try {
      blocks.put(address, new Block(base, bytes));
    } catch (Throwable failure) {
      free(base);
      throw failure;
    }
    peakBytesInUse.accumulateAndGet(bytesInUse.addAndGet(bytes), Math::max);
    return address;
  }

  /** Frees the memory at an address and {@return true if it was overflow memory} */
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

  /** {@return the addresses in use} */
  Set<Long> addresses() {
    return Set.copyOf(blocks.keySet());
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
