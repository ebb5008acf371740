package dev.stowage.cuda;

import java.util.Locale;
import java.util.Optional;

/** Regions as the driver allocates them: they never grow. */
final class AllocatedRegions implements CudaRegions {

  /** What the CUDA programming guide promises of every allocation. */
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
            answers -> context.driver().memAlloc(answers, bytes))
        .stream()
        .mapToObj(address -> new CudaRegion(address, bytes, bytes, bytes))
        .findFirst();
  }

  @Override
  public boolean resize(CudaRegion region, long newBytes) {
    return false;
  }

  @Override
  public boolean lengthens() {
    return false;
  }

  @Override
  public void free(CudaRegion region) {
    context.call(
        () ->
            String.format(
                Locale.ROOT, "cuMemFree of %d bytes at 0x%x", region.bytes(), region.address()),
        answers -> context.driver().memFree(region.address())); // waits for the device's work
  }
}
