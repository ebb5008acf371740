package dev.stowage.trace.export;

import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.format.EventConsumer;
import dev.stowage.trace.format.RecordedMemory;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.pytorch.BlockState;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SnapshotAction;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotEvents;
import dev.stowage.trace.pytorch.SnapshotFrame;
import dev.stowage.trace.pytorch.SnapshotHistory;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.SnapshotWriter;
import dev.stowage.trace.pytorch.StackTable;
import dev.stowage.trace.replay.PytorchRecording;
import dev.stowage.trace.replay.SimulatedAllocator;
import dev.stowage.trace.replay.TraceReplay;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A replay that is written as a memory snapshot of PyTorch: the history with the addresses of the
 * replay, and the regions with all chunks at its end.
 *
 * <p>Blocks that are older than the recording are in use from the start. Requests that failed are
 * events {@code oom}; requests for 0 bytes are omitted. A tag becomes the innermost frame. Events
 * are written during the replay.
 */
public final class SnapshotExport implements EventConsumer, Closeable {

  /*
   * The order of the entries for an event:
   *
   *   allocation   segment_free, segment_unmap, segment_alloc, segment_map, alloc
   *   free         free_requested, free_completed, segment_free, segment_unmap
   *
   * So each block lies in a segment that exists at that time, as the viewer requires.
   */

  private record Live(long bytes, PoolId pool, List<SnapshotFrame> frames) {}

  private final TraceReplay replay;
  private final OptionalLong limitBytes;
  private final SnapshotWriter writer;
  private final FrameTexts texts = new FrameTexts();
  private final Map<Long, Live> live = new HashMap<>();
  private final Map<Long, List<SnapshotFrame>> segmentFrames = new HashMap<>();
  private Optional<RecordedOrigins> origins = Optional.empty();

  /** The segments of each region that is not empty, by its index. */
  private final Map<Integer, List<SnapshotSegment>> segments = new HashMap<>();

  private Optional<IOException> broken = Optional.empty();

