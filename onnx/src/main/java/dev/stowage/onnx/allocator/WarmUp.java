package dev.stowage.onnx.allocator;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.SubAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

/** Calls what the engine will call, over memory that does not exist. */
final class WarmUp {

  /*
   * A run of the engine makes a few calls, and the JVM interprets them until it has seen thousands:
   * tens of microseconds each, in hundreds of runs of which each takes a few percent longer. So it
   * sees them before. Once they are compiled, this takes a few milliseconds.
   */

  private static final int PAIRS = 5_000;

  /** Sizes of tensors, from which the allocator's different ways follow. */
  private static final long[] BYTES = {100, 3_000, 70_000, 2_000_000};

  private WarmUp() {}

  /** Regions at addresses that nobody touches. */
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
      long allocator = EngineCalls.newAllocator("warm-up", api, memory, 0, arena);
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
      throw new AssertionError("calls of the engine throw nothing", thrown);
    }
  }

  @SuppressWarnings("restricted") // this is what this module has its right for
  private static MethodHandle handle(long allocator, int field, FunctionDescriptor type) {
    MemorySegment fields =
        MemorySegment.ofAddress(allocator).reinterpret((field + 1) * JAVA_LONG.byteSize());
    MemorySegment function = MemorySegment.ofAddress(fields.getAtIndex(JAVA_LONG, field));
    return Linker.nativeLinker().downcallHandle(function, type);
  }
}
