package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.SnapshotSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * PyTorch's caching allocator ({@code CUDACachingAllocator}, as of PyTorch 2.13), without memory.
 *
 * <p>A request takes the smallest free block of its stream and pool, or a new segment. Costs O(log
 * n) for n blocks.
 */
public final class PytorchAllocator implements SimulatedAllocator {

  /*
   * The blocks of a segment are a list by address. Blocks in use are in `used`. All others are in the
   * StreamBlocks of their pool and stream:
   *
   *   request of at most 1 MiB   small blocks, segments of 2 MiB
   *   request below 10 MiB       large blocks, segments of 20 MiB
   *   other requests             large blocks, segments of a multiple of 2 MiB
   *
   * The rest of a block is split off if it has at least 512 bytes (small blocks, expandable segments)
   * or more than 1 MiB (large blocks). So a block may be larger than its request.
   *
   * A request without a fitting block: release old cached segments (garbage collection), then a new
   * segment. If the device has too little memory: release cached segments above the split limit, then
   * all cached segments. Requests of private pools keep those, as in the capture of a graph.
   */

  private final Optional<PytorchRecording> recording;
  private final SegmentSource device;
  private final CacheRelease release;
  private OptionalLong limitBytes;

  /** The limit that the failures of the recording show, if no other one is given. */
  private final Optional<RecordedLimit> recordedLimit;

  private final PytorchSettings first;
  private final NavigableMap<Long, PytorchSettings> phases;

  /** True if segments come and go as in the recording, because the settings are the same. */
  private final boolean isAsRecorded;

  private final int completionShift;

  /** The private pools without expandable segments, whatever the settings are. */
  private final Set<Long> fixedPools;

  private final BlockPools pools = new BlockPools();
  private final Map<Long, Block> used = new HashMap<>();
  private PytorchSettings settings;
  private long nextPhase;
  private Runnable completion = () -> {};
  private long bytesInUse;
  private long requestedBytesInUse;
  private long roundedBytesInUse;
  private long retries;
  private boolean dependsOnAddresses;

  /** The bytes of the largest block that a search found; with a split limit, larger ones differ. */
  private long mostSearchedBytes;

  /** The event of the recording that was noted last. */
  private int position;

  /** Creates an allocator without memory; its segments will have ascending addresses. */
  PytorchAllocator(PytorchSettings settings, OptionalLong limitBytes) {
    this(
        settings,
        Collections.emptyNavigableMap(),
        limitBytes,
        Optional.empty(),
        new Chance(AddressOrder.ASCENDING, 0));
  }

  /**
   * Creates an allocator, in the state of a recorded one before the first event.
   *
   * @param settings the settings at the start
   * @param phases the settings that hold from events on
   * @param limitBytes the most bytes that it may hold; empty for any number
   * @param recording the recording; empty to start without memory
   * @param chance what differs between runs
   */
  PytorchAllocator(
      PytorchSettings settings,
      NavigableMap<Long, PytorchSettings> phases,
      OptionalLong limitBytes,
      Optional<PytorchRecording> recording,
      Chance chance) {
    first = settings;
    this.settings = settings;
    this.phases = phases;
    this.limitBytes = limitBytes;
    this.recording = recording;
    recordedLimit =
        limitBytes.isPresent()
            ? Optional.empty()
            : recording.flatMap(PytorchRecording::limit).filter(RecordedLimit::isPossible);
    fixedPools = recording.map(PytorchRecording::fixedPools).orElse(Set.of());
    nextPhase = phases.isEmpty() ? Long.MAX_VALUE : phases.firstKey();
    completionShift = chance.completionShift();
    PytorchSettings last = phases.isEmpty() ? settings : phases.lastEntry().getValue();
    isAsRecorded = recording.isPresent() && last.equals(recording.get().settings());
    NavigableSet<Long> starts =
        recording.map(PytorchRecording::segmentStarts).orElseGet(Collections::emptyNavigableSet);
    device =
        new SegmentSource(
            settings.memoryFraction() < 1 ? limitBytes : OptionalLong.empty(),
            starts,
            chance.order().beside(starts, recording.map(PytorchRecording::top).orElse(0L)));
    release = new CacheRelease(device);
    recording.ifPresent(
        known -> new HeldBlocks(device, settings).add(known.held(), pools::get, this::use));
  }

