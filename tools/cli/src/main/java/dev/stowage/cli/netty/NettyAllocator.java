package dev.stowage.cli.netty;

import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.replay.ChangedRegions;
import dev.stowage.trace.replay.FreeBytes;
import dev.stowage.trace.replay.InUseBytes;
import dev.stowage.trace.replay.Refusals;
import dev.stowage.trace.replay.SimulatedAllocator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The buffers and chunks of a run in a real Netty, event by event. */
final class NettyAllocator implements SimulatedAllocator {

  /*
   * The run has ended before the first event. Each allocation and free of a replay is its next call.
   *
   * Where Netty gets memory by Unsafe, events of the pooled allocator have no address of the chunk, but the
   * buffers do. Chunks of one size without buffers are the same to a replay: a buffer whose chunk is not
   * known places the newest one.
   */

  /** A buffer in a chunk of its own ends with that chunk. */
  private record Used(NettyChunk chunk, long address, InUseBytes bytes, boolean isAlone) {}

  /** The distance between chunks, so that no two have a common end. */
  private static final long GAP = 1 << 12;

  private final ChildNetty engine;
  private final Optional<NettySettings> given;
  private final OptionalLong limitBytes;

  /** The chunks by their indices, and so by their addresses in the replay. */
  private final TreeMap<Integer, NettyChunk> chunks = new TreeMap<>();

  private final ChangedRegions<NettyChunk> changed = new ChangedRegions<>();

  /** The chunks by their addresses in the process of Netty, if those are known. */
  private final TreeMap<Long, NettyChunk> byAddress = new TreeMap<>();

  private final Map<Long, Used> used = new HashMap<>();
  private NettySettings settings = NettySettings.parse("");
  private List<String> doubts = List.of();
  private boolean isMissed;
  private Optional<NettyRun> run = Optional.empty();
  private boolean hasRefusals;
  private int next;
  private InUseBytes usedBytes = InUseBytes.ofRegion(0, 0);
  private int nextIndex;
  private long nextAddress;
  private long chunkBytes;
  private long peakBytes;
  private long deviceCalls;

  NettyAllocator(ChildNetty engine, Optional<NettySettings> settings, OptionalLong limitBytes) {
    this.engine = engine;
    given = settings;
    this.limitBytes = limitBytes;
  }

  @Override
  public void noteProgram(RecordedProgram program) {
    NettyAgreement agreement = engine.agreement(program);
    settings =
        given
            .map(each -> each.onMachineOf(program))
            .orElseGet(() -> NettySettings.recorded(program));
    doubts = new ArrayList<>(List.of(agreement.sentence()));
    engine
        .unknown(program, settings)
        .forEach(property ->
            doubts.add("This version of Netty has no " + property + ", which changes nothing."));
    isMissed = agreement.isMissed();
    walk(
        engine.run(
            program,
            limitBytes.isPresent() ? settings.withLimit(limitBytes.getAsLong()) : settings));
  }

  /** Takes the results of a run for those of the next calls. */
  void walk(NettyRun walked) {
    run = Optional.of(walked);
    hasRefusals = walked.hasRefusals();
  }

  private NettyRun run() {
    return run.orElseThrow(
        () -> new NettyRunException("is no recording of Netty, which alone runs in Netty"));
  }

  /** {@return the next call, after all changes of chunks before its end} */
  private NettyRun.Call nextCall() {
    NettyRun.Call call = run().calls().get(next++);
    for (NettyRun.Change change : call.changes()) {
      if (change.bytes() > 0) {
        add(change.address(), change.bytes());
      } else {
        gone(change).ifPresent(this::remove);
      }
    }
    return call;
  }

  private NettyChunk add(long realAddress, long bytes) {
    NettyChunk chunk = new NettyChunk(new Region(nextIndex++, nextAddress, bytes, ""));
    nextAddress += bytes + GAP;
    chunks.put(chunk.region().index(), chunk);
    changed.add(chunk);
    place(chunk, realAddress);
    chunkBytes += bytes;
    peakBytes = Math.max(peakBytes, chunkBytes);
    deviceCalls++;
    return chunk;
  }

  private void place(NettyChunk chunk, long realAddress) {
    byAddress.remove(chunk.realAddress(), chunk);
    chunk.placeAt(realAddress);
    if (realAddress != 0) {
      byAddress.put(realAddress, chunk);
    }
  }

