package dev.stowage.core.bfc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Why a request failed, and the smallest changes that would have let it pass.
 *
 * <p>Changes are of the moment when it failed, and each is enough alone. A program that starts anew
 * with one of them may place everything else elsewhere, and fail again. What a sub-allocator would
 * have answered is not known: it is taken to give a region that the limit allows unless it refused
 * one for this request, to make regions longer unless it refused that when last asked, and to give
 * again what it is given back. If it ever refused anything, changes that need it are only possible.
 *
 * @param verdict why
 * @param requestedBytes what was asked for
 * @param roundedBytes what would have been taken
 * @param neededBytes what a region for it would have; {@link Long#MAX_VALUE} for none so large
 * @param alignment what its address would be a multiple of
 * @param statistics of the allocator then
 * @param usableLimitBytes the limit in whole multiples of the sub-allocator's granularity
 * @param regionRefused whether a new region was refused
 * @param freeRegionBytes what wholly free regions have together
 * @param higherLimitBytes how much higher the limit would have to be, empty where no limit is high
 *     enough, or would change the answer
 * @param unsplitBytes what chunks in use have beyond their rounded requests
 * @param splitThresholdBytes the largest at which enough of these would have been split off, if
 *     there is one
 * @param isDeviceInDoubt whether the sub-allocator ever refused anything
 * @param garbageCollectionHelps whether it would have passed with wholly free regions given back
 * @param obstacle what would have to be freed, empty where no region is long enough
 */
record Shortage(
    OutOfMemoryVerdict verdict,
    long requestedBytes,
    long roundedBytes,
    long neededBytes,
    long alignment,
    AllocatorStatistics statistics,
    long usableLimitBytes,
    boolean regionRefused,
    long freeRegionBytes,
    OptionalLong higherLimitBytes,
    long unsplitBytes,
    OptionalLong splitThresholdBytes,
    boolean isDeviceInDoubt,
    boolean garbageCollectionHelps,
    Optional<Obstacle> obstacle) {

  /** {@return the explanation of a request that has just failed; costs O(chunks)} */
  static Shortage of(RegionSpace space, BfcOptions options, long bytes, long alignment) {
    long rounded = Quantum.roundedBytes(bytes);
    RegionSupply supply = space.supply();
    long needed = supply.neededBytes(rounded, alignment);
    AllocatorStatistics now = space.statistics();
    boolean regionRefused =
        supply.isRefused() && needed <= supply.limitBytes() - now.reservedBytes();
    OutOfMemoryVerdict verdict = verdict(supply, bytes, rounded, now);
    UnsplitBytes unsplit = UnsplitBytes.of(space);
    long lacking = rounded - (supply.limitBytes() - now.bytesInUse());
    return new Shortage(
        verdict,
        bytes,
        rounded,
        needed,
        Math.max(Quantum.BYTES, alignment),
        now,
        supply.limitBytes(),
        regionRefused,
        space.tiled().freeRegionBytes(),
        regionRefused ? OptionalLong.empty() : higherLimitBytes(space, options, rounded, alignment),
        unsplit.sum(),
        verdict == OutOfMemoryVerdict.INTERNAL_FRAGMENTATION
            ? unsplit.leastOf(lacking)
            : OptionalLong.empty(),
        supply.wasEverRefused(),
        !supply.collects() && !regionRefused && supply.collectingHelps(rounded, alignment),
        Obstacle.find(space, rounded, alignment, regionRefused));
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
    if (rounded > supply.limitBytes() - now.bytesInUse()) {
      return bytes <= supply.limitBytes() - now.requestedBytesInUse()
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
            && tiled.bytes() == supply.limitBytes();
    for (AllocationRegion region : tiled.regions()) {
      if (supply.lengthens(region) || isOneRegionOfTheLimit) {
        long longer = tiled.lackingBytes(region, rounded, alignment);
        lacking = Math.min(lacking, Quantum.roundedUp(longer, supply.granularityBytes()));
      }
    }
    long highest = Long.MAX_VALUE & -supply.granularityBytes();
    return lacking > highest - tiled.bytes()
        ? OptionalLong.empty()
        : OptionalLong.of(tiled.bytes() + lacking - options.limitBytes());
  }

  /** {@return the verdict with its numbers, in one sentence} */
  String reason() {
    long largest = statistics.largestFreeChunkBytes();
    return switch (verdict) {
      case BUDGET_REACHED -> throw new IllegalStateException("no allocator's verdict: " + verdict);
      case REFUSED_BY_DEVICE ->
          regionRefused
              ? String.format(
                  Locale.ROOT,
                  "Refused by the device: it did not give %d bytes, which the limit would have allowed",
                  neededBytes)
              : "Refused by the device: it did not make a region longer, which the limit would have allowed";
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
                  "A true shortage: the request and what is in use are %d bytes more than %s",
                  roundedBytes - (usableLimitBytes - statistics.bytesInUse()),
                  usableLimit())
              : "A true shortage";
      case EXTERNAL_FRAGMENTATION ->
          largest < roundedBytes
              ? String.format(
                  Locale.ROOT,
                  "External fragmentation: enough is free, but the largest chunk is %d bytes too small",
                  roundedBytes - largest)
              : String.format(
                  Locale.ROOT,
                  "External fragmentation: enough is free, but no chunk has %d bytes at a multiple of %d",
                  roundedBytes,
                  alignment);
      case LIMIT_REACHED ->
          String.format(
              Locale.ROOT,
              "The limit is reached: %d bytes are left up to it, and the largest free chunk has %d",
              usableLimitBytes - statistics.reservedBytes(),
              largest);
    };
  }

  private String usableLimit() {
    return usableLimitBytes == statistics.limitBytes()
        ? "the limit"
        : String.format(Locale.ROOT, "the %d bytes of the limit that can be had", usableLimitBytes);
  }

  /** {@return the smallest changes that would have let the request pass, in one sentence} */
  String remedy() {
    if (garbageCollectionHelps) {
      return String.format(
          Locale.ROOT,
          "At this point it %s have passed with garbage collection: there are wholly free regions",
          isDeviceInDoubt ? "might" : "would");
    }
    List<String> certain = new ArrayList<>();
    List<String> possible = new ArrayList<>();
    higherLimitBytes.ifPresent(bytes ->
        (isDeviceInDoubt ? possible : certain)
            .add(String.format(Locale.ROOT, "with a limit higher by %d bytes", bytes)));
    obstacle.ifPresent(wall ->
        (isDeviceInDoubt && wall.needsDevice() ? possible : certain)
            .add("without " + wall.describe()));
    // Whether the split rests would have lain side by side is not known.
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
    return "At this point it " + String.join(", and ", parts);
  }

  private String remedyOfNoChange() {
    if (verdict != OutOfMemoryVerdict.REFUSED_BY_DEVICE) {
      return "No limit is high enough";
    }
    return freeRegionBytes == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "At this point it might have passed with garbage collection: wholly free regions have %d bytes",
            freeRegionBytes);
  }
}
