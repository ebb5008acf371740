package dev.stowage.allocator;

import java.util.Optional;
import java.util.OptionalLong;

/** Finds the reason for a request that has just failed, and the changes that would have helped. */
final class ShortageSearch {

  private final RegionSpace space;
  private final RegionSupply supply;
  private final TiledRegions tiled;
  private final AllocatorStatistics now;
  private final BfcOptions options;
  private final FailedRequest request;

  /** True if the sub-allocator refused a new region. */
  private final boolean isRegionRefused;

  ShortageSearch(RegionSpace space, BfcOptions options, long bytes, long alignment, End end) {
    this.space = space;
    this.options = options;
    supply = space.supply();
    tiled = space.tiled();
    now = space.statistics();
    long rounded = Quantum.roundedBytes(bytes);
    long needed = supply.neededBytes(rounded, alignment);
    request = new FailedRequest(bytes, rounded, needed, Math.max(Quantum.BYTES, alignment), end);
    isRegionRefused =
        supply.isRefused() && needed <= supply.usableLimitBytes() - now.reservedBytes();
  }

  /** {@return the explanation; costs O(chunks)} */
  Shortage find() {
    OutOfMemoryVerdict verdict = verdict(supply, request.requestedBytes(), now);
    UnsplitBytes unsplit = UnsplitBytes.of(space);
    Shortage.Room room =
        new Shortage.Room(
            now, supply.usableLimitBytes(), largestBytes(), unsplit.sum(), isRegionRefused);
    Remedy remedy =
        new Remedy(
            device(),
            garbage(),
            higherLimit(),
            obstacle(),
            verdict == OutOfMemoryVerdict.INTERNAL_FRAGMENTATION
                ? unsplit.leastOf(lackingBytes())
                : OptionalLong.empty());
    return new Shortage(verdict, request, room, remedy, supply.relatives().copy());
  }

  /** {@return the verdict on a request that has just failed; costs O(regions)} */
  static OutOfMemoryVerdict verdict(RegionSpace space, long bytes) {
    return verdict(space.supply(), bytes, space.statistics());
  }

  private static OutOfMemoryVerdict verdict(
      RegionSupply supply, long bytes, AllocatorStatistics now) {
    long rounded = Quantum.roundedBytes(bytes);
    if (supply.isRefused()) {
      return OutOfMemoryVerdict.REFUSED_BY_DEVICE;
    }
    if (rounded > supply.usableLimitBytes() - now.bytesInUse()) {
      return bytes <= supply.usableLimitBytes() - now.requestedBytesInUse()
          ? OutOfMemoryVerdict.INTERNAL_FRAGMENTATION
          : OutOfMemoryVerdict.TRUE_SHORTAGE;
    }
    return now.freeBytes() >= rounded
        ? OutOfMemoryVerdict.EXTERNAL_FRAGMENTATION
        : OutOfMemoryVerdict.LIMIT_REACHED;
  }

  private long largestBytes() {
    return tiled.free() instanceof TwoEndedChunks ends
        ? ends.largestBytes(request.end())
        : now.largestFreeChunkBytes();
  }

  private long lackingBytes() {
    return request.roundedBytes() - (supply.usableLimitBytes() - now.bytesInUse());
  }

  private Remedy.Device device() {
    if (supply.isRefused()) {
      return Remedy.Device.REFUSES;
    }
    return supply.wasEverRefused() ? Remedy.Device.HAS_REFUSED : Remedy.Device.PROVIDES;
  }

  private Remedy.Garbage garbage() {
    boolean isEnough =
        !supply.collects()
            && !isRegionRefused
            && supply.collectingHelps(request.roundedBytes(), request.alignment());
    return new Remedy.Garbage(tiled.freeRegionBytes(), isEnough);
  }

  private Optional<Obstacle> obstacle() {
    return options.hasTwoEnds()
        ? Optional.empty()
        : Obstacle.find(space, request.roundedBytes(), request.alignment(), isRegionRefused);
  }

  // A higher limit.

  private Optional<Remedy.HigherLimit> higherLimit() {
    OptionalLong total = OptionalLong.empty();
    if (!isRegionRefused) {
      total = options.hasTwoEnds() ? totalBytesOfTwoEnds() : totalBytes();
    }
    return total.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Remedy.HigherLimit(
                total.getAsLong() - space.usableLimitBytes(), supply.relatives().isLimitedAbove()));
  }

  /** {@return the bytes of all regions with which the request would have passed} */
  private OptionalLong totalBytes() {
    long lacking = request.neededBytes();
    if (supply.collects() && request.fitsInRegion()) {
      lacking -= tiled.freeRegionBytes();
    }
    for (AllocationRegion region : tiled.regions()) {
      if (supply.canLengthen(region) || isOneRegionOfTheLimit()) {
        long longer = tiled.lackingBytes(region, request.roundedBytes(), request.alignment());
        lacking = Math.min(lacking, Quantum.roundedUp(longer, supply.granularityBytes()));
      }
    }
    return lacking > highestBytes() - tiled.bytes()
        ? OptionalLong.empty()
        : OptionalLong.of(tiled.bytes() + lacking);
  }

  private boolean isOneRegionOfTheLimit() {
    return options.growth() == RegionGrowth.ONE_REGION
        && tiled.regions().size() == 1
        && tiled.bytes() == supply.usableLimitBytes();
  }

  /** {@return the bytes of the one region, if it has the size of the limit} */
  private OptionalLong totalBytesOfTwoEnds() {
    if (tiled.regions().isEmpty()) {
      long needed = supply.neededBytes(request.roundedBytes(), Quantum.BYTES);
      return needed == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(needed);
    }
    if (tiled.bytes() != supply.limitBytes() || !(tiled.free() instanceof TwoEndedChunks ends)) {
      return OptionalLong.empty();
    }
    // The end of a larger region has another address, which may need the whole padding.
    long padding =
        request.end() == End.LOW
            ? Quantum.paddingBytes(ends.gapStart(), request.alignment())
            : request.alignment() - Quantum.BYTES;
    long lacking = request.roundedBytes() + padding - ends.gapBytes();
    return request.roundedBytes() > highestBytes() - padding - tiled.bytes()
        ? OptionalLong.empty()
        : OptionalLong.of(tiled.bytes() + Quantum.roundedUp(lacking, supply.granularityBytes()));
  }

  private long highestBytes() {
    return Long.MAX_VALUE & -supply.granularityBytes();
  }
}
