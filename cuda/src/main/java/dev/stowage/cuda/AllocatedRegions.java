package dev.stowage.cuda;

import java.util.Locale;
import java.util.Optional;

/** Regions of cuMemAlloc, which never grow. */
final class AllocatedRegions implements CudaRegions {

  /** The alignment of allocations according to the CUDA programming guide. */
  private static final long ALIGNMENT_BYTES = 256;

  private final CudaContext context;

  AllocatedRegions(CudaContext context) {
    this.context = context;
  }

  @Override
  public long granularityBytes() {
    return ALIGNMENT_BYTES;
  }

  @Override
  public Optional<CudaRegion> allocate(long bytes) {
    return context
        .memory(
            () -> String.format(Locale.ROOT, "cuMemAlloc of %d bytes", bytes),
            results -> context.driver().memAlloc(results, bytes))
        .stream()
        .mapToObj(address -> new CudaRegion(address, bytes, bytes, bytes))
        .findFirst();
  }

  @Override
  public Optional<CudaRegion> reserve(long bytes, long maxBytes) {
    return Optional.empty();
  }

  @Override
  public boolean resize(CudaRegion region, long newBytes) {
    return false;
  }

  @Override
  public boolean canLengthen() {
    return false;
  }

  @Override
  public void free(CudaRegion region) {
    context.call(
        () ->
            String.format(
                Locale.ROOT, "cuMemFree of %d bytes at 0x%x", region.bytes(), region.address()),
        results ->
            context.driver().memFree(region.address())); // which waits for all work of the device
  }
}
