package dev.stowage.bench;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/** ONNX Runtime's arena, through the two functions of its {@code OrtAllocator}. */
final class OnnxRuntimePeer implements PeerAllocator {

  private static final OnnxRuntimeArena ARENA = OnnxRuntimeArena.create();
  private static final long ALLOCATOR = ARENA.allocator();
  private static final MethodHandle ALLOC =
      NativeFunctions.critical(
          ARENA.allocFunction(), FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FREE =
      NativeFunctions.critical(
          ARENA.freeFunction(), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));

  private final long[] addresses;

  OnnxRuntimePeer(int slots) {
    addresses = new long[slots];
  }

  @Override
  public void allocate(int slot, long bytes) {
    try {
      addresses[slot] = NativeFunctions.given((long) ALLOC.invokeExact(ALLOCATOR, bytes), bytes);
    } catch (Throwable e) {
      throw NativeFunctions.rethrown(e);
    }
  }

  @Override
  public void free(int slot) {
    try {
      FREE.invokeExact(ALLOCATOR, addresses[slot]);
    } catch (Throwable e) {
      throw NativeFunctions.rethrown(e);
    }
  }
}