  private void remove(NettyChunk chunk) {
    chunks.remove(chunk.region().index());
    changed.add(chunk);
    byAddress.remove(chunk.realAddress(), chunk);
    chunkBytes -= chunk.bytes();
    deviceCalls++;
  }

  private Optional<NettyChunk> gone(NettyRun.Change change) {
    return change.address() == 0
        ? newestUnused(chunk -> chunk.bytes() == -change.bytes())
        : Optional.ofNullable(byAddress.get(change.address()));
  }

  private Optional<NettyChunk> newestUnused(Predicate<NettyChunk> condition) {
    return chunks.descendingMap().values().stream()
        .filter(NettyChunk::isUnused)
        .filter(condition)
        .findFirst();
  }

  /** {@return the chunk of the buffer of a call; empty if it is not in one} */
  private Optional<NettyChunk> chunkOf(NettyRun.Call call) {
    long start = call.chunkAddress();
    if (start == 0) {
      return Optional.ofNullable(byAddress.floorEntry(call.address()))
          .map(Map.Entry::getValue)
          .filter(chunk -> call.address() - chunk.realAddress() < chunk.bytes());
    }
    if (!byAddress.containsKey(start)) {
      newestUnused(_ -> true).ifPresent(chunk -> place(chunk, start));
    }
    return Optional.ofNullable(byAddress.get(start));
  }

  @Override
  public long allocate(long bytes, long stream, long pool) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be positive: bytes=" + bytes);
    }
    NettyRun.Call call = nextCall();
    if (call.isRefused()) {
      return REFUSED;
    }
    long slotBytes = Math.max(bytes, call.bytes());
    Optional<NettyChunk> known = chunkOf(call);
    NettyChunk chunk = known.orElseGet(() -> add(call.address(), slotBytes));
    long address = chunk.region().address() + (call.address() - chunk.realAddress());
    InUseBytes begun = InUseBytes.ofRegion(bytes, slotBytes);
    used.put(address, new Used(chunk, address, begun, known.isEmpty()));
    chunk.use(slotBytes);
    usedBytes = usedBytes.plus(begun);
    return address;
  }

  @Override
  public void free(long address, long stream) {
    Used ended = check(used.remove(address), address);
    usedBytes = usedBytes.minus(ended.bytes());
    ended.chunk().use(-ended.bytes().bytes());
    if (ended.isAlone()) {
      remove(ended.chunk());
    }
    nextCall();
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
    return List.copyOf(doubts);
  }

  @Override
  public boolean missesRecording() {
    return isMissed;
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
    return FreeBytes.ofRegions(
        chunkBytes - usedBytes.bytes(),
        chunks.values().stream().filter(NettyChunk::isUnused).mapToLong(NettyChunk::bytes).sum());
  }

  @Override
  public long reservedBytes() {
    return chunkBytes;
  }

  @Override
  public long peakReservedBytes() {
    return peakBytes;
  }

  /** {@return the most free bytes of a chunk, which need not be contiguous} */
  @Override
  public long largestFreeBytes() {
    return chunks.values().stream().mapToLong(NettyChunk::freeBytes).max().orElse(0);
  }

  @Override
  public long deviceCalls() {
    return deviceCalls;
  }

  @Override
  public List<Region> regions() {
    return chunks.values().stream().map(NettyChunk::region).toList();
  }

  @Override
  public List<Region> changedRegions() {
    return changed.take(chunks.values(), this::now);
  }

  private Region now(NettyChunk chunk) {
    Region region = chunk.region();
    return chunks.containsKey(region.index())
        ? region
        : new Region(region.index(), region.address(), 0, "");
  }

  @Override
  public Region regionOf(long address) {
    return check(used.get(address), address).chunk().region();
  }

  private static Used check(@Nullable Used found, long address) {
    if (found == null) {
      throw new IllegalStateException("no allocation is in use at address " + address);
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
    for (NettyChunk chunk : chunks.values()) {
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
    return limitBytes.isPresent() || hasRefusals;
  }

  @Override
  public Refusal refusal(long bytes, long stream, long pool) {
    long neededBytes = run().calls().get(next - 1).bytes();
    OutOfMemoryNumbers numbers = Refusals.numbers(this, bytes, bytes, limitBytes.orElse(peakBytes));
    return Refusals.of(
        numbers.with(Quantity.REGION, neededBytes).withProgramLimit(),
        Text.of(
            "%s requested on thread %d, which needs a new chunk of %s.%s",
            ByteCount.exact(bytes),
            stream,
            ByteCount.text(neededBytes),
            Refusals.permitted(numbers, neededBytes)));
  }
}
