package dev.stowage.bench;

import java.lang.invoke.MethodHandle;

/** The malloc of the process, which is glibc's on Linux. */
final class GlibcPeer implements PeerAllocator {

  private static final NativeFunctions FUNCTIONS = NativeFunctions.ofProcess();
  private static final MethodHandle MALLOC = FUNCTIONS.malloc("malloc");
  private static final MethodHandle FREE = FUNCTIONS.free("free");

  private final long[] addresses;

  GlibcPeer(int slots) {
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
