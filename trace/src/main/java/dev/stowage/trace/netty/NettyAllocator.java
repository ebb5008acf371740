package dev.stowage.trace.netty;

import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.trace.format.NettyScript;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.replay.FreeBytes;
import dev.stowage.trace.replay.InUseBytes;
import dev.stowage.trace.replay.Refusals;
import dev.stowage.trace.replay.RegionSegments;
import dev.stowage.trace.replay.SimulatedAllocator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The buffers and chunks of a run in a real Netty, event by event. */
final class NettyAllocator implements SimulatedAllocator {

  /*
   * The run has ended before the first event. Each call of the replay is the next allocation or free
   * of its script; ends of threads and frees of refused buffers have no call.
   *
   * Where Netty gets memory by Unsafe, events of the pooled allocator have no address of the chunk, but the
   * buffers do. Chunks of one size without buffers are the same to a replay.
   */

  /** A buffer in a chunk of its own ends with that chunk. */
  private record Used(NettyChunk chunk, long address, InUseBytes bytes, boolean isAlone) {}

  private final NettyEngine engine;
  private final Optional<NettySettings> given;
  private final OptionalLong limitBytes;
  private final NettyChunks chunks = new NettyChunks();

  /** The chunks by their addresses in the process of Netty. */
  private final TreeMap<Long, NettyChunk> byAddress = new TreeMap<>();

  /** The chunks without an address that have no buffer yet. */
  private final List<NettyChunk> unplaced = new ArrayList<>();

  private final Map<Long, Used> used = new HashMap<>();

  /** The buffers that Netty refused, by their numbers in the script. */
  private final BitSet refused = new BitSet();

  private NettySettings settings = NettySettings.defaults();
  private Optional<NettyAgreement> agreement = Optional.empty();
  private Optional<NettyRun> run = Optional.empty();
  private InUseBytes usedBytes = InUseBytes.ofRegion(0, 0);
  private int next;
  private int nextChange;

  NettyAllocator(NettyEngine engine, Optional<NettySettings> settings, OptionalLong limitBytes) {
    this.engine = engine;
    given = settings;
    this.limitBytes = limitBytes;
  }

  @Override
  public void noteProgram(RecordedProgram program) {
    NettySettings recorded = NettySettings.recorded(program);
    settings = given.map(each -> each.onMachineOf(recorded)).orElse(recorded);
    NettyAgreement first = NettyAgreement.of(engine, program);
    agreement = Optional.of(first);
    NettySettings all =
        limitBytes.isPresent() ? settings.withLimit(limitBytes.getAsLong()) : settings;
    run = Optional.of(all.equals(recorded) ? first.run() : engine.run(program, all));
  }

  private NettyRun run() {
    return run.orElseThrow(
        () -> new NettyRunException("is no recording of Netty, which alone runs in Netty"));
  }

  /** {@return the number of the next call of a replay, after all changes of chunks before it} */
  private int advance() {
    NettyScript script = run().script();
    while (script.kind(next) == NettyScript.Kind.END
        || (script.kind(next) == NettyScript.Kind.FREE && refused.get(script.buffer(next)))) {
      changeChunks();
      next++;
    }
    return next;
  }

  private void changeChunks() {
    List<NettyRun.Change> changes = run().changes();
    while (nextChange < changes.size() && changes.get(nextChange).operation() <= next) {
      NettyRun.Change change = changes.get(nextChange++);
      if (change.isAdded()) {
        NettyChunk chunk = chunks.add(change.address(), change.bytes());
        if (change.address() == 0) {
          unplaced.add(chunk);
        } else {
          byAddress.put(change.address(), chunk);
        }
      } else if (change.address() == 0) {
        removeUnused(change.bytes());
      } else {
        Optional.ofNullable(byAddress.remove(change.address())).ifPresent(chunks::remove);
      }
    }
  }

  /** Removes a chunk without buffers: an event without an address does not tell which. */
  private void removeUnused(long bytes) {
    chunks.all().stream()
        .filter(chunk -> chunk.bytes() == bytes && chunk.isUnused())
        .findFirst()
        .ifPresent(chunk -> {
          chunks.remove(chunk);
          unplaced.remove(chunk);
          byAddress.remove(chunk.realAddress(), chunk);
        });
  }

  /** {@return the chunk of the buffer of an operation; empty if it is not in one} */
  private Optional<NettyChunk> chunkOf(int operation) {
    long start = run().chunkAddress(operation);
    if (start == 0) {
      return Optional.ofNullable(byAddress.floorEntry(run().address(operation)))
          .map(Map.Entry::getValue)
          .filter(chunk -> chunk.holds(run().address(operation)));
    }
    NettyChunk known = byAddress.get(start);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<NettyChunk> placed =
        unplaced.isEmpty()
            ? byAddress.values().stream().filter(NettyChunk::isUnused).findFirst()
            : Optional.of(unplaced.removeLast());
    placed.ifPresent(chunk -> {
      byAddress.remove(chunk.realAddress(), chunk);
      chunk.placeAt(start);
      byAddress.put(start, chunk);
    });
    return placed;
  }

