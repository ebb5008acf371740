package dev.stowage.allocator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The reason for a failed request, and the smallest changes with which it would have passed.
 *
 * <p>Each change is sufficient alone, and applies to the moment of the failure. A run that starts
 * with a change may place other allocations elsewhere, and fail again. The sub-allocator is assumed
 * to provide a region within the limit unless it refused one for this request, to lengthen regions
 * unless it refused the last time, and to provide returned memory again. If it has ever refused
 * memory, a change that needs memory from it is reported only as possible.
 *
 * @param verdict the reason
 * @param requestedBytes the requested bytes
 * @param roundedBytes the bytes that the request would have taken
 * @param neededBytes the bytes of a region for the request; {@link Long#MAX_VALUE} if there is none
 *     as large
 * @param alignment the alignment of the request
 * @param statistics the numbers of the allocator
 * @param usableLimitBytes the limit, rounded down to the granularity of the sub-allocator
 * @param isRegionRefused true if the sub-allocator refused a new region
 * @param freeRegionBytes the bytes of all free regions
 * @param higherLimitBytes the bytes by which the limit is too low; empty if no limit is high
 *     enough, or a higher one does not help
 * @param unsplitBytes the bytes of chunks in use beyond their rounded requests
 * @param splitThresholdBytes the largest threshold at which enough of these would have been split
 *     off, if there is one
 * @param isDeviceInDoubt true if the sub-allocator has ever refused memory
 * @param garbageCollectionHelps true if the request would have passed with garbage collection
 * @param obstacle the allocations that would have to be freed; empty if no region is long enough,
 *     or the region has two ends
 * @param relatives the other holders of common limits
 * @param largestBytes the bytes of the largest free chunk that the request may use
 */
record Shortage(
    OutOfMemoryVerdict verdict,
    long requestedBytes,
    long roundedBytes,
    long neededBytes,
    long alignment,
    AllocatorStatistics statistics,
    long usableLimitBytes,
    boolean isRegionRefused,
    long freeRegionBytes,
    OptionalLong higherLimitBytes,
    long unsplitBytes,
    OptionalLong splitThresholdBytes,
    boolean isDeviceInDoubt,
    boolean garbageCollectionHelps,
    Optional<Obstacle> obstacle,
    long largestBytes,
    Relatives relatives) {

  /** {@return the explanation of a request that has just failed; costs O(chunks)} */
  static Shortage of(RegionSpace space, BfcOptions options, long bytes, long alignment, End end) {
    long rounded = Quantum.roundedBytes(bytes);
    RegionSupply supply = space.supply();
    long needed = supply.neededBytes(rounded, alignment);
    AllocatorStatistics now = space.statistics();
    boolean isRegionRefused =
        supply.isRefused() && needed <= supply.usableLimitBytes() - now.reservedBytes();
    OutOfMemoryVerdict verdict = verdict(supply, bytes, rounded, now);
    UnsplitBytes unsplit = UnsplitBytes.of(space);
    long lacking = rounded - (supply.usableLimitBytes() - now.bytesInUse());
    return new Shortage(
        verdict,
        bytes,
        rounded,
        needed,
        Math.max(Quantum.BYTES, alignment),
        now,
        supply.usableLimitBytes(),
        isRegionRefused,
        space.tiled().freeRegionBytes(),
        isRegionRefused
            ? OptionalLong.empty()
            : options.hasTwoEnds()
                ? higherLimitBytes(space, rounded, alignment, end)
                : higherLimitBytes(space, options, rounded, alignment),
        unsplit.sum(),
        verdict == OutOfMemoryVerdict.INTERNAL_FRAGMENTATION
            ? unsplit.leastOf(lacking)
            : OptionalLong.empty(),
        supply.wasEverRefused(),
        !supply.collects() && !isRegionRefused && supply.collectingHelps(rounded, alignment),
        options.hasTwoEnds()
            ? Optional.empty()
            : Obstacle.find(space, rounded, alignment, isRegionRefused),
        space.tiled().free() instanceof TwoEndedChunks ends
            ? ends.largestBytes(end)
            : now.largestFreeChunkBytes(),
        supply.relatives().copy());
  }

  /** {@return the numbers of private pools and of the allocator above, if there are any} */
  String others() {
    String held =
        relatives.poolBytes() == 0
            ? ""
            : String.format(Locale.ROOT, ", heldByPrivatePools=%d", relatives.poolBytes());
    return isLimitedAbove()
        ? String.format(Locale.ROOT, "%s, leftByItsAllocator=%d", held, relatives.leftBytes())
        : held;
  }

  private boolean isLimitedAbove() {
    return relatives.leftBytes() < Long.MAX_VALUE / 2;
  }

  /** {@return the verdict on a request that has just failed; costs O(regions)} */
  static OutOfMemoryVerdict verdict(RegionSpace space, long bytes) {
    return verdict(space.supply(), bytes, Quantum.roundedBytes(bytes), space.statistics());
  }

  private static OutOfMemoryVerdict verdict(
      RegionSupply supply, long bytes, long rounded, AllocatorStatistics now) {
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

  private static OptionalLong higherLimitBytes(
      RegionSpace space, BfcOptions options, long rounded, long alignment) {
    RegionSupply supply = space.supply();
    TiledRegions tiled = space.tiled();
    long lacking = supply.neededBytes(rounded, alignment);
    if (supply.collects() && lacking < Long.MAX_VALUE) {
      lacking -= tiled.freeRegionBytes();
    }
    boolean isOneRegionOfTheLimit =
        options.growth() == RegionGrowth.ONE_REGION
            && tiled.regions().size() == 1
            && tiled.bytes() == supply.usableLimitBytes();
    for (AllocationRegion region : tiled.regions()) {
      if (supply.canLengthen(region) || isOneRegionOfTheLimit) {
        long longer = tiled.lackingBytes(region, rounded, alignment);
        lacking = Math.min(lacking, Quantum.roundedUp(longer, supply.granularityBytes()));
      }
    }
    long highest = Long.MAX_VALUE & -supply.granularityBytes();
    return lacking > highest - tiled.bytes()
        ? OptionalLong.empty()
        : OptionalLong.of(tiled.bytes() + lacking - space.usableLimitBytes());
  }

  /**
   * {@return the bytes by which a limit is too low for a request from an end, if that region has
   * the size of the limit}
   */
  private static OptionalLong higherLimitBytes(
      RegionSpace space, long rounded, long alignment, End end) {
    RegionSupply supply = space.supply();
    TiledRegions tiled = space.tiled();
    if (tiled.regions().isEmpty()) {
      long needed = supply.neededBytes(rounded, Quantum.BYTES);
      return needed == Long.MAX_VALUE
          ? OptionalLong.empty()
          : OptionalLong.of(needed - space.usableLimitBytes());
    }
    if (tiled.bytes() != supply.limitBytes() || !(tiled.free() instanceof TwoEndedChunks ends)) {
      return OptionalLong.empty();
    }
    // The end of a larger region has another address, which may need the whole padding.
    long padding =
        end == End.LOW
            ? Quantum.paddingBytes(ends.gapStart(), alignment)
            : Math.max(0, alignment - Quantum.BYTES);
    long lacking = rounded + padding - ends.gapBytes();
    long highest = Long.MAX_VALUE & -supply.granularityBytes();
    return rounded > highest - padding - tiled.bytes()
        ? OptionalLong.empty()
        : OptionalLong.of(
            tiled.bytes()
                + Quantum.roundedUp(lacking, supply.granularityBytes())
                - space.usableLimitBytes());
  }

  /** {@return the reason with its numbers, in one sentence} */
  String reason() {
    return switch (verdict) {
      case BUDGET_REACHED ->
          throw new IllegalStateException("not a verdict of an allocator: " + verdict);
      case REFUSED_BY_DEVICE ->
          isRegionRefused
              ? String.format(
                  Locale.ROOT, "The device refused %d bytes that the limit permits", neededBytes)
              : "The device refused to lengthen a region, which the limit permits";
      case INTERNAL_FRAGMENTATION ->
          String.format(
              Locale.ROOT,
              "Internal fragmentation: rounding and unsplit chunks take %d bytes, unsplit chunks %d of them;"
                  + " without these, the request would be within %s",
              statistics.bytesInUse() - statistics.requestedBytesInUse(),
              unsplitBytes,
              usableLimit());
      case TRUE_SHORTAGE ->
          neededBytes < Long.MAX_VALUE
              ? String.format(
                  Locale.ROOT,
                  "A true shortage: the request and the bytes in use are %d bytes more than %s",
                  roundedBytes - (usableLimitBytes - statistics.bytesInUse()),
                  usableLimit())
              : "A true shortage";
      case EXTERNAL_FRAGMENTATION ->
          largestBytes < roundedBytes
              ? String.format(
                  Locale.ROOT,
                  "External fragmentation: enough bytes are free, but the largest chunk is %d bytes too small",
                  roundedBytes - largestBytes)
              : String.format(
                  Locale.ROOT,
                  "External fragmentation: enough bytes are free, but no chunk has %d bytes at a multiple of %d",
                  roundedBytes,
                  alignment);
      case LIMIT_REACHED ->
          String.format(
              Locale.ROOT,
              "The limit is reached: it permits %d more bytes, and the largest free chunk has %d",
              usableLimitBytes - statistics.reservedBytes(),
              largestBytes);
    };
  }

  private String usableLimit() {
    return usableLimitBytes == statistics.limitBytes()
        ? "the limit"
        : String.format(
            Locale.ROOT, "the %d bytes of the limit that can be used", usableLimitBytes);
  }

  /** {@return the smallest changes with which the request would have passed, in one sentence} */
  String remedy() {
    if (garbageCollectionHelps) {
      return String.format(
          Locale.ROOT,
          "At this point, the request %s have passed with garbage collection: there are wholly free regions",
          isDeviceInDoubt ? "might" : "would");
    }
    List<String> certain = new ArrayList<>();
    List<String> possible = new ArrayList<>();
    higherLimitBytes.ifPresent(bytes ->
        (isDeviceInDoubt ? possible : certain)
            .add(
                String.format(
                    Locale.ROOT,
                    "with a limit higher by %d bytes%s",
                    bytes,
                    isLimitedAbove() ? ", also of its allocator" : "")));
    obstacle.ifPresent(wall ->
        (isDeviceInDoubt && wall.needsDevice() ? possible : certain)
            .add("without " + wall.describe()));
    // The rests would not necessarily have been neighbours.
    splitThresholdBytes.ifPresent(bytes ->
        possible.add(
            String.format(Locale.ROOT, "with splitThresholdBytes=%d from the start", bytes)));
    return certain.isEmpty() && possible.isEmpty()
        ? remedyOfNoChange()
        : sentence(certain, possible);
  }

  private static String sentence(List<String> certain, List<String> possible) {
    List<String> parts = new ArrayList<>();
    if (!certain.isEmpty()) {
      parts.add("would have passed " + String.join(", or ", certain));
    }
    if (!possible.isEmpty()) {
      parts.add("might have passed " + String.join(", or ", possible));
    }
    return "At this point, the request " + String.join(", and ", parts);
  }

  private String remedyOfNoChange() {
    if (verdict != OutOfMemoryVerdict.REFUSED_BY_DEVICE) {
      return "No limit is high enough";
    }
    return freeRegionBytes == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "At this point, the request might have passed with garbage collection: wholly free regions have %d bytes",
            freeRegionBytes);
  }
}