  /** Releases cached memory, and forgets that it was held. */
  void dropCache() {
    releaseCachedAt(0);
    device.resetCounts();
  }

  private void use(Block block) {
    block.isUsed = true;
    used.put(block.address, block);
    bytesInUse += block.bytes;
    requestedBytesInUse += block.requestedBytes;
    roundedBytesInUse += roundedBytes(block);
  }

  /** {@return the bytes of a block in use without its rest, by the settings of now} */
  private long roundedBytes(Block block) {
    return Math.min(settings.blockBytes(block.requestedBytes), block.bytes);
  }

  @Override
  public long allocate(long bytes, long stream, long pool) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be positive: bytes=" + bytes);
    }
    if (bytes >= SegmentSizes.REJECTED_BYTES) {
      return REFUSED;
    }
    long blockBytes = settings.blockBytes(bytes);
    StreamBlocks home = pools.get(pool, SegmentSizes.isSmall(blockBytes)).of(stream);
    Block block = cached(home, blockBytes);
    if (block == null) {
      block = uncached(home, blockBytes, pool);
    }
    device.clearProposal();
    if (block == null) {
      return REFUSED;
    }
    if (settings.splits(
        block.bytes - blockBytes, blockBytes, home.pool.isSmall, settings.isExpandable())) {
      splitOff(block, blockBytes);
    }
    block.requestedBytes = bytes;
    use(block);
    return block.address;
  }

  /** {@return a free block for a request, no longer among the free ones; null if there is none} */
  private @Nullable Block cached(StreamBlocks home, long bytes) {
    if (collectsGarbage()) {
      home.pool.searches++;
    }
    Block block = home.smallestFrom(bytes);
    if (block != null && !dependsOnAddresses) {
      dependsOnAddresses = home.hasRival(block);
    }
    if (block != null && block.segment.isExpandable()) {
      block = settings.isExpandable() ? leastExtensible(home, block) : notExpandable(home, block);
    }
    if (block == null) {
      return null;
    }
    mostSearchedBytes = Math.max(mostSearchedBytes, block.bytes);
    if (!settings.fits(block.bytes, bytes)) {
      return null;
    }
    home.remove(block);
    return block;
  }

  /** Goes on to the next larger block as long as that block can grow less. */
  private static Block leastExtensible(StreamBlocks home, Block first) {
    Block block = first;
    Block next = home.next(block);
    while (block.segment.isExpandable()
        && next != null
        && next.extensibleBytes() < block.extensibleBytes()) {
      block = next;
      next = home.next(block);
    }
    return block;
  }

  private static @Nullable Block notExpandable(StreamBlocks home, Block first) {
    Block block = home.next(first);
    while (block != null && block.segment.isExpandable()) {
      block = home.next(block);
    }
    return block;
  }

  private @Nullable Block uncached(StreamBlocks home, long bytes, long pool) {
    if (collectsGarbage() && !followsReleases()) {
      release.oldSegments(
          pools.get(PoolNumber.DEFAULT, false),
          (long) (settings.garbageCollectionThreshold() * allowedBytes()));
    }
    Block block = fresh(home, bytes);
    if (block == null) {
      mostSearchedBytes = Long.MAX_VALUE; // the split limit decides which segments are released
      if (release.oversizeSegments(home, bytes, settings.maxSplitBytes())) {
        block = fresh(home, bytes);
      }
    }
    if (block == null && pool == PoolNumber.DEFAULT) {
      retries++;
      completion.run();
      releaseCachedAt(position);
      block = fresh(home, bytes);
    }
    if (block != null) {
      mostSearchedBytes = Math.max(mostSearchedBytes, block.bytes);
    }
    return block;
  }

  private boolean collectsGarbage() {
    // PyTorch does so only below a limit that the program set.
    return settings.garbageCollectionThreshold() > 0
        && (limitBytes.isPresent() || recordedLimit.filter(RecordedLimit::isOfProgram).isPresent());
  }

  /** {@return the most bytes that the allocator may hold} */
  private long allowedBytes() {
    if (recordedLimit.isPresent()) {
      return recordedLimit.get().bytes();
    }
    return settings.memoryFraction() < 1
        ? (long) (settings.memoryFraction() * limitBytes.orElse(Long.MAX_VALUE))
        : limitBytes.orElse(Long.MAX_VALUE);
  }

  private @Nullable Block fresh(StreamBlocks home, long bytes) {
    long segmentBytes = SegmentSizes.of(settings, bytes);
    // The limit counts a whole segment, even if an expandable one needs less.
    if (segmentBytes > allowedBytes() - device.heldBytes()) {
      return null;
    }
    if (settings.isExpandable() && !fixedPools.contains(home.pool.number)) {
      OptionalLong reserve = settings.reserveBytes(limitBytes);
      long pageBytes = SegmentSizes.page(settings, home.pool.isSmall);
      // No block lies in two segments.
      return reserve.isPresent() && bytes > reserve.getAsLong()
          ? null
          : new ExpandableBlocks(device, home, pageBytes, reserve).take(bytes);
    }
    Segment segment = device.allocate(segmentBytes);
    return segment == null ? null : new Block(segment, home, segment.address, segmentBytes);
  }

  private static void splitOff(Block block, long bytes) {
    Block rest = new Block(block.segment, block.home, block.address + bytes, block.bytes - bytes);
    block.bytes = bytes;
    block.linkAbove(rest);
    block.home.add(rest);
  }

  @Override
  public void free(long address, long stream) {
    Block block = used.remove(address);
    if (block == null) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "no allocation is in use at address %d", address));
    }
    block.isUsed = false;
    bytesInUse -= block.bytes;
    requestedBytesInUse -= block.requestedBytes;
    roundedBytesInUse -= roundedBytes(block);
    StreamMerge.addMerged(block);
  }

  @Override
  public void releaseCached() {
    completion.run();
    releaseCachedAt(position);
  }

  /** Releases the cache of the default pool, and of pools that no graph uses at an event. */
  private void releaseCachedAt(int event) {
    releasePool(PoolNumber.DEFAULT);
    recording.ifPresent(known -> known.destroyedPools(event).forEach(this::releasePool));
  }

  private void releasePool(long pool) {
    release.all(pools.get(pool, false));
    release.all(pools.get(pool, true));
  }

  @Override
  public void onRetry(Runnable completesFrees) {
    completion = completesFrees;
  }

  @Override
  public int completionShift() {
    return completionShift;
  }

  @Override
  public void beforeEvent(long event) {
    if (event >= nextPhase) {
      settings = phases.floorEntry(event).getValue();
      nextPhase = Optional.ofNullable(phases.higherKey(event)).orElse(Long.MAX_VALUE);
      roundedBytesInUse = used.values().stream().mapToLong(this::roundedBytes).sum();
    }
  }

  /**
   * Takes note of a segment of the recording.
   *
   * <p>A new segment proposes its address for the next segment of the replay. With the settings of
   * the recording, the replay releases the segments that the recording releases. With other
   * settings or a limit, the replay releases all cached memory if the program released segments; it
   * ignores releases for a request.
   */
  @Override
  public void noteRecorded(PytorchRecording from, int event) {
    position = event;
    SnapshotEvents events = from.history().device().events();
    long address = events.address(event);
    long bytes = events.bytes(event);
    switch (events.action(event)) {
      case SEGMENT_ALLOC, SEGMENT_MAP -> {
        if (isAsRecorded) {
          device.propose(address, bytes);
        }
      }
      case SEGMENT_FREE, SEGMENT_UNMAP -> noteRelease(from, event);
      default -> {}
    }
  }

  /** {@return true if segments are released as in the recording, and not for requests} */
  private boolean followsReleases() {
    return isAsRecorded && limitBytes.isEmpty();
  }

  @Override
  public void assumeLimit(long bytes) {
    if (limitBytes.isEmpty() && recordedLimit.isEmpty()) {
      limitBytes = OptionalLong.of(bytes);
    }
  }

  @Override
  public boolean mayRefuse(long bytes) {
    return limitBytes.isPresent()
        || recordedLimit.isPresent()
        || bytes >= SegmentSizes.REJECTED_BYTES;
  }

  private void noteRelease(PytorchRecording from, int event) {
    SnapshotEvents events = from.history().device().events();
    if (followsReleases()) {
      release.recorded(events.address(event), events.bytes(event), pools.all());
    } else {
      OptionalInt last = from.releases().lastForProgram(event);
      if (last.isPresent()) {
        completion.run();
        from.releasedPools(last.getAsInt()).forEach(this::releasePool);
      }
    }
  }

  @Override
  public boolean isInUse(long address) {
    return used.containsKey(address);
  }

  @Override
  public boolean hasDeviceAddresses() {
    return true;
  }

  @Override
  public String settings() {
    return first.toString();
  }

  @Override
  public String rules() {
    return "PyTorch 2.13";
  }

  @Override
  public List<String> phases() {
    return phases.entrySet().stream()
        .map(phase -> {
          String text = phase.getValue().toString();
          return String.format(
              Locale.ROOT,
              "from event %d on with %s",
              phase.getKey(),
              text.isEmpty() ? "its defaults" : text);
        })
        .toList();
  }

  @Override
  public boolean dependsOnAddresses() {
    return dependsOnAddresses;
  }

  @Override
  public long mostSearchedBytes() {
    return mostSearchedBytes;
  }

  @Override
  public long retries() {
    return retries;
  }

  @Override
  public long requestedBytesInUse() {
    return requestedBytesInUse;
  }

  @Override
  public long bytesInUse() {
    return bytesInUse;
  }

  @Override
  public long reservedBytes() {
    return device.heldBytes();
  }

  @Override
  public long peakReservedBytes() {
    return device.peakHeldBytes();
  }

  @Override
  public long largestFreeBytes() {
    return pools.largestBytes();
  }

  @Override
  public long deviceCalls() {
    return device.calls();
  }

  @Override
  public List<Region> regions() {
    return device.regions();
  }

  @Override
  public List<Region> changedRegions() {
    return device.changedRegions();
  }

  @Override
  public List<SnapshotSegment> segments(boolean withBlocks) {
    return new BlockWalk(withBlocks).segments(device.segments());
  }

  @Override
  public List<SnapshotSegment> segmentsOf(Region region) {
    return region.bytes() == 0
        ? List.of()
        : new BlockWalk(false).segments(device.segmentsAt(region.address()));
  }

  @Override
  public ReservedMemory reserved(long stream, Set<Long> pendingFrees) {
    return new SegmentWalk(settings, stream, pendingFrees).divide(device.segments());
  }

  @Override
  public InUseBytes usedBytes() {
    return new InUseBytes(requestedBytesInUse, roundedBytesInUse, bytesInUse);
  }

  @Override
  public InUseBytes usedBytes(long address) {
    Block block = inUse(address);
    return new InUseBytes(block.requestedBytes, roundedBytes(block), block.bytes);
  }

  @Override
  public FreeBytes freeBytes(long stream) {
    return pools.freeBytes(device.heldBytes() - bytesInUse, stream);
  }

  @Override
  public SnapshotSettings snapshotSettings() {
    return RecordedSettings.recorded(settings);
  }

  @Override
  public Region regionOf(long address) {
    return inUse(address).segment.region();
  }

  private Block inUse(long address) {
    Block block = used.get(address);
    if (block == null) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "no allocation is in use at address %d", address));
    }
    return block;
  }

  @Override
  public List<Range> ranges() {
    List<Range> ranges = new ArrayList<>();
    used.values().forEach(block -> ranges.add(range(block, "")));
    for (BlockPool pool : pools.all()) {
      for (StreamBlocks blocks : pool.streams()) {
        blocks.free().forEach(block -> ranges.add(range(block, blocks.owner())));
      }
    }
    ranges.sort(Comparator.comparing(Range::address, Long::compareUnsigned));
    return ranges;
  }

  private static Range range(Block block, String owner) {
    return new Range(block.segment.index, block.address, block.bytes, block.isUsed, owner);
  }

  @Override
  public Refusal refusal(long bytes, long stream, long pool) {
    long blockBytes = settings.blockBytes(Math.min(bytes, SegmentSizes.REJECTED_BYTES));
    Block hole =
        pools.get(pool, SegmentSizes.isSmall(blockBytes)).of(stream).smallestFrom(blockBytes);
    OptionalLong lateHole =
        hole != null && settings.fits(hole.bytes, blockBytes)
            ? OptionalLong.of(hole.bytes)
            : OptionalLong.empty();
    return PytorchRefusal.of(
        this,
        settings,
        bytes,
        stream,
        new PytorchRefusal.Limit(
            allowedBytes(),
            recordedLimit.filter(RecordedLimit::isOfProgram).isPresent(),
            lateHole));
  }
}
