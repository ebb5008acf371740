package dev.stowage.onnx.allocator;

import dev.stowage.core.bfc.SubAllocator;
import java.util.OptionalLong;

/**
 * Regions whose sizes are those of a trace's replay: multiples of 256 bytes, whatever a page is.
 *
 * <p>What is left of a region's last page is not used.
 *
 * @param regions what gives them, and takes sizes that are no multiples of its granularity
 */
record ReplayableRegions(SubAllocator regions) implements SubAllocator {

  @Override
  public OptionalLong allocate(long bytes) {
    return regions.allocate(bytes);
  }

  @Override
  public void free(long address, long bytes) {
    regions.free(address, bytes);
  }

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    return regions.resize(address, bytes, newBytes);
  }

  @Override
  public boolean lengthens() {
    return regions.lengthens();
  }
}