  /**
   * Creates an export of a replay before its first event.
   *
   * @param replay the replay, which gets its events from this consumer
   * @param limitBytes the memory of the device; empty for any amount
   * @param file the file, which must not exist
   * @throws IOException if the file cannot be created
   */
  public SnapshotExport(TraceReplay replay, OptionalLong limitBytes, Path file) throws IOException {
    this.replay = replay;
    this.limitBytes = limitBytes;
    writer = new SnapshotWriter(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW));
    readSegments();
  }

  @Override
  public void snapshot(SnapshotHistory history) {
    start(PytorchRecording.of(history));
  }

  private void start(PytorchRecording recording) {
    replay.start(recording);
    origins = Optional.of(new RecordedOrigins(recording));
    readSegments();
  }

  @Override
  public void memory(RecordedMemory memory) {
    replay.memory(memory);
    readSegments();
  }

  @Override
  public void program(RecordedProgram program) {
    replay.program(program);
  }

  @Override
  public void limit(long bytes) {
    replay.limit(bytes);
  }

  @Override
  public void region(long address, long bytes) {
    replay.region(address, bytes);
  }

  @Override
  public void address(long address, long alignment) {
    replay.address(address, alignment);
  }

  /** Replays an event and writes it. If the file cannot be written, the replay continues. */
  @Override
  public void accept(AllocationEvent event) {
    switch (event) {
      case AllocationEvent.Allocate allocate -> allocate(allocate);
      case AllocationEvent.Fail(AllocationEvent.Allocate request, _) -> fail(event, request);
      case AllocationEvent.Free free -> free(free);
    }
  }

  /** Writes a request that failed in the recording, unless it passes in the replay. */
  private void fail(AllocationEvent event, AllocationEvent.Allocate request) {
    long failuresBefore = replay.failures();
    replay.accept(event);
    writeCompleted(event);
    Optional<RecordedOrigins.Origin> origin = origins.map(recorded -> recorded.of(request));
    writeSegments(request, frames(origin, request));
    if (replay.failures() > failuresBefore && request.bytes() > 0) {
      writeFailure(request, pool(origin), frames(origin, request));
    }
  }

  private List<SnapshotFrame> frames(
      Optional<RecordedOrigins.Origin> origin, AllocationEvent.Allocate event) {
    return origin.map(RecordedOrigins.Origin::frames).orElseGet(() -> texts.frames(event.origin()));
  }

  /** {@return the pool of a request; only the rules of PyTorch have private pools} */
  private PoolId pool(Optional<RecordedOrigins.Origin> origin) {
    return replay.allocator().hasDeviceAddresses()
        ? origin.map(RecordedOrigins.Origin::pool).orElse(PoolId.SHARED)
        : PoolId.SHARED;
  }

  private void writeFailure(
      AllocationEvent.Allocate event, PoolId pool, List<SnapshotFrame> frames) {
    write(SnapshotAction.OOM, freeBytes(), event.bytes(), event, pool, frames);
  }

  private void allocate(AllocationEvent.Allocate event) {
    replay.accept(event);
    writeCompleted(event);
    if (event.bytes() == 0) {
      origins.ifPresent(recorded -> recorded.of(event));
      return;
    }
    Optional<RecordedOrigins.Origin> origin = origins.map(recorded -> recorded.of(event));
    List<SnapshotFrame> frames = frames(origin, event);
    PoolId pool = pool(origin);
    boolean isOlder = origin.isPresent() && origin.get().isOlder();
    if (isOlder) {
      readSegments();
    } else {
      writeSegments(event, frames);
    }
    long address = replay.address(event.id()).orElse(SimulatedAllocator.REFUSED);
    if (address == SimulatedAllocator.REFUSED) {
      writeFailure(event, pool, frames);
      return;
    }
    live.put(address, new Live(event.bytes(), pool, frames));
    if (!isOlder) {
      write(SnapshotAction.ALLOC, address, event.bytes(), event, pool, frames);
    }
  }

  private long freeBytes() {
    long reservedBytes = replay.allocator().reservedBytes();
    OptionalLong limit = limitBytes.isPresent() ? limitBytes : recordedBytes();
    return limit.isPresent()
        ? Math.max(0, limit.getAsLong() - reservedBytes)
        : SnapshotEvents.UNKNOWN;
  }

  /** {@return the memory of the recorded device, or else the limit that follows from failures} */
  private OptionalLong recordedBytes() {
    return replay
        .recordedLimit()
        .filter(limit -> limit.isOfDevice() || limit.isOfProgram())
        .map(limit -> OptionalLong.of(limit.deviceBytes()))
        .orElseGet(replay::assumedLimit);
  }

  /** Writes the frees that the allocator completed to serve a request. */
  private void writeCompleted(AllocationEvent event) {
    for (long address : replay.newCompletions()) {
      Live freed = live.remove(address);
      if (freed != null) {
        writeFree(address, freed, event);
      }
    }
  }

  private void writeFree(long address, Live freed, AllocationEvent event) {
    write(SnapshotAction.FREE_REQUESTED, address, freed.bytes(), event, freed.pool(), List.of());
    write(SnapshotAction.FREE_COMPLETED, address, freed.bytes(), event, freed.pool(), List.of());
  }

  private void free(AllocationEvent.Free event) {
    long address = replay.address(event.id()).orElse(SimulatedAllocator.REFUSED);
    replay.accept(event);
    if (address != SimulatedAllocator.REFUSED) {
      Live freed = live.remove(address);
      if (freed == null) {
        throw new IllegalStateException("an allocation is not known: address=" + address);
      }
      writeFree(address, freed, event);
    }
    writeSegments(event, List.of());
  }

  /** The order in which PyTorch releases segments, which readers of recordings rely on. */
  private static final Comparator<SnapshotSegment> RELEASE_ORDER =
      Comparator.comparing((SnapshotSegment segment) -> segment.lane().pool().isPrivate())
          .thenComparing(segment -> segment.lane().isSmall() != segment.lane().pool().isPrivate())
          .thenComparing(segment -> segment.lane().stream(), Long::compareUnsigned)
          .thenComparingLong(SnapshotSegment::bytes)
          .thenComparing(SnapshotSegment::address, Long::compareUnsigned);

  /** Reads the regions that changed, and {@return the changes of their segments} */
  private SegmentChanges readSegments() {
    List<SnapshotSegment> before = new ArrayList<>();
    List<SnapshotSegment> after = new ArrayList<>();
    for (SimulatedAllocator.Region region : replay.allocator().changedRegions()) {
      List<SnapshotSegment> now = replay.allocator().segmentsOf(region);
      before.addAll(segments.getOrDefault(region.index(), List.of()));
      after.addAll(now);
      if (now.isEmpty()) {
        segments.remove(region.index());
      } else {
        segments.put(region.index(), now);
      }
    }
    before.sort(Comparator.comparingLong(SnapshotSegment::address));
    after.sort(Comparator.comparingLong(SnapshotSegment::address));
    return SegmentChanges.between(before, after);
  }

  private void writeSegments(AllocationEvent event, List<SnapshotFrame> frames) {
    SegmentChanges changes = readSegments();
    for (SnapshotSegment gone : changes.gone().stream().sorted(RELEASE_ORDER).toList()) {
      segmentFrames.remove(gone.address());
      write(
          gone.isExpandable() ? SnapshotAction.SEGMENT_UNMAP : SnapshotAction.SEGMENT_FREE,
          gone,
          event,
          List.of());
    }
    for (SnapshotSegment added : changes.added()) {
      segmentFrames.put(added.address(), frames);
      write(
          added.isExpandable() ? SnapshotAction.SEGMENT_MAP : SnapshotAction.SEGMENT_ALLOC,
          added,
          event,
          frames);
    }
  }

  private void write(
      SnapshotAction action,
      SnapshotSegment segment,
      AllocationEvent event,
      List<SnapshotFrame> frames) {
    write(
        action,
        segment.address(),
        segment.bytes(),
        segment.lane().stream(),
        segment.lane().pool(),
        event.time(),
        frames);
  }

  private void write(
      SnapshotAction action,
      long address,
      long bytes,
      AllocationEvent event,
      PoolId pool,
      List<SnapshotFrame> frames) {
    write(action, address, bytes, event.stream(), pool, event.time(), frames);
  }

  private void write(
      SnapshotAction action,
      long address,
      long bytes,
      long stream,
      PoolId pool,
      long micros,
      List<SnapshotFrame> frames) {
    if (broken.isEmpty()) {
      try {
        writer.event(action, address, bytes, stream, pool, micros, frames);
      } catch (IOException e) {
        broken = Optional.of(e);
      }
    }
  }

  /**
   * Writes the state after the last event. Without this call, the file is not a snapshot.
   *
   * @throws IOException if a part of the file could not be written
   */
  public void finish() throws IOException {
    if (broken.isPresent()) {
      throw broken.get();
    }
    StackTable.Builder stacks = StackTable.builder();
    List<SnapshotSegment> last =
        replay.allocator().segments(true).stream()
            .map(segment -> withStacks(segment, stacks))
            .toList();
    writer.finish(last, stacks.build(), replay.allocator().snapshotSettings());
  }

  private SnapshotSegment withStacks(SnapshotSegment segment, StackTable.Builder stacks) {
    return new SnapshotSegment(
        segment.address(),
        segment.bytes(),
        segment.lane(),
        segment.isExpandable(),
        stacks.add(segmentFrames.getOrDefault(segment.address(), List.of())),
        segment.blocks().stream().map(block -> withStack(block, stacks)).toList());
  }

  private SnapshotBlock withStack(SnapshotBlock block, StackTable.Builder stacks) {
    Live holder = live.get(block.address());
    if (block.state() == BlockState.INACTIVE || holder == null) {
      return block;
    }
    return new SnapshotBlock(
        block.address(),
        block.bytes(),
        block.requestedBytes(),
        block.state(),
        stacks.add(holder.frames()));
  }

  /** Closes the file. */
  @Override
  public void close() throws IOException {
    writer.close();
  }
}
