package dev.stowage.bench;

import java.lang.invoke.MethodHandle;

/** mimalloc. */
final class MimallocPeer implements PeerAllocator {

  static final String LIBRARY = "libmimalloc.so.2";

  private static final NativeFunctions FUNCTIONS = NativeFunctions.of(LIBRARY);
  private static final MethodHandle MALLOC = FUNCTIONS.malloc("mi_malloc");
  private static final MethodHandle FREE = FUNCTIONS.free("mi_free");

  private final long[] addresses;

  MimallocPeer(int slots) {
    addresses = new long[slots];
  }

  @Override
  public void allocate(int slot, long bytes) {
    try {
      addresses[slot] = NativeFunctions.given((long) MALLOC.invokeExact(bytes), bytes);
    } catch (Throwable e) {
      throw NativeFunctions.rethrown(e);
    }
  }

  @Override
  public void free(int slot) {
    try {
      FREE.invokeExact(addresses[slot]);
    } catch (Throwable e) {
      throw NativeFunctions.rethrown(e);
    }
  }
}
