package dev.stowage.cuda;

import java.util.Locale;
import java.util.Optional;

/** Regions of cuMemAlloc or cuMemAllocManaged, which never grow. */
final class AllocatedRegions implements CudaRegions {

  /** The alignment of allocations according to the CUDA programming guide. */
  private static final long ALIGNMENT_BYTES = 256;

  /** CU_MEM_ATTACH_GLOBAL: every stream can use the memory. */
  private static final int GLOBAL = 1;

  private final CudaContext context;
  private final boolean isUnified;

  /** Creates an empty set of regions. The host can access regions of unified memory. */
  AllocatedRegions(CudaContext context, boolean isUnified) {
    this.context = context;
    this.isUnified = isUnified;
  }

  @Override
  public long granularityBytes() {
    return ALIGNMENT_BYTES;
  }

  @Override
  public Optional<CudaRegion> allocate(long bytes) {
    return context
        .memory(
            () -> String.format(Locale.ROOT, "%s of %d bytes", allocation(), bytes),
            results ->
                isUnified
                    ? context.driver().memAllocManaged(results, bytes, GLOBAL)
                    : context.driver().memAlloc(results, bytes))
        .stream()
        .mapToObj(address -> new CudaRegion(address, bytes, bytes))
        .findFirst();
  }

  private String allocation() {
    return isUnified ? "cuMemAllocManaged" : "cuMemAlloc";
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
