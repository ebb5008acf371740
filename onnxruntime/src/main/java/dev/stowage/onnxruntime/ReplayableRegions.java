package dev.stowage.onnxruntime;

import dev.stowage.core.bfc.SubAllocator;
import java.util.OptionalLong;

/**
 * Regions with the sizes that the replay of a trace uses: multiples of 256 bytes instead of pages.
 *
 * <p>The rest of the last page of a region stays unused.
 *
 * @param regions provides the regions; accepts sizes that are not multiples of its granularity
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
  public boolean canLengthen() {
    return regions.canLengthen();
  }
}
