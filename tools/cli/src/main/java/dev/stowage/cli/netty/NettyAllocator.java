package dev.stowage.cli.netty;

import dev.stowage.allocator.internal.ByteCount;
import dev.stowage.allocator.internal.OutOfMemoryNumbers;
import dev.stowage.allocator.internal.OutOfMemoryNumbers.Quantity;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.ChangedRegions;
import dev.stowage.trace.replay.FreeBytes;
import dev.stowage.trace.replay.InUseBytes;
import dev.stowage.trace.replay.Refusals;
import dev.stowage.trace.replay.RegionUse;
import dev.stowage.trace.replay.SimulatedAllocator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The buffers and chunks of a run in a real Netty, event by event. */
public final class NettyAllocator implements SimulatedAllocator {

  /*
   * The run has ended before the first event. Each allocation and free of a replay is its next call.
   *
   * If Netty gets memory by Unsafe, the events of chunks of the pooled allocator have no address,
   * but the buffers do. To a replay, all chunks of one size without buffers are the same. If a
   * buffer has an unknown chunk, the newest of these chunks gets the address.
   */

  /** The distance between chunks, so that no two have a common end. */
  private static final long GAP = 1 << 12;

  private final ChildNetty engine;
  private final Optional<NettySettings> given;
  private final OptionalLong limitBytes;

  /** The chunks by their indices, and so by their addresses in the replay. */
  private final TreeMap<Integer, Region> chunks = new TreeMap<>();

  private final ChangedRegions<Region> changed = new ChangedRegions<>();

  /** The chunks with a known address in the process of Netty, by these addresses. */
  private final TreeMap<Long, Region> byAddress = new TreeMap<>();

  /** The chunks without an event. Each of them ends with its only buffer. */
  private final Set<Region> alone = new HashSet<>();

  private final RegionUse use = new RegionUse();
  private NettySettings settings = NettySettings.parse("");
  private List<String> doubts = List.of();
  private boolean isMissed;
  private NettyRun run = new NettyRun("", List.of());
  private boolean hasRefusals;
  private int next;
  private int nextIndex;
  private long nextAddress;
  private long chunkBytes;
  private long peakBytes;
  private long deviceCalls;

  /**
   * {@return the rules of replays in Netty}
   *
   * @param engine runs Netty
   * @param settings the settings; empty for the settings of the recording
   * @param limitBytes the most bytes of direct memory; empty for the limit of the settings
   */
  public static AllocatorRules rules(
      ChildNetty engine, Optional<NettySettings> settings, OptionalLong limitBytes) {
    return _ -> new NettyAllocator(engine, settings, limitBytes);
  }

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

  /** Takes the results of the next calls from a run. */
  void walk(NettyRun walked) {
    run = walked;
    hasRefusals = walked.hasRefusals();
  }

  /** {@return the next call, after all changes of chunks before its end} */
  private NettyRun.Call nextCall() {
    NettyRun.Call call = run.calls().get(next++);
    for (NettyRun.Change change : call.changes()) {
      if (change.bytes() > 0) {
        add(change.address(), change.bytes());
      } else if (change.address() == 0) {
        newestUnused(chunk -> chunk.bytes() == -change.bytes()).ifPresent(this::remove);
      } else {
        Optional.ofNullable(byAddress.get(change.address())).ifPresent(this::remove);
      }
    }
    return call;
  }

  private Region add(long realAddress, long bytes) {
    Region chunk = new Region(nextIndex++, nextAddress, bytes, "");
    nextAddress += bytes + GAP;
    chunks.put(chunk.index(), chunk);
    changed.add(chunk);
    if (realAddress != 0) {
      byAddress.put(realAddress, chunk);
    }
    chunkBytes += bytes;
    peakBytes = Math.max(peakBytes, chunkBytes);
    deviceCalls++;
    return chunk;
  }

  private void remove(Region chunk) {
    chunks.remove(chunk.index());
    changed.add(chunk);
    byAddress.values().remove(chunk);
    chunkBytes -= chunk.bytes();
    deviceCalls++;
  }

  private Optional<Region> newestUnused(Predicate<Region> condition) {
    return chunks.descendingMap().values().stream()
        .filter(chunk -> use.bytesIn(chunk) == 0)
        .filter(condition)
        .findFirst();
  }

  /** {@return the chunk of the buffer of a call, with its address in the process of Netty} */
  private Map.Entry<Long, Region> chunkOf(NettyRun.Call call, long slotBytes) {
    long start = call.chunkAddress();
    if (start != 0 && !byAddress.containsKey(start)) {
      newestUnused(_ -> true)
          .ifPresent(chunk -> {
            byAddress.values().remove(chunk);
            byAddress.put(start, chunk);
          });
    }
    Map.Entry<Long, Region> known = byAddress.floorEntry(call.address());
    if (known != null && call.address() - known.getKey() < known.getValue().bytes()) {
      return known;
    }
    Region chunk = add(call.address(), slotBytes);
    alone.add(chunk);
    return Map.entry(call.address(), chunk);
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
    Map.Entry<Long, Region> chunk = chunkOf(call, slotBytes);
    long address = chunk.getValue().address() + (call.address() - chunk.getKey());
    use.add(chunk.getValue(), address, InUseBytes.ofRegion(bytes, slotBytes));
    return address;
  }

  @Override
  public void free(long address, long stream) {
    Region chunk = use.remove(address);
    if (alone.remove(chunk)) {
      remove(chunk);
    }
    nextCall();
  }

  /** Does nothing: programs with Netty have no such call. */
  @Override
  public void releaseCached() {}

  /** {@return the version of Netty, and the reason for it} */
  @Override
  public String rules() {
    return run.version();
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
  public InUseBytes usedBytes() {
    return use.sum();
  }

  @Override
  public InUseBytes usedBytes(long address) {
    return use.at(address);
  }

  @Override
  public FreeBytes freeBytes(long stream) {
    return use.freeBytes(chunks.values());
  }

  @Override
  public long reservedBytes() {
    return chunkBytes;
  }

  @Override
  public long peakReservedBytes() {
    return peakBytes;
  }

  /** {@return the most free bytes of a chunk; they need not be contiguous} */
  @Override
  public long largestFreeBytes() {
    return chunks.values().stream()
        .mapToLong(chunk -> chunk.bytes() - use.bytesIn(chunk))
        .max()
        .orElse(0);
  }

  @Override
  public long deviceCalls() {
    return deviceCalls;
  }

  @Override
  public List<Region> regions() {
    return List.copyOf(chunks.values());
  }

  @Override
  public List<Region> changedRegions() {
    return changed.take(
        chunks.values(),
        chunk ->
            chunks.containsKey(chunk.index())
                ? chunk
                : new Region(chunk.index(), chunk.address(), 0, ""));
  }

  @Override
  public Region regionOf(long address) {
    return use.regionOf(address);
  }

  @Override
  public List<Range> ranges() {
    return use.ranges(chunks.values());
  }

  /** Ignores the memory of the device, because Netty uses the memory of its program. */
  @Override
  public boolean mayRefuse(long bytes) {
    return limitBytes.isPresent() || hasRefusals;
  }

  @Override
  public Refusal refusal(long bytes, long stream, long pool) {
    long neededBytes = run.calls().get(next - 1).bytes();
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
