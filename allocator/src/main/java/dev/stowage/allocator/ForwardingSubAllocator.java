package dev.stowage.allocator;

import java.util.OptionalLong;

/**
 * A sub-allocator that forwards all calls to another one, as a base for decorators.
 *
 * <p>A subclass overrides the methods that it changes and calls {@code super}. For example, this
 * one logs the regions of a device:
 *
 * {@snippet lang=java :
 * final class LoggedRegions extends ForwardingSubAllocator {
 *
 *   LoggedRegions(SubAllocator regions) {
 *     super(regions);
 *   }
 *
 *   @Override
 *   public OptionalLong allocate(long bytes) {
 *     OptionalLong address = super.allocate(bytes);
 *     LOGGER.log(Level.DEBUG, "region of {0} bytes: {1}", bytes, address);
 *     return address;
 *   }
 * }
 * }
 *
 * <p>A subclass that writes to new memory overrides {@link #isZeroed()} to return false.
 */
public abstract class ForwardingSubAllocator implements SubAllocator {

  private final SubAllocator regions;

  /**
   * Creates a decorator.
   *
   * @param regions receives the calls
   */
  protected ForwardingSubAllocator(SubAllocator regions) {
    this.regions = regions;
  }

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

  @Override
  public boolean isZeroed() {
    return regions.isZeroed();
  }

  @Override
  public long granularityBytes() {
    return regions.granularityBytes();
  }

  @Override
  public long alignmentBytes() {
    return regions.alignmentBytes();
  }
}
