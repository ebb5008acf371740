package dev.stowage.memory.device;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Regions from malloc, for systems without mapped regions; they never grow. */
final class MallocedRegions implements RegionSource {

  private static final long GRANULARITY_BYTES = 256;

  private static final MethodHandle MALLOC =
      handle("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FREE = handle("free", FunctionDescriptor.ofVoid(JAVA_LONG));

  @SuppressWarnings("restricted") // the native calls of this module
  private static MethodHandle handle(String function, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(function), type);
  }

  @Override
  public long granularityBytes() {
    return GRANULARITY_BYTES;
  }

  @Override
  public Optional<HostRegion> allocate(long bytes, long maxBytes) {
    if (bytes > Long.MAX_VALUE - GRANULARITY_BYTES) {
      return Optional.empty();
    }
    // malloc aligns to 16 bytes at most.
    long base = malloc(bytes + GRANULARITY_BYTES);
    long address = (base + GRANULARITY_BYTES - 1) & -GRANULARITY_BYTES;
    return base == 0 ? Optional.empty() : Optional.of(new HostRegion(address, bytes, base, bytes));
  }

  @Override
  public Optional<HostRegion> reserve(long bytes, long maxBytes) {
    return Optional.empty();
  }

  @Override
  public Optional<HostRegion> resize(HostRegion region, long newBytes) {
    return Optional.empty();
  }

  @Override
  public boolean canLengthen(long maxBytes) {
    return false;
  }

  @Override
  public boolean isZeroed() {
    return false;
  }

  @Override
  public void free(HostRegion region) {
    try {
      FREE.invokeExact(region.base());
    } catch (Throwable thrown) {
      throw new AssertionError("free does not throw", thrown);
    }
  }

  private static long malloc(long bytes) {
    try {
      return (long) MALLOC.invokeExact(bytes);
    } catch (Throwable thrown) {
      throw new AssertionError("malloc does not throw", thrown);
    }
  }
}
