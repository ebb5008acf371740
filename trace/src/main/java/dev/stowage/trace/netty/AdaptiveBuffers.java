package dev.stowage.trace.netty;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The adaptive allocator. */
final class AdaptiveBuffers implements BufferSource {

  /** The sizes of segments; the power of two, and with the header of a protocol. */
  private static final int[] SEGMENT_BYTES = {
    32, 64, 128, 256, 512, 640, 1024, 1152, 2048, 2304, 4096, 4352, 8192, 8704, 16384, 16896
  };

  private static final int LEAST_CHUNK_BYTES = 128 << 10;
  private static final int LEAST_SEGMENTS = 32;
  private static final int MOST_CHUNK_BYTES = 8 << 20;
  private static final int LARGE_BUFFERS = 8;

  private final NettySettings settings;
  private final NettyChunks chunks;
  private final boolean isLowMemory;
  private final Map<Long, List<MagazineGroup<SegmentChunk>>> ofThreads = new HashMap<>();
  private final List<MagazineGroup<SegmentChunk>> shared;
  private final MagazineGroup<BuddyChunk> large;

  AdaptiveBuffers(NettySettings settings, NettyChunks chunks) {
    this.settings = settings;
    this.chunks = chunks;
    isLowMemory = settings.isLowMemory();
    shared = sharedGroups();
    large =
        new MagazineGroup<>(
            new LargeSizes(), new BuddyReuse(settings.chunkReuseQueueCapacity()), mostMagazines());
  }

  private int mostMagazines() {
    return isLowMemory ? 1 : 2 * settings.processors();
  }

  private List<MagazineGroup<SegmentChunk>> sharedGroups() {
    List<MagazineGroup<SegmentChunk>> groups = new ArrayList<>();
    for (int segment : SEGMENT_BYTES) {
      groups.add(
          new MagazineGroup<>(
              new SizesOfClass(segment, SegmentChunk.NO_THREAD),
              new SharedSegments(settings),
              mostMagazines()));
    }
    return groups;
  }

  private List<MagazineGroup<SegmentChunk>> ownGroups(long thread) {
    List<MagazineGroup<SegmentChunk>> groups = new ArrayList<>();
    for (int segment : SEGMENT_BYTES) {
      SizesOfClass sizes = new SizesOfClass(segment, thread);
      groups.add(new MagazineGroup<>(sizes, new OwnSegments(settings, sizes.chunkBytes), 1));
    }
    return groups;
  }

  @Override
  public NettyBuffer allocate(int bytes, NettyThread thread) {
    return pooled(bytes, thread).orElseGet(() -> UnpooledBuffers.single(chunks, bytes));
  }

  private Optional<NettyBuffer> pooled(int bytes, NettyThread thread) {
    if (bytes > MOST_CHUNK_BYTES / LARGE_BUFFERS) {
      return Optional.empty();
    }
    for (int i = 0; i < SEGMENT_BYTES.length; i++) {
      if (bytes <= SEGMENT_BYTES[i]) {
        return groups(thread).get(i).allocate(bytes, thread.id());
      }
    }
    return isLowMemory ? Optional.empty() : large.allocate(bytes, thread.id());
  }

  private List<MagazineGroup<SegmentChunk>> groups(NettyThread thread) {
    return thread.isEventLoop() && !isLowMemory
        ? ofThreads.computeIfAbsent(thread.id(), this::ownGroups)
        : shared;
  }

  /** The sizes of a size class. */
  private final class SizesOfClass implements ChunkSizes<SegmentChunk> {

    private final int segmentBytes;
    private final int chunkBytes;
    private final long owner;

    SizesOfClass(int segmentBytes, long owner) {
      this.segmentBytes = segmentBytes;
      this.owner = owner;
      chunkBytes = Math.max(LEAST_CHUNK_BYTES, segmentBytes * LEAST_SEGMENTS);
    }

    @Override
    public int rounded(int bytes) {
      return segmentBytes;
    }

    @Override
    public SegmentChunk newChunk(int bytes) {
      String thread = owner == SegmentChunk.NO_THREAD ? "all threads" : "thread " + owner;
      return new SegmentChunk(
          chunks,
          chunks.add(chunkBytes, thread + ", buffers of " + segmentBytes + " bytes"),
          segmentBytes,
          owner);
    }
  }

  /** The sizes of large buffers: chunks never get smaller. */
  private final class LargeSizes implements ChunkSizes<BuddyChunk> {

    private int chunkBytes;

    @Override
    public int rounded(int bytes) {
      return NettyChunks.powerOfTwo(bytes);
    }

    @Override
    public BuddyChunk newChunk(int bytes) {
      chunkBytes =
          Math.min(
              MOST_CHUNK_BYTES,
              Math.max(chunkBytes, NettyChunks.powerOfTwo(LARGE_BUFFERS * bytes)));
      return new BuddyChunk(chunks, chunks.add(chunkBytes, "all threads, large buffers"));
    }
  }
}
