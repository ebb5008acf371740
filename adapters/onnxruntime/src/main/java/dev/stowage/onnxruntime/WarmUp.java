package dev.stowage.onnxruntime;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.onnxruntime.capi.OnnxRuntimeApi;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

/** Calls the functions of an {@code OrtAllocator} without memory, so that the JVM compiles them. */
final class WarmUp {

  /*
   * The JVM interprets a function until it was called some thousand times. An interpreted call takes
   * tens of microseconds, and a run of a model makes only a few calls, so that the first hundreds of
   * runs would each take a few percent longer. Once the functions are compiled, a warm-up takes a few
   * milliseconds.
   */

  private static final int PAIRS = 5_000;

  /** Sizes of tensors that use the different paths of the allocator. */
  private static final long[] BYTES = {100, 3_000, 70_000, 2_000_000};

  private WarmUp() {}

  /** Regions without memory: only addresses, which no code accesses. */
  private static final class NoMemory implements SubAllocator {

    private long end = 1L << 40;

    @Override
    public OptionalLong allocate(long bytes) {
      long address = end;
      end += bytes;
      return OptionalLong.of(address);
    }

    @Override
    public void free(long address, long bytes) {}
  }

  static void run(OnnxRuntimeApi api) {
    try (Arena arena = Arena.ofConfined()) {
      EngineMemory memory =
          EngineMemory.unrecorded("warm-up", new NoMemory(), BfcOptions.growing());
      long allocator = new EngineCalls("warm-up", api, memory, 0, arena).newAllocator();
      allocateAndFree(allocator);
      memory.close(() -> {});
    }
  }

  private static void allocateAndFree(long allocator) {
    MethodHandle allocate = handle(allocator, EngineCalls.ALLOC, EngineCalls.ALLOC_TYPE);
    MethodHandle free = handle(allocator, EngineCalls.FREE, EngineCalls.FREE_TYPE);
    try {
      for (int pair = 0; pair < PAIRS; pair++) {
        long first = (long) allocate.invokeExact(allocator, BYTES[pair % BYTES.length]);
        long second = (long) allocate.invokeExact(allocator, BYTES[(pair + 1) % BYTES.length]);
        free.invokeExact(allocator, first);
        free.invokeExact(allocator, second);
      }
    } catch (Throwable thrown) {
      throw new AssertionError("an upcall threw an exception", thrown);
    }
  }

  @SuppressWarnings("restricted") // this module needs native access for such calls
  private static MethodHandle handle(long allocator, int field, FunctionDescriptor type) {
    MemorySegment fields =
        MemorySegment.ofAddress(allocator).reinterpret((field + 1) * JAVA_LONG.byteSize());
    MemorySegment function = MemorySegment.ofAddress(fields.getAtIndex(JAVA_LONG, field));
    return Linker.nativeLinker().downcallHandle(function, type);
  }
}
