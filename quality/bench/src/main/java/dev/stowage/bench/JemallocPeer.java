package dev.stowage.bench;

import java.lang.invoke.MethodHandle;

/** jemalloc, loaded in addition to the malloc of the process. */
final class JemallocPeer implements PeerAllocator {

  static final String LIBRARY = "libjemalloc.so.2";

  /**
   * The variable for jemalloc's thread-local storage: only at the start of the process, the loader
   * reserves space for libraries that are loaded later.
   */
  static final String ENVIRONMENT = "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384";

  private static final NativeFunctions FUNCTIONS = NativeFunctions.of(LIBRARY);
  private static final MethodHandle MALLOC = FUNCTIONS.malloc("malloc");
  private static final MethodHandle FREE = FUNCTIONS.free("free");

  private final long[] addresses;

  JemallocPeer(int slots) {
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
