package dev.stowage.trace.netty;

import dev.stowage.allocator.OutOfMemoryNumbers;
import dev.stowage.allocator.OutOfMemoryNumbers.Quantity;
import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.replay.FreeBytes;
import dev.stowage.trace.replay.InUseBytes;
import dev.stowage.trace.replay.Refusals;
import dev.stowage.trace.replay.RegionSegments;
import dev.stowage.trace.replay.SimulatedAllocator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An allocator of Netty without memory: the buffers of a program, and the chunks that they need.
 */
final class NettyAllocator implements SimulatedAllocator {

  private record Used(NettyBuffer buffer, long requestedBytes) {

    InUseBytes bytes() {
      return InUseBytes.ofRegion(requestedBytes, buffer.bytes());
    }
  }

  private final NettyChunks chunks;
  private final Map<Long, Used> used = new HashMap<>();
  private final Set<Long> eventLoops = new HashSet<>();
  private final Map<Long, NettyThread> threads = new HashMap<>();
  private final boolean hasSettings;
  private NettySettings settings;
  private Optional<BufferSource> source = Optional.empty();
  private InUseBytes usedBytes = InUseBytes.ofRegion(0, 0);
  private long refusedChunkBytes;
  private OptionalLong recordedPeakBytes = OptionalLong.empty();

  NettyAllocator(Optional<NettySettings> settings, OptionalLong limitBytes) {
    hasSettings = settings.isPresent();
    this.settings = settings.orElseGet(NettySettings::defaults);
    chunks = new NettyChunks(limitBytes);
  }

  @Override
  public void noteProgram(RecordedProgram program) {
    NettySettings recorded = NettySettings.recorded(program);
    settings = hasSettings ? settings.onMachineOf(recorded) : recorded;
    eventLoops.addAll(program.cachingStreams());
    // With other settings, the recorded bytes say nothing about the replay.
    recordedPeakBytes = hasSettings ? OptionalLong.empty() : program.peakReservedBytes();
  }

  private BufferSource source() {
    if (source.isEmpty()) {
      source =
          Optional.of(
              switch (settings.type()) {
                case "pooled" -> new PooledBuffers(settings, chunks);
                case "unpooled" -> new UnpooledBuffers(chunks);
                default -> new AdaptiveBuffers(settings, chunks);
              });
    }
    return source.get();
  }

  @Override
  public long allocate(long bytes, long stream, long pool) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be positive: bytes=" + bytes);
    }
    if (bytes > Integer.MAX_VALUE) {
      refusedChunkBytes = bytes;
      return REFUSED;
    }
    NettyThread thread =
        threads.computeIfAbsent(stream, id -> new NettyThread(id, eventLoops.contains(id)));
    NettyBuffer buffer;
    try {
      buffer = source().allocate((int) bytes, thread);
    } catch (ChunkLimitException e) {
      refusedChunkBytes = e.chunkBytes();
      return REFUSED;
    }
    Used begun = new Used(buffer, bytes);
    used.put(buffer.address(), begun);
    chunks.use(buffer.chunk(), buffer.bytes());
    usedBytes = usedBytes.plus(begun.bytes());
    return buffer.address();
  }

  @Override
  public void free(long address, long stream) {
    Used ended = check(used.remove(address), address);
    NettyBuffer buffer = ended.buffer();
    usedBytes = usedBytes.minus(ended.bytes());
    chunks.use(buffer.chunk(), -buffer.bytes());
    buffer.release().accept(stream);
  }

  /** Does nothing: programs with Netty have no such call. */
  @Override
  public void releaseCached() {}

  @Override
  public String settings() {
    return settings.toString();
  }

  @Override
  public List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    if (threads.size() > 1 && !settings.type().equals("unpooled")) {
      doubts.add(NettyDoubts.RACES);
    }
    NettyDoubts.difference(chunks.peakBytes(), recordedPeakBytes).ifPresent(doubts::add);
    return doubts;
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
    Map<Integer, List<Used>> byChunk = withBlocks ? usedByChunk() : Map.of();
    List<SnapshotSegment> segments = new ArrayList<>();
    for (NettyChunk chunk : chunks.all()) {
      Region region = chunk.region();
      List<SnapshotBlock> blocks = new ArrayList<>();
      if (withBlocks) {
        for (Part part : parts(chunk, byChunk)) {
          blocks.add(
              part.used().isPresent()
                  ? RegionSegments.used(
                      part.address(), part.bytes(), part.used().get().requestedBytes())
                  : RegionSegments.free(part.address(), part.bytes()));
        }
      }
      segments.add(RegionSegments.segment(region.address(), region.bytes(), false, blocks));
    }
    return segments;
  }

  /** A part of a chunk that is in use or free as a whole. */
  private record Part(long address, long bytes, Optional<Used> used) {}

  private Map<Integer, List<Used>> usedByChunk() {
    Map<Integer, List<Used>> byChunk = new HashMap<>();
    for (Used each : used.values()) {
      byChunk
          .computeIfAbsent(each.buffer().chunk().region().index(), _ -> new ArrayList<>())
          .add(each);
    }
    return byChunk;
  }

  private static List<Part> parts(NettyChunk chunk, Map<Integer, List<Used>> byChunk) {
    List<Used> buffers = byChunk.getOrDefault(chunk.region().index(), List.of());
    List<Part> parts = new ArrayList<>();
    long end = chunk.region().address();
    for (Used each :
        buffers.stream().sorted(Comparator.comparingLong(one -> one.buffer().offset())).toList()) {
      long start = each.buffer().address();
      addFree(end, start - end, parts);
      parts.add(new Part(start, each.buffer().bytes(), Optional.of(each)));
      end = start + each.buffer().bytes();
    }
    addFree(end, chunk.region().address() + chunk.bytes() - end, parts);
    return parts;
  }

  private static void addFree(long address, long bytes, List<Part> parts) {
    if (bytes > 0) {
      parts.add(new Part(address, bytes, Optional.empty()));
    }
  }

  @Override
  public Region regionOf(long address) {
    return check(used.get(address), address).buffer().chunk().region();
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
    Map<Integer, List<Used>> byChunk = usedByChunk();
    List<Range> ranges = new ArrayList<>();
    for (NettyChunk chunk : chunks.all()) {
      for (Part part : parts(chunk, byChunk)) {
        boolean isInUse = part.used().isPresent();
        ranges.add(
            new Range(
                chunk.region().index(),
                part.address(),
                part.bytes(),
                isInUse,
                isInUse ? "" : chunk.region().owner()));
      }
    }
    return ranges;
  }

  @Override
  public void assumeLimit(long bytes) {
    if (chunks.limitBytes() == Long.MAX_VALUE) {
      chunks.setLimit(bytes);
    }
  }

  @Override
  public boolean mayRefuse(long bytes) {
    return chunks.limitBytes() < Long.MAX_VALUE;
  }

  @Override
  public Refusal refusal(long bytes, long stream, long pool) {
    OutOfMemoryNumbers numbers = Refusals.numbers(this, bytes, bytes, chunks.limitBytes());
    return Refusals.of(
        numbers.with(Quantity.REGION, refusedChunkBytes).withProgramLimit(),
        String.format(
            Locale.ROOT,
            "%s requested on thread %d, which needs a new chunk of %s.%s",
            ByteCount.exact(bytes),
            stream,
            ByteCount.text(refusedChunkBytes),
            Refusals.permitted(numbers, refusedChunkBytes)));
  }
}