  @Override
  public long allocate(long bytes, long stream, long pool) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be positive: bytes=" + bytes);
    }
    int operation = advance();
    changeChunks();
    next++;
    long real = run().address(operation);
    if (real == REFUSED) {
      refused.set(run().script().buffer(operation));
      return REFUSED;
    }
    long slotBytes = Math.max(bytes, run().bytes(operation));
    Optional<NettyChunk> known = chunkOf(operation);
    NettyChunk chunk = known.orElseGet(() -> chunks.add(real, slotBytes));
    Used begun =
        new Used(
            chunk, chunk.addressOf(real), InUseBytes.ofRegion(bytes, slotBytes), known.isEmpty());
    used.put(begun.address(), begun);
    chunk.use(slotBytes);
    usedBytes = usedBytes.plus(begun.bytes());
    return begun.address();
  }

  @Override
  public void free(long address, long stream) {
    Used ended = check(used.remove(address), address);
    usedBytes = usedBytes.minus(ended.bytes());
    ended.chunk().use(-ended.bytes().bytes());
    if (ended.isAlone()) {
      chunks.remove(ended.chunk());
    }
    advance();
    changeChunks();
    next++;
  }

  /** Does nothing: programs with Netty have no such call. */
  @Override
  public void releaseCached() {}

  /** {@return the version of Netty, and the reason for it} */
  @Override
  public String rules() {
    return run().version();
  }

  @Override
  public String settings() {
    return settings.toString();
  }

  /** {@return the agreement with the recording, and the settings that this version ignores} */
  @Override
  public List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    agreement.ifPresent(first -> {
      doubts.add(first.sentence());
      settings.properties().stream()
          .filter(property -> !engine.knows(first.program(), property))
          .map(property -> "This version of Netty has no " + property + ", which changes nothing.")
          .forEach(doubts::add);
    });
    return doubts;
  }

  @Override
  public boolean missesRecording() {
    return agreement.filter(NettyAgreement::isMissed).isPresent();
  }

  @Override
  public long requestedBytesInUse() {
    return usedBytes.requestedBytes();
  }

  @Override
  public long bytesInUse() {
    return usedBytes.bytes();
  }

  @Override
  public InUseBytes usedBytes() {
    return usedBytes;
  }

  @Override
  public InUseBytes usedBytes(long address) {
    return check(used.get(address), address).bytes();
  }

  @Override
  public FreeBytes freeBytes(long stream) {
    return FreeBytes.ofRegions(chunks.bytes() - usedBytes.bytes(), chunks.unusedBytes());
  }

  @Override
  public long reservedBytes() {
    return chunks.bytes();
  }

  @Override
  public long peakReservedBytes() {
    return chunks.peakBytes();
  }

  /** {@return the most free bytes of a chunk, which need not be contiguous} */
  @Override
  public long largestFreeBytes() {
    return chunks.mostFreeBytes();
  }

  @Override
  public long deviceCalls() {
    return chunks.calls();
  }

  @Override
  public List<Region> regions() {
    return chunks.all().stream().map(NettyChunk::region).toList();
  }

  @Override
  public List<Region> changedRegions() {
    return chunks.changedRegions();
  }

  @Override
  public List<SnapshotSegment> segments(boolean withBlocks) {
    Map<Integer, List<SnapshotBlock>> blocks =
        withBlocks
            ? ranges().stream()
                .collect(
                    Collectors.groupingBy(
                        Range::region, Collectors.mapping(this::block, Collectors.toList())))
            : Map.of();
    return regions().stream()
        .map(region ->
            RegionSegments.segment(
                region.address(),
                region.bytes(),
                false,
                blocks.getOrDefault(region.index(), List.of())))
        .toList();
  }

  private SnapshotBlock block(Range range) {
    return range.isInUse()
        ? RegionSegments.used(
            range.address(), range.bytes(), usedBytes(range.address()).requestedBytes())
        : RegionSegments.free(range.address(), range.bytes());
  }

  @Override
  public Region regionOf(long address) {
    return check(used.get(address), address).chunk().region();
  }

  private static Used check(@Nullable Used found, long address) {
    if (found == null) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "no allocation is in use at address %d", address));
    }
    return found;
  }

  @Override
  public List<Range> ranges() {
    Map<NettyChunk, List<Used>> byChunk =
        used.values().stream()
            .sorted(Comparator.comparingLong(Used::address))
            .collect(Collectors.groupingBy(Used::chunk));
    List<Range> ranges = new ArrayList<>();
    for (NettyChunk chunk : chunks.all()) {
      long end = chunk.region().address();
      for (Used each : byChunk.getOrDefault(chunk, List.of())) {
        addRange(chunk, end, each.address(), false, ranges);
        end = each.address() + each.bytes().bytes();
        addRange(chunk, each.address(), end, true, ranges);
      }
      addRange(chunk, end, chunk.region().address() + chunk.bytes(), false, ranges);
    }
    return ranges;
  }

  private static void addRange(
      NettyChunk chunk, long start, long end, boolean isInUse, List<Range> ranges) {
    if (end > start) {
      ranges.add(new Range(chunk.region().index(), start, end - start, isInUse, ""));
    }
  }

  /** The memory of a device is not that of a program with Netty. */
  @Override
  public boolean mayRefuse(long bytes) {
    return limitBytes.isPresent() || run().refusedCount() > 0;
  }

  @Override
  public Refusal refusal(long bytes, long stream, long pool) {
    long chunkBytes = run().bytes(next - 1);
    OutOfMemoryNumbers numbers =
        Refusals.numbers(this, bytes, bytes, limitBytes.orElse(chunks.peakBytes()));
    return Refusals.of(
        numbers.with(Quantity.REGION, chunkBytes).withProgramLimit(),
        String.format(
            Locale.ROOT,
            "%s requested on thread %d, which needs a new chunk of %s.%s",
            ByteCount.exact(bytes),
            stream,
            ByteCount.text(chunkBytes),
            Refusals.permitted(numbers, chunkBytes)));
  }
}
