package dev.stowage.allocator;

import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds the reason for a failed request, and the changes with which it would have passed. */
final class ShortageSearch {

  private final RegionSpace space;
  private final RegionSupply supply;
  private final TiledRegions tiled;
  private final AllocatorStatistics now;
  private final PlacementRule placement;
  private final FailedRequest request;

  /** True if the sub-allocator refused a new region. */
  private final boolean isRegionRefused;

  ShortageSearch(RegionSpace space, long bytes, long alignment, PlacementRule placement) {
    this.space = space;
    this.placement = placement;
    supply = space.supply();
    tiled = space.tiled();
    now = space.statistics();
    long rounded = Quantum.roundedBytes(bytes);
    long needed = supply.neededBytes(rounded, alignment);
    request = new FailedRequest(bytes, rounded, needed, Math.max(Quantum.BYTES, alignment));
    isRegionRefused =
        supply.isRefused() && needed <= supply.usableLimitBytes() - now.reservedBytes();
  }

  /** {@return the explanation; costs O(chunks)} */
  Shortage find() {
    OutOfMemoryVerdict verdict = verdict(supply, request.requestedBytes(), now);
    Shortage.Room room =
        new Shortage.Room(
            now,
            supply.usableLimitBytes(),
            placement.largestFreeBytes(tiled),
            isRegionRefused ? Optional.of(supply.refusal()) : Optional.empty());
    Remedy remedy =
        new Remedy(device(), garbage(), isRegionRefused ? List.of() : higherLimits(), obstacle());
    return new Shortage(verdict, request, room, remedy, supply.relatives().copy());
  }

  /** {@return the verdict on a request that has just failed; costs O(regions)} */
  static OutOfMemoryVerdict verdict(RegionSpace space, long bytes) {
    return verdict(space.supply(), bytes, space.statistics());
  }

  private static OutOfMemoryVerdict verdict(
      RegionSupply supply, long bytes, AllocatorStatistics now) {
    long rounded = Quantum.roundedBytes(bytes);
    OutOfMemoryNumbers numbers =
        OutOfMemoryNumbers.ofRequest(rounded)
            .with(Quantity.IN_USE, now.bytesInUse())
            .with(Quantity.CACHED, now.freeBytes())
            .with(Quantity.WASTE, now.bytesInUse() - now.requestedBytesInUse() + rounded - bytes)
            .with(Quantity.LIMIT, supply.usableLimitBytes());
    return (supply.isRefused() ? numbers.withRefusal() : numbers).verdict();
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
            && supply.canCollectEnough(request.roundedBytes(), request.alignment());
    return new Remedy.Garbage(tiled.freeRegionBytes(), isEnough);
  }

  private Optional<Obstacle> obstacle() {
    return placement.takesAnyChunk()
        ? Obstacle.find(space, request.roundedBytes(), request.alignment(), isRegionRefused)
        : Optional.empty();
  }

  /**
   * {@return the limit with which a further region holds the request, and the one from the start}
   */
  private List<Remedy.HigherLimit> higherLimits() {
    OptionalLong now = placement.totalBytes(tiled, supply, request, false);
    OptionalLong fromStart = placement.totalBytes(tiled, supply, request, true);
    List<Remedy.HigherLimit> limits = new ArrayList<>();
    now.ifPresent(total -> limits.add(higherLimit(total, false)));
    if (!fromStart.equals(now)) {
      fromStart.ifPresent(total -> limits.add(higherLimit(total, true)));
    }
    return limits;
  }

  private Remedy.HigherLimit higherLimit(long totalBytes, boolean isFromStart) {
    return new Remedy.HigherLimit(
        totalBytes - space.usableLimitBytes(), supply.relatives().isLimitedAbove(), isFromStart);
  }
}
